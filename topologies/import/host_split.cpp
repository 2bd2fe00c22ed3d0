#include "topologies/import/host_split.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/input_error.h"

namespace ringspan {

namespace {

// What must be the same in every server, without addresses and names.
void append_shape(const NcclPciDevice& device, std::string& shape) {
  shape += fmt::format("({} {} {} {}", static_cast<int>(device.kind), device.speed.transfers,
                       device.speed.lanes, device.gpu.compute_capability.value_or(0));
  int nvlinks = 0;
  for (const NcclNvlinks& links : device.gpu.nvlinks) nvlinks += links.count;
  shape += fmt::format(" {} {}", nvlinks, device.gpu.c2c_megabytes_per_second);
  for (const NcclPort& port : device.ports) shape += fmt::format(" {}", port.megabits_per_second);
  for (const NcclPciDevice& child : device.children) append_shape(child, shape);
  shape += ')';
}

std::string shape_of(const std::vector<const NcclCpu*>& cpus) {
  std::string shape;
  for (const NcclCpu* cpu : cpus) {
    shape += fmt::format("[{} {} {}", cpu->architecture, cpu->vendor, cpu->model);
    for (const NcclPort& port : cpu->ports) shape += fmt::format(" {}", port.megabits_per_second);
    for (const NcclPciDevice& device : cpu->devices) append_shape(device, shape);
    shape += ']';
  }
  return shape;
}

struct Host {
  std::string name;
  std::vector<const NcclCpu*> cpus;
};

std::vector<Host> hosts_of(const NcclTopology& topology) {
  std::vector<Host> hosts;
  for (const NcclCpu& cpu : topology.cpus) {
    std::size_t at = 0;
    while (at < hosts.size() && hosts[at].name != cpu.host) ++at;
    if (at == hosts.size()) hosts.push_back({cpu.host, {}});
    hosts[at].cpus.push_back(&cpu);
  }
  return hosts;
}

}  // namespace

SplitHosts split_hosts(NcclTopology topology, const std::string& file) {
  const std::vector<Host> hosts = hosts_of(topology);
  if (hosts.size() == 1) return {std::move(topology), 1};
  SplitHosts split{{{}, topology.is_template}, static_cast<int>(hosts.size())};
  const std::string shape = shape_of(hosts.front().cpus);
  for (const Host& host : hosts) {
    if (shape_of(host.cpus) == shape) continue;
    const FilePlace where = host.cpus.front()->where;
    throw InputError(SourcePosition{file, where.line, where.column},
                     "this server differs from the first in the file",
                     "an NVLink domain of different servers cannot be imported: dump one server");
  }
  for (const NcclCpu* cpu : hosts.front().cpus) split.first.cpus.push_back(*cpu);
  return split;
}

}  // namespace ringspan

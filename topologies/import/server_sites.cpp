#include "topologies/import/server_sites.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/base/quote.h"

namespace ringspan {

namespace {

class Finder {
 public:
  Finder(const NcclTopology& topology, ImportNotes& notes) : topology_(topology), notes_(notes) {}

  ServerSites find() {
    for (cpu_ = 0; cpu_ < topology_.cpus.size(); ++cpu_) {
      const NcclCpu& cpu = topology_.cpus[cpu_];
      for (const NcclPciDevice& device : cpu.devices) walk(device);
      for (const NcclPort& port : cpu.ports) add(port, nullptr);
    }
    put_gpus_in_order();
    put_ports_in_order();
    return std::move(sites_);
  }

 private:
  void walk(const NcclPciDevice& device) {
    if (device.kind == NcclPciKind::Gpu) sites_.gpus.push_back({&device, cpu_});
    if (device.kind == NcclPciKind::Adapter) {
      for (const NcclPort& port : device.ports) add(port, &device);
      if (device.ports.empty()) {
        NcclPort port;
        port.where = device.where;
        sites_.ports.push_back({std::move(port), &device, cpu_});
      }
    }
    for (const NcclPciDevice& child : device.children) walk(child);
  }

  void add(const NcclPort& port, const NcclPciDevice* adapter) {
    if (!port.identity.empty() && !identities_.insert(port.identity).second) {
      notes_.add(
          port.where.line, port.where.column,
          fmt::format("{} has the guid and port of another: left out", quote_text(port.name)));
      return;
    }
    sites_.ports.push_back({port, adapter, cpu_});
  }

  void put_gpus_in_order() {
    std::set<int> numbers;
    for (const GpuSite& site : sites_.gpus) {
      if (site.device->gpu.device_number) numbers.insert(*site.device->gpu.device_number);
    }
    const bool numbered = numbers.size() == sites_.gpus.size();
    std::stable_sort(sites_.gpus.begin(), sites_.gpus.end(),
                     [&](const GpuSite& a, const GpuSite& b) {
                       return numbered ? a.device->gpu.device_number < b.device->gpu.device_number
                                       : a.device->address < b.device->address;
                     });
  }

  void put_ports_in_order() {
    const bool numbered =
        std::all_of(sites_.ports.begin(), sites_.ports.end(),
                    [](const PortSite& site) { return site.port.device_number.has_value(); });
    const auto place = [&](const PortSite& site) {
      const PciAddress address = site.adapter == nullptr ? PciAddress{} : site.adapter->address;
      return std::tuple(numbered ? *site.port.device_number : 0, site.adapter == nullptr, address);
    };
    std::stable_sort(sites_.ports.begin(), sites_.ports.end(),
                     [&](const PortSite& a, const PortSite& b) { return place(a) < place(b); });
  }

  const NcclTopology& topology_;
  ImportNotes& notes_;
  std::size_t cpu_ = 0;
  ServerSites sites_;
  std::set<std::string> identities_;
};

}  // namespace

ServerSites find_sites(const NcclTopology& topology, ImportNotes& notes) {
  return Finder(topology, notes).find();
}

}  // namespace ringspan

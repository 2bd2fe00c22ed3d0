#include "topologies/builders/device_reading.h"

#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "sim/base/quantity.h"
#include "topologies/builders/config_reading.h"
#include "topologies/builders/limits.h"
#include "topologies/builders/rate_reading.h"
#include "topologies/builders/system.h"

namespace ringspan {

namespace {

constexpr std::array kKinds = {DeviceKind::Gpu, DeviceKind::NvSwitch, DeviceKind::PcieSwitch,
                               DeviceKind::Cpu, DeviceKind::Nic};

Bandwidth read_copy_rate(const ConfigNode& table) {
  const WrittenRate rate = read_rate(table, "memory_copy");
  if (rate.transfers != 0 || rate.note) {
    table.fail("memory_copy", "a local copy has no lanes and no direction",
               "write the bytes copied per second, such as \"1400 GB/s\"");
  }
  return rate.per_direction;
}

// Which Intel CPU it is, as far as NCCL's plan between sockets tells them apart.
std::string read_generation(const ConfigNode& table, const std::string& vendor) {
  if (!given(table, "generation")) return {};
  if (vendor != "intel") {
    table.fail("generation", "only of Intel's CPUs does the generation matter",
               "remove generation, or write vendor = \"intel\"");
  }
  return table.choice("generation", {"broadwell", "skylake", "sapphire-rapids", "emerald-rapids"});
}

// What all devices of one table have in common. The keys depend on the kind; a key of another kind
// is reported as unknown.
Device read_prototype(const ConfigNode& table, const std::optional<GpuModel>& other_gpu,
                      DomainDraft& draft) {
  Device device;
  device.kind = enum_choice(table, "kind", kKinds, device_kind_name);
  switch (device.kind) {
    case DeviceKind::Gpu: {
      const GpuModel described = read_gpu_model(table);
      device.model = draft.add_gpu_model(other_gpu.value_or(described));
      break;
    }
    case DeviceKind::Cpu:
      if (given(table, "vendor")) {
        device.vendor = table.choice("vendor", {"intel", "amd", "arm", "power", "other"});
      }
      device.generation = read_generation(table, device.vendor);
      break;
    case DeviceKind::NvSwitch:
      device.multicast = table.boolean_or("multicast", false);
      break;
    case DeviceKind::PcieSwitch:
    case DeviceKind::Nic:
      break;
  }
  return device;
}

// How many devices the table stands for; 0: one, whose name has no number.
std::int64_t read_count(const ConfigNode& table, std::size_t so_far) {
  if (!given(table, "count")) return 0;
  const std::int64_t count = table.integer("count", 1, std::numeric_limits<std::int64_t>::max());
  if (count > kMaxDevices - static_cast<std::int64_t>(so_far)) {
    table.fail("count", fmt::format("{} devices are too many for one server", count),
               so_far == 0 ? fmt::format("at most {}", kMaxDevices)
                           : fmt::format("at most {} in all; {} stand above", kMaxDevices, so_far));
  }
  return count;
}

// Which network the table's devices are on; empty for what is no NIC.
std::string read_network(const ConfigNode& table, DeviceKind kind,
                         const std::vector<std::string>& networks) {
  if (kind != DeviceKind::Nic) return {};
  return given(table, "network") ? table.choice("network", networks) : kComputeNetwork;
}

void read_device(const ConfigNode& table, const std::optional<GpuModel>& other_gpu,
                 const std::vector<std::string>& networks, DomainDraft& draft, DeviceList& list) {
  const std::string name = table.text("name");
  at_key(table, "name", [&] { check_device_name(name); });
  const std::int64_t count = read_count(table, list.names.size());
  if (count == 0 && static_cast<std::int64_t>(list.names.size()) >= kMaxDevices) {
    table.fail("name", "there are more devices than one server may have",
               fmt::format("at most {} devices", kMaxDevices));
  }
  const Device prototype = read_prototype(table, other_gpu, draft);
  const std::string network = read_network(table, prototype.kind, networks);
  for (std::int64_t i = 0; i < (count == 0 ? 1 : count); ++i) {
    Device device = prototype;
    device.name = count == 0 ? name : fmt::format("{}{}", name, i);
    const std::string unique = device.name;
    const NodeId id = draft.add_device(std::move(device), network);
    at_key(table, "name", [&] { list.names.add(unique, id); });
    if (prototype.kind == DeviceKind::Gpu) list.gpus.push_back(id);
  }
}

}  // namespace

GpuModel read_gpu_model(const ConfigNode& table) {
  GpuModel model;
  model.name = table.text("model");
  model.compute_capability = static_cast<int>(table.integer("compute_capability", 0, 999));
  model.memory = table.bytes("memory");
  if (model.memory.count == 0) table.fail("memory", "a GPU has memory", "such as \"80 GiB\"");
  // "80" for 80 GiB: sizes may be bare bytes elsewhere, but no GPU is that small.
  constexpr Bytes kLeastMemory{std::int64_t{1} << 20};
  if (model.memory < kLeastMemory) {
    table.fail("memory", fmt::format("{} is no memory of a GPU", format_size(model.memory)),
               "append the unit, such as \"80 GiB\"");
  }
  model.memory_copy = read_copy_rate(table);
  return model;
}

DeviceList read_devices(const ConfigNode& node, const std::optional<GpuModel>& other_gpu,
                        const std::vector<std::string>& networks, DomainDraft& draft) {
  DeviceList list;
  for (const ConfigNode& table : node.children("device"))
    read_device(table, other_gpu, networks, draft, list);
  if (list.gpus.empty()) {
    node.fail("device", "the server has no GPU",
              "add a [[node.device]] with kind = \"gpu\", or use = \"NAME\" of another system");
  }
  return list;
}

}  // namespace ringspan

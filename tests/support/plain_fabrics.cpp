#include "tests/support/plain_fabrics.h"

#include <utility>
#include <vector>

namespace ringspan::testing {

namespace {

NodeId add_gpu(TopologyBuilder& builder, std::int32_t model, int index) {
  Device gpu;
  gpu.name = "gpu" + std::to_string(index);
  gpu.kind = DeviceKind::Gpu;
  gpu.model = model;
  return builder.add_device(gpu);
}

NodeId add(TopologyBuilder& builder, const std::string& name, DeviceKind kind) {
  Device device;
  device.name = name;
  device.kind = kind;
  device.multicast = kind == DeviceKind::NvSwitch;
  if (kind == DeviceKind::Cpu) device.vendor = "amd";
  return builder.add_device(device);
}

std::int32_t add_model(TopologyBuilder& builder) {
  return builder.add_gpu_model(
      {"Test GPU", 90, Bytes{std::int64_t{80} << 30}, bandwidth_from_gbytes_per_second(1400)});
}

Link link(LinkClass link_class, const char* preset, Bandwidth rate, Duration latency) {
  Link properties;
  properties.link_class = link_class;
  properties.preset = preset;
  properties.count = link_class == LinkClass::Pcie ? 16 : 1;
  properties.raw = properties.nominal = rate;
  properties.latency = latency;
  return properties;
}

}  // namespace

Topology gpus_on_one_switch(int gpus, Bandwidth rate) {
  TopologyBuilder builder("one switch");
  const std::int32_t model = add_model(builder);
  std::vector<NodeId> nodes;
  for (int g = 0; g < gpus; ++g) nodes.push_back(add_gpu(builder, model, g));
  const NodeId nvswitch = add(builder, "nvswitch0", DeviceKind::NvSwitch);
  for (const NodeId gpu : nodes) {
    builder.add_duplex(gpu, nvswitch, link(LinkClass::NvLink, "custom", rate, nanoseconds(300)));
  }
  return std::move(builder).build();
}

Topology gpus_in_a_mesh(int gpus, Bandwidth rate) {
  TopologyBuilder builder("mesh");
  const std::int32_t model = add_model(builder);
  std::vector<NodeId> nodes;
  for (int g = 0; g < gpus; ++g) nodes.push_back(add_gpu(builder, model, g));
  for (int g = 0; g < gpus; ++g) {
    for (int h = 0; h < g; ++h) {
      builder.add_duplex(nodes[h], nodes[g],
                         link(LinkClass::NvLink, "custom", rate, nanoseconds(450)));
    }
  }
  return std::move(builder).build();
}

Topology gpus_under_one_pcie_switch(int gpus, PeerReach reach, Bandwidth rate) {
  TopologyBuilder builder("one PCIe switch");
  builder.set_peer_reach(reach);
  const std::int32_t model = add_model(builder);
  std::vector<NodeId> nodes;
  for (int g = 0; g < gpus; ++g) nodes.push_back(add_gpu(builder, model, g));
  const NodeId cpu = add(builder, "cpu0", DeviceKind::Cpu);
  const NodeId pcie_switch = add(builder, "psw0", DeviceKind::PcieSwitch);
  const Link pcie = link(LinkClass::Pcie, "custom", rate, nanoseconds(110));
  builder.add_duplex(pcie_switch, cpu, pcie);
  for (const NodeId gpu : nodes) builder.add_duplex(gpu, pcie_switch, pcie);
  return std::move(builder).build();
}

Topology gpus_on_two_sockets(int gpus, PeerReach reach, Bandwidth rate, Bandwidth socket) {
  TopologyBuilder builder("two sockets");
  builder.set_peer_reach(reach);
  const std::int32_t model = add_model(builder);
  std::vector<NodeId> nodes;
  for (int g = 0; g < gpus; ++g) nodes.push_back(add_gpu(builder, model, g));
  const NodeId cpus[] = {add(builder, "cpu0", DeviceKind::Cpu),
                         add(builder, "cpu1", DeviceKind::Cpu)};
  builder.add_duplex(cpus[0], cpus[1], link(LinkClass::Socket, "custom", socket, nanoseconds(120)));
  for (int g = 0; g < gpus; ++g) {
    builder.add_duplex(nodes[g], cpus[g * 2 / gpus],
                       link(LinkClass::Pcie, "custom", rate, nanoseconds(110)));
  }
  return std::move(builder).build();
}

}  // namespace ringspan::testing

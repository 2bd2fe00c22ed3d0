#include "tests/support/nic_servers.h"

#include <utility>

#include "tests/support/clusters.h"
#include "tests/support/fabrics.h"

namespace ringspan::testing {

namespace {

Link c2c_link() {
  Link link;
  link.link_class = LinkClass::C2c;
  link.preset = "c2c";
  link.raw = link.nominal = fabrics::gbytes(450);
  link.latency = nanoseconds(100);
  return link;
}

// One server: everything but the NVSwitch, which the domain shares.
void add_server(const NicServer& shape, std::int32_t server, std::int32_t model, NodeId nvswitch,
                TopologyBuilder& builder, DomainKind& kind) {
  const auto add = [&](const std::string& name, DeviceKind device, std::int32_t its_model = -1) {
    const std::string vendor = device == DeviceKind::Cpu ? shape.vendor : "";
    return builder.add_device({name, device, server, its_model, vendor, false});
  };
  const int switches = shape.gpus / shape.gpus_per_switch;
  std::vector<NodeId> cpus;
  int gpu = 0, nic = 0;
  for (int s = 0; s < switches; ++s) {
    if (s % shape.switches_per_cpu == 0) {
      const NodeId cpu = add("cpu" + std::to_string(cpus.size()), DeviceKind::Cpu);
      for (const NodeId other : cpus) builder.add_duplex(other, cpu, fabrics::socket_link());
      cpus.push_back(cpu);
    }
    NodeId root = cpus.back();
    if (!shape.c2c) {
      root = add("psw" + std::to_string(s), DeviceKind::PcieSwitch);
      builder.add_duplex(root, cpus.back(), fabrics::pcie(shape.pcie));
    }
    for (int g = 0; g < shape.gpus_per_switch; ++g) {
      const NodeId id = add("gpu" + std::to_string(gpu++), DeviceKind::Gpu, model);
      kind.gpus.push_back(id);
      builder.add_duplex(id, root, shape.c2c ? c2c_link() : fabrics::pcie(shape.pcie));
      if (shape.nvlinks == 0) continue;
      builder.add_duplex(id, nvswitch, fabrics::nvlinks(shape.nvlinks, shape.nvlink_rate));
    }
    for (int n = 0; n < shape.nics_per_switch; ++n) {
      kind.rails.push_back(nic);
      const NodeId id = add("nic" + std::to_string(nic++), DeviceKind::Nic);
      kind.nics.push_back(id);
      builder.add_duplex(id, root, fabrics::pcie(shape.pcie));
    }
  }
}

}  // namespace

DomainKind make_domain(const NicServer& shape) {
  TopologyBuilder builder("domain");
  const std::int32_t model = builder.add_gpu_model(
      {"GPU", shape.compute_capability, Bytes{80'000'000'000}, fabrics::gbytes(1000)});
  DomainKind kind{Topology{}, {}, {}, {}, shape.gpu_direct};
  NodeId nvswitch;
  if (shape.nvlinks > 0) {
    nvswitch = builder.add_device({"nvsw", DeviceKind::NvSwitch, 0, -1, "", true});
  }
  for (int server = 0; server < shape.servers; ++server) {
    add_server(shape, server, model, nvswitch, builder, kind);
  }
  kind.topology = std::move(builder).build();
  return kind;
}

Cluster make_cluster(std::vector<DomainKind> kinds, const std::vector<std::int32_t>& kind_of_domain,
                     double port_rate, bool joins_rails) {
  std::vector<FabricPort> ports;
  std::int32_t server = 0;
  for (std::size_t domain = 0; domain < kind_of_domain.size(); ++domain) {
    const DomainKind& kind = kinds[static_cast<std::size_t>(kind_of_domain[domain])];
    for (std::size_t nic = 0; nic < kind.nics.size(); ++nic) {
      ports.push_back({static_cast<std::int32_t>(domain),
                       server + kind.topology.device(kind.nics[nic]).server, kind.rails[nic]});
    }
    server += kind.servers();
  }
  return Cluster(std::move(kinds), kind_of_domain,
                 crossbar_fabric(std::move(ports), fabrics::gbytes(port_rate), joins_rails));
}

Cluster make_cluster(const NicServer& shape, int domains, double port_rate, bool joins_rails) {
  std::vector<DomainKind> kinds;
  kinds.push_back(make_domain(shape));
  return make_cluster(std::move(kinds),
                      std::vector<std::int32_t>(static_cast<std::size_t>(domains), 0), port_rate,
                      joins_rails);
}

std::vector<GpuPlace> all_places(const Cluster& cluster) {
  std::vector<GpuPlace> places;
  for (std::int64_t gpu = 0; gpu < cluster.gpu_count(); ++gpu) places.push_back(cluster.place(gpu));
  return places;
}

}  // namespace ringspan::testing

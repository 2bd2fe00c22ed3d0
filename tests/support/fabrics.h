#pragma once

// Small servers for tests, built by hand. Rates are round: one NVLink 25 GB/s and 300 ns, PCIe
// Gen4 x16 raw 32, nominal 31.5 GB/s and 100 ns, each without efficiency loss, so that expected
// values are plain sums.

#include <string>
#include <utility>
#include <vector>

#include "topologies/graph/topology.h"

namespace ringspan::fabrics {

inline Bandwidth gbytes(double rate) { return bandwidth_from_gbytes_per_second(rate); }

inline Link nvlinks(int count, double each = 25.0, std::string preset = "nvlink3") {
  Link link;
  link.link_class = LinkClass::NvLink;
  link.preset = std::move(preset);
  link.count = count;
  link.raw = gbytes(each * count);
  link.nominal = gbytes(each * count);
  link.latency = nanoseconds(300);
  return link;
}

// generation 3, 4, 5 or 6, 16 lanes.
inline Link pcie(int generation) {
  Link link;
  link.link_class = LinkClass::Pcie;
  link.preset = "pcie" + std::to_string(generation);
  link.count = 16;
  link.raw = gbytes(16.0 * (1 << (generation - 3)));
  link.nominal = gbytes(15.75 * (1 << (generation - 3)));
  link.latency = nanoseconds(100);
  return link;
}

inline Link socket_link(double rate = 60.0) {
  Link link;
  link.link_class = LinkClass::Socket;
  link.preset = "socket";
  link.raw = gbytes(rate);
  link.nominal = gbytes(rate);
  link.latency = nanoseconds(150);
  return link;
}

// Adds devices by name and keeps the ids of the GPUs.
class Maker {
 public:
  explicit Maker(std::string name, int compute_capability = 80) : builder(std::move(name)) {
    model = builder.add_gpu_model({"GPU", compute_capability, Bytes{80'000'000'000}, gbytes(1000)});
  }
  NodeId gpu() {
    const std::string name = "gpu" + std::to_string(gpus.size());
    gpus.push_back(builder.add_device({name, DeviceKind::Gpu, 0, model, "", false}));
    return gpus.back();
  }
  void gpus_until(std::size_t count) {
    while (gpus.size() < count) gpu();
  }
  NodeId device(const std::string& name, DeviceKind kind) {
    return builder.add_device({name, kind, 0, -1, "", false});
  }
  NodeId nvswitch(const std::string& name, bool multicast = false) {
    return builder.add_device({name, DeviceKind::NvSwitch, 0, -1, "", multicast});
  }
  NodeId cpu(const std::string& name, const std::string& vendor,
             const std::string& generation = {}) {
    return builder.add_device({name, DeviceKind::Cpu, 0, -1, vendor, false, generation});
  }

  TopologyBuilder builder;
  std::int32_t model = 0;
  std::vector<NodeId> gpus;
};

// `gpus` GPUs, each with links[i] NVLinks to switch i.
inline Topology one_switch_level(int gpus, const std::vector<int>& links, int compute_capability,
                                 double each = 25.0, bool multicast = false) {
  Maker make("switched", compute_capability);
  make.gpus_until(static_cast<std::size_t>(gpus));
  for (std::size_t i = 0; i < links.size(); ++i) {
    const NodeId plane = make.nvswitch("nvsw" + std::to_string(i), multicast);
    for (const NodeId gpu : make.gpus) {
      make.builder.add_duplex(gpu, plane, nvlinks(links[i], each));
    }
  }
  return std::move(make.builder).build();
}

// DGX-1V: a cube mesh of eight V100, no NVSwitch; PCIe Gen3 switches with two GPUs each.
inline Topology dgx1() {
  Maker make("dgx1", 70);
  make.gpus_until(8);
  const auto join = [&](int a, int b, int count) {
    make.builder.add_duplex(make.gpus[static_cast<std::size_t>(a)],
                            make.gpus[static_cast<std::size_t>(b)], nvlinks(count));
  };
  const std::vector<std::pair<int, int>> doubles = {{0, 3}, {0, 4}, {1, 2}, {1, 5},
                                                    {2, 3}, {4, 7}, {5, 6}, {6, 7}};
  const std::vector<std::pair<int, int>> singles = {{0, 1}, {0, 2}, {1, 3}, {2, 6},
                                                    {3, 7}, {4, 5}, {4, 6}, {5, 7}};
  for (const auto& [a, b] : doubles) join(a, b, 2);
  for (const auto& [a, b] : singles) join(a, b, 1);
  std::vector<NodeId> cpus;
  for (int socket = 0; socket < 2; ++socket) {
    cpus.push_back(make.cpu("cpu" + std::to_string(socket), "intel"));
  }
  make.builder.add_duplex(cpus[0], cpus[1], socket_link(19.2));
  for (std::size_t i = 0; i < 4; ++i) {
    const NodeId plx = make.device("psw" + std::to_string(i), DeviceKind::PcieSwitch);
    make.builder.add_duplex(plx, cpus[i / 2], pcie(3));
    for (std::size_t g = 2 * i; g < 2 * i + 2; ++g) {
      make.builder.add_duplex(make.gpus[g], plx, pcie(3));
    }
  }
  return std::move(make.builder).build();
}

// Four GPUs, every pair joined by four NVLinks.
inline Topology full_mesh4() {
  Maker make("mesh4");
  make.gpus_until(4);
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = a + 1; b < 4; ++b) {
      make.builder.add_duplex(make.gpus[a], make.gpus[b], nvlinks(4));
    }
  }
  return std::move(make.builder).build();
}

struct PcieServer {
  int generation = 4;
  std::string vendor = "amd";
  int compute_capability = 80;
  PeerReach reach = PeerReach::Switch;
  int sockets = 2;
  int switches_per_socket = 2;  // 0: the GPUs hang under the CPU
  int gpus_per_socket = 4;
  double socket_rate = 60.0;
};

inline Topology pcie_server(const PcieServer& shape) {
  Maker make("pcie", shape.compute_capability);
  make.builder.set_peer_reach(shape.reach);
  std::vector<NodeId> cpus;
  for (int socket = 0; socket < shape.sockets; ++socket) {
    const NodeId cpu = make.cpu("cpu" + std::to_string(socket), shape.vendor);
    for (const NodeId other : cpus) {
      make.builder.add_duplex(other, cpu, socket_link(shape.socket_rate));
    }
    cpus.push_back(cpu);
    std::vector<NodeId> roots;
    for (int i = 0; i < shape.switches_per_socket; ++i) {
      const int number = socket * shape.switches_per_socket + i;
      roots.push_back(make.device("psw" + std::to_string(number), DeviceKind::PcieSwitch));
      make.builder.add_duplex(roots.back(), cpu, pcie(shape.generation));
    }
    if (roots.empty()) roots.push_back(cpu);
    const int each = shape.gpus_per_socket / static_cast<int>(roots.size());
    for (int g = 0; g < shape.gpus_per_socket; ++g) {
      const NodeId root = roots[static_cast<std::size_t>(g / each)];
      make.builder.add_duplex(make.gpu(), root, pcie(shape.generation));
    }
  }
  return std::move(make.builder).build();
}

}  // namespace ringspan::fabrics

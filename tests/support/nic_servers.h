#pragma once

// Servers with NICs for tests, of the shapes of real ones, and clusters of them on a crossbar.

#include <string>
#include <vector>

#include "topologies/fabrics/cluster.h"

namespace ringspan::testing {

struct NicServer {
  int gpus = 8;
  int compute_capability = 90;
  // NVLinks of every GPU to one NVSwitch, and the rate of each; 0: none.
  int nvlinks = 18;
  double nvlink_rate = 25;
  int pcie = 5;  // generation; 16 lanes everywhere
  int gpus_per_switch = 2;
  int nics_per_switch = 2;
  int switches_per_cpu = 2;
  std::string vendor = "intel";
  bool c2c = false;  // no PCIe switches: GPUs by C2C (450 GB/s) and NICs by PCIe under a CPU
  int servers = 1;   // the domain is a rack of so many servers of `gpus` each
  GpuDirectReach gpu_direct = GpuDirectReach::Switch;
};

// GPUs and NICs in order, server by server; a CPU holds switches_per_cpu switches, all CPUs of a
// server are joined two by two. Latencies: NVLink 300 ns, PCIe 100 ns, sockets 150 ns, C2C 100 ns.
DomainKind make_domain(const NicServer& shape);

// domains[i] of kinds[kind_of_domain[i]] on a crossbar of `port_rate` a NIC, in GB/s.
// `joins_rails`: as in crossbar_fabric().
Cluster make_cluster(std::vector<DomainKind> kinds, const std::vector<std::int32_t>& kind_of_domain,
                     double port_rate, bool joins_rails = true);
Cluster make_cluster(const NicServer& shape, int domains, double port_rate,
                     bool joins_rails = true);

std::vector<GpuPlace> all_places(const Cluster& cluster);

}  // namespace ringspan::testing

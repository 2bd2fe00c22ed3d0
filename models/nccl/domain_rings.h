#pragma once

// The rings NCCL's search finds on one of several domains (src/graph/search.cc): speed classes from
// high to low; at each, ever farther hops and NICs; then, if rings must, in by one NIC and out by
// another.

#include <cstdint>
#include <span>

#include "models/nccl/net_ring_search.h"
#include "models/nccl/transport.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

struct DomainRings {
  std::vector<NetRing> rings;  // orders hold indices into the `gpus` given; at least one ring
  double rate = 0;             // GB/s: the class that won, per ring
  bool cross_nic = false;
  HopReach gpu_reach = HopReach::NvLink;  // the farthest that rings were allowed
  NicReach nic_reach = NicReach::PcieSwitch;
  int least_compute_capability = 0;
};

// `gpus`: the communicator's GPUs of the domain, indices of the kind, ascending; at least one.
DomainRings search_domain(const Cluster& cluster, std::int32_t kind,
                          std::span<const std::int32_t> gpus, const Transport& transport);

}  // namespace ringspan

#pragma once

// At one rate and reach: the rings through a domain's GPUs that come in from a NIC and leave
// through one, as many as fit when every ring takes the rate from each link it crosses. Ring by
// ring, each the first that fits, with a budget of steps.

#include <cstddef>
#include <vector>

#include "models/nccl/nic_ends.h"
#include "models/nccl/plan_graph.h"
#include "models/nccl/ring_search.h"

namespace ringspan {

struct NetRingRequest {
  double rate = 0;  // GB/s of one ring
  HopReach gpu_reach = HopReach::NvLink;
  NicReach nic_reach = NicReach::PcieSwitch;
  // False: a ring leaves through the NIC it came in by. True (NCCL's crossNic 2): rings come in
  // pairs, one of which leaves through the NIC by which the other comes in.
  bool cross_nic = false;
  std::size_t most = 32;  // rings that are of use
};

struct NetRing {
  RingOrder order;                      // the walk from the first GPU to the last
  std::size_t nic_in = 0, nic_out = 0;  // places in NicEnds::nics()
};

struct NetRingsFound {
  std::vector<NetRing> rings;  // may be empty
  int links = 0;               // crossed between GPUs by all rings together
};

NetRingsFound find_net_rings(const PlanGraph& graph, const NicEnds& ends,
                             const NetRingRequest& request);

}  // namespace ringspan

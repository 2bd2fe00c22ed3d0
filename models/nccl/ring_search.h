#pragma once

// At one rate and reach: as many rings as fit, when every ring takes the rate from each link it
// crosses. Backtracking with a budget of steps, so an answer always comes and is always the same.

#include <cstdint>
#include <vector>

#include "models/nccl/plan_graph.h"

namespace ringspan {

using RingOrder = std::vector<std::int32_t>;

struct RingRequest {
  double rate = 0;  // GB/s of one ring
  HopReach reach = HopReach::NvLink;
  bool same_order = true;  // all rings in the order of the first
  int most = 32;           // rings that are of use
};

struct RingsFound {
  std::vector<RingOrder> orders;  // may be empty
  int links = 0;                  // crossed by all rings together
};

RingsFound find_rings(const PlanGraph& graph, const RingRequest& request);

}  // namespace ringspan

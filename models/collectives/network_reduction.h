#pragma once

// Reduction in the network's switches between heads, one per block and node: the schedule behind
// `collnetdirect`, and behind `nvls` where it spans several nodes. They differ in how data gets
// from the ranks of a node to its heads and back.

#include <cstdint>
#include <memory>
#include <vector>

#include "models/collectives/schedule.h"

namespace ringspan {

enum class HeadTraffic {
  Messages,  // every rank to every head and back
  Switch,    // reduced and multicast by the node's own switch; all_reduce only
};

// all_reduce, all_gather and reduce_scatter. Block h (of each rank, where blocks have owners)
// belongs to the h-th rank of every node; there are as many heads as ranks in the smallest node.
std::unique_ptr<Schedule> make_network_reduction(const CollectiveSpec& spec,
                                                 std::vector<std::vector<std::int32_t>> nodes,
                                                 HeadTraffic traffic);

}  // namespace ringspan

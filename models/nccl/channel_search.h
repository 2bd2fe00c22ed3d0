#pragma once

// Which channels NCCL opens on a server, and in which order each ring visits the GPUs.
// A regular search in the spirit of NCCL's (src/graph/search.cc): speed classes from high to low;
// at each, as many rings as fit when every ring takes the class from every link it crosses.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/ids.h"
#include "sim/base/units.h"
#include "topologies/graph/topology.h"

namespace ringspan {

struct ChannelSet {
  // orders[c]: the communicator ranks in the order channel c's ring visits them, from rank 0.
  // All channels that the kernels use are listed (after NCCL's doubling); at least one.
  std::vector<std::vector<std::int32_t>> orders;
  Bandwidth class_rate;     // the speed class that won, per search channel
  int search_channels = 0;  // before doubling
};

// `gpus`: the communicator's GPUs in rank order, all of one server. One GPU: one channel.
ChannelSet search_channels(const Topology& topology, std::span<const NodeId> gpus);

}  // namespace ringspan

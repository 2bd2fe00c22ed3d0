#pragma once

// Which channels NCCL opens on a server, and in which order each ring visits the GPUs.
// A regular search in the spirit of NCCL's (src/graph/search.cc): speed classes from high to low;
// at each, as many rings as fit when every ring takes the class from every link it crosses.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "models/nccl/algorithm_graph.h"
#include "sim/base/ids.h"
#include "sim/base/units.h"
#include "topologies/graph/topology.h"

namespace ringspan {

struct ChannelSet {
  // orders[c]: the communicator ranks in the order channel c's ring visits them; on one domain from
  // rank 0, over several from the GPU at which the ring enters the first one.
  // All channels that the kernels use are listed (after NCCL's doubling); at least one.
  std::vector<std::vector<std::int32_t>> orders;
  // The same for chains inside the domains, which channels take turns with (channel c modulo their
  // number); empty: as `orders`. Rings may change rails from domain to domain; the chains of one
  // channel begin on one rail everywhere.
  std::vector<std::vector<std::int32_t>> tree_orders;
  // A domain's second GPU on the chain is as near to the channel's NIC as the first, and talks to
  // one of the two child domains (NCCL's BALANCED_TREE); else the first talks to both (TREE).
  bool tree_balanced = true;
  Bandwidth class_rate;  // the speed class that won, per search channel
  // The farthest hop of the rings inside a node, and between a GPU and its NIC.
  PathType intra_type = PathType::Nvl;
  PathType inter_type = PathType::Pix;
  bool cross_nic = false;   // rings leave by other NICs than they come in by
  int search_channels = 0;  // before doubling

  // The orders that an algorithm's channels take turns with. Trees and reductions between domains
  // join the GPUs of one place in the orders.
  const std::vector<std::vector<std::int32_t>>& orders_of(std::string_view algorithm) const {
    const bool chains =
        algorithm == "tree" || algorithm.starts_with("nvls") || algorithm.starts_with("collnet");
    return chains && !tree_orders.empty() ? tree_orders : orders;
  }
};

// `gpus`: the communicator's GPUs in rank order, all of one server. One GPU: one channel.
ChannelSet search_channels(const Topology& topology, std::span<const NodeId> gpus);

}  // namespace ringspan

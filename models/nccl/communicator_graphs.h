#pragma once

// The graphs of NCCL's search for its tuner, from the rings that ours found. Trees and NVLS are not
// searched for but follow from what a GPU's NVLinks and NICs are worth to NCCL; on regular systems
// that gives what NCCL's own search does (src/graph/search.cc, 2.28.9 and 2.30.7):
// - A tree has the ring's channels. Its chain uses a GPU once each way, as the ring does; of two
// GPUs
//   half of the chains run each way, so that a channel may be twice as fast. Between nodes a chain
//   leaves one of a node's p hops out, and NCCL raises its rate inside up to twice that outside.
// - NVLS: every GPU is a head (between nodes: every NIC), 32 at most; a GPU's links carry the rate
// of
//   each head and once more its own. The rate of a head's NIC, or inside a node of its links, may
//   be twice that.

#include <span>

#include "models/collectives/nccl_version.h"
#include "models/nccl/algorithm_graph.h"
#include "models/nccl/channel_search.h"
#include "models/nccl/transport.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

// `channels`: found for the same `ranks`; `transport`: nullptr for one domain. Leaves out what
// comes from profiles and options: NVLS channels, grouped send/receive.
CommunicatorGraphs communicator_graphs(const Cluster& cluster, std::span<const GpuPlace> ranks,
                                       const ChannelSet& channels, const Transport* transport,
                                       const NcclVersion& version);

}  // namespace ringspan

#pragma once

// The channels of NCCL's grouped send/receive: how many there are, and how many of them a message
// to one peer may use. Source: NCCL 2.28.9 src/graph/paths.cc (ncclTopoComputeP2pChannels,
// ncclTopoGetNchannels).

#include <span>

#include "models/nccl/transport.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

// Of a communicator whose collectives use `channels`: the next power of two.
int p2p_channels(int channels);

// The least over all pairs of ranks, rounded up to a power of two, at most `p2p_channels`: twice
// the NVLinks of the pair; 2 over PCIe; over a network 2, or 1 where the messages to all ranks
// would fill every channel more than four times, but as many as the NICs nearest to a GPU that are
// needed to carry what its link to a CPU does. `transport`: nullptr for a cluster of one domain.
// One rank: `p2p_channels`.
int p2p_channels_per_peer(const Cluster& cluster, std::span<const GpuPlace> ranks,
                          const Transport* transport, int p2p_channels);

}  // namespace ringspan

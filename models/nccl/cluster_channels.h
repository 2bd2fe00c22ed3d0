#pragma once

// The channels of a communicator over several domains (NCCL's nodes): every domain is searched for
// rings that come in and leave through NICs (domain_rings.h), alike ones once; the rings of all
// domains are then joined, ring c of one to ring c of the next (NCCL 2.28.9 src/graph/connect.cc).

#include <span>

#include "models/nccl/channel_search.h"
#include "models/nccl/transport.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

// `ranks`: where each rank sits, different places; at least one. Domains come in the order of their
// first rank, and so do they in the rings; a communicator may use a part of a domain's GPUs, and
// different numbers of them. The domain with the fewest channels decides how many there are. All
// ranks in one domain: search_channels().
ChannelSet search_cluster_channels(const Cluster& cluster, std::span<const GpuPlace> ranks,
                                   const Transport& transport);

}  // namespace ringspan

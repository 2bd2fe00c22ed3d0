#pragma once

// Where the LL128 protocol may be used: its flag rides in the same 128-byte line as its data, so
// every way between two GPUs must keep a store of 128 bytes whole.

#include <span>
#include <string>

#include "models/nccl/channel_search.h"
#include "models/nccl/transport.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

// Empty when LL128 may be used, else the reason in words. NCCL 2.28.9 (src/graph/tuning.cc):
// - inside a domain NVLink, also over another GPU; along the ring of `ranks`;
// - between a GPU and its NIC PCIe switches only; from compute capability 9.0 also C2C and another
//   GPU's NIC (PXN); at the ends of the channels' rings in each domain;
// - compute capability 7.0 or later, the same on all GPUs.
// `transport`: nullptr for one domain.
std::string ll128_bar(const Cluster& cluster, std::span<const GpuPlace> ranks,
                      const ChannelSet& channels, const Transport* transport);

// Neighbours of one domain reach one another over NVLink, straight or through another GPU.
bool nvlink_inside(const Cluster& cluster, std::span<const GpuPlace> ranks);

}  // namespace ringspan

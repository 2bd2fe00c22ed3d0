#pragma once

// What a collective of one size puts on the cluster's resources, for reports.

#include <vector>

#include "models/workloads/size_cut.h"
#include "models/workloads/stream_loads.h"

namespace ringspan {

struct ResourceBytes {
  FabricResource resource;  // alike ones beyond kMostNamedResources: the first, "(and 6 alike)"
  std::int64_t count = 1;   // how many it stands for; `bytes` and the rate are those of each
  double bytes = 0;         // wire bytes in the whole collective
  double load = 0;          // bytes of its rate that these take: at least as many
};

// Up to this many resources are named one by one, in the order of the resources, then the limits of
// the kernels; more are named by their classes.
inline constexpr std::size_t kMostNamedResources = 2048;

std::vector<ResourceBytes> resource_bytes(const StreamLoads& loads, const SizeCut& cut);

// By class of links: what the collective puts on each of them, on the wire. `links`: how many
// classes there are, of these loads or of the SharedLoads they belong to.
std::vector<LinkLoad> link_bytes(const StreamLoads& loads, const SizeCut& cut, std::size_t links);

// The limits of the copying kernels alone, by their classes.
std::vector<ResourceBytes> kernel_bytes(const StreamLoads& loads, const SizeCut& cut);

// Payload bytes that the busiest rank sends.
std::int64_t busiest_rank_bytes(const StreamLoads& loads, const SizeCut& cut);

}  // namespace ringspan

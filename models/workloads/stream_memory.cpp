#include "models/workloads/stream_loads.h"

namespace ringspan {

std::int64_t stream_memory_bytes(const PlanInput& input) {
  // Per resource: rate, three sums, class; per rank: orders, places, a ring's edges.
  constexpr std::int64_t kBytesPerResource = 100;
  constexpr std::int64_t kBytesPerRank = 200;
  constexpr std::int64_t kBytesPerRankAndChannel = 64;
  constexpr std::int64_t kResourcesPerRank = 12;
  const std::int64_t n = input.spec.ranks;
  const std::int64_t resources = input.cluster->gpu_count() * kResourcesPerRank;
  return resources * kBytesPerResource +
         n * (kBytesPerRank + input.channels * kBytesPerRankAndChannel);
}

}  // namespace ringspan

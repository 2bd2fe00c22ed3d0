#include "models/workloads/stream_loads.h"

#include <utility>

#include "models/workloads/link_sums.h"
#include "models/workloads/part_loads.h"
#include "models/workloads/shared_loads.h"

namespace ringspan {

StreamLoads StreamLoads::build(const PlanInput& input, const PlanOutline& outline,
                               PairCounting counting) {
  const LoadPart part{input, &outline};
  LinkSums sums({&part, 1});
  PartLoads builder(part, counting, sums);
  builder.declare();
  sums.finish({&part, 1});
  StreamLoads loads = builder.sum();
  loads.links = sums.collect({&loads, 1});
  loads.links_of = sums.links->take_classes();
  loads.paths = std::move(sums.paths);
  return loads;
}

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

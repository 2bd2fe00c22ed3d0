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

}  // namespace ringspan

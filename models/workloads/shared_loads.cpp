#include "models/workloads/shared_loads.h"

#include <deque>
#include <utility>

#include "models/workloads/link_sums.h"
#include "models/workloads/part_loads.h"
#include "sim/base/check.h"

namespace ringspan {

SharedLoads SharedLoads::build(std::span<const LoadPart> parts) {
  RINGSPAN_CHECK(!parts.empty(), "loads are shared by at least one");
  LinkSums sums(parts);
  std::deque<PartLoads> builders;
  for (const LoadPart& part : parts) {
    builders.emplace_back(part, PairCounting::Automatic, sums).declare();
  }
  sums.finish(parts);
  SharedLoads shared;
  for (; !builders.empty(); builders.pop_front()) shared.loads.push_back(builders.front().sum());
  shared.links = sums.collect(shared.loads);
  shared.paths = std::move(sums.paths);
  return shared;
}

}  // namespace ringspan

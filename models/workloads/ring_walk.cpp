#include "models/workloads/ring_walk.h"

#include "sim/base/check.h"

namespace ringspan {

std::vector<std::size_t> walking_order(const Round& round, int ranks) {
  RINGSPAN_CHECK(round.switched.empty() && round.nodes.empty(), "a ring joins two ranks at a time");
  const std::size_t pairs = round.pairs.size();
  std::vector<std::size_t> leaving(static_cast<std::size_t>(ranks), pairs);
  for (std::size_t i = 0; i < pairs; ++i) {
    leaving[static_cast<std::size_t>(round.pairs[i].source)] = i;
  }
  std::vector<std::size_t> walk;
  walk.reserve(pairs);
  std::size_t at = 0;
  do {
    walk.push_back(at);
    at = leaving[static_cast<std::size_t>(round.pairs[at].destination)];
    RINGSPAN_CHECK(at < pairs, "a ring goes on from every rank");
  } while (at != 0 && walk.size() < pairs);
  return walk;
}

}  // namespace ringspan

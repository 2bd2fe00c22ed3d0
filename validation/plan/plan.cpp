#include "validation/plan/plan.h"

#include <numeric>

namespace ringspan {

std::vector<PlanGroup> plan_groups(const Plan& plan) {
  std::vector<PlanGroup> groups;
  for (std::size_t i = 0; i < plan.collectives.size(); ++i) {
    if (groups.empty() || !plan.collectives[i].together) groups.push_back({i, i});
    groups.back().end = i + 1;
  }
  return groups;
}

std::vector<std::int32_t> ranks_of(const Plan& plan, const PlannedCollective& item) {
  if (!item.ranks.empty()) return item.ranks;
  std::vector<std::int32_t> ranks(static_cast<std::size_t>(plan.ranks));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

}  // namespace ringspan

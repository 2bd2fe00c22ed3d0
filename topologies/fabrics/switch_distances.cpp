#include "topologies/fabrics/switch_distances.h"

#include <algorithm>
#include <cstddef>

namespace ringspan {

namespace {

// 8 bytes a switch and destination: all of 4,096 switches are kept, 256 destinations of 65,536.
constexpr std::size_t kMostEntries = std::size_t{1} << 24U;

}  // namespace

std::shared_ptr<const SwitchDistances::Table> SwitchDistances::to(std::uint32_t end) const {
  const std::lock_guard lock(mutex_);
  if (const auto found = tables_.find(end); found != tables_.end()) return found->second;
  if ((tables_.size() + 1) * graph_.switch_count() > kMostEntries) tables_.clear();
  return tables_.emplace(end, make(end)).first->second;
}

std::shared_ptr<const SwitchDistances::Table> SwitchDistances::make(std::uint32_t end) const {
  const auto table = std::make_shared<Table>();
  table->hops.assign(graph_.switch_count(), kUnreached);
  if (health_.is_dead(end)) return table;
  table->hops[end] = 0;
  table->nearest.push_back(end);
  std::vector<SwitchBundle> out;
  for (std::size_t i = 0; i < table->nearest.size(); ++i) {
    const std::uint32_t at = table->nearest[i];
    graph_.bundles(at, out);
    for (const SwitchBundle& bundle : out) {
      if (table->hops[bundle.to] != kUnreached || health_.alive(bundle) == 0) continue;
      table->hops[bundle.to] = table->hops[at] + 1;
      table->nearest.push_back(bundle.to);
    }
  }
  if (!rates_.empty()) add_onward(*table);
  return table;
}

// Near switches first, so that what lies onward is known.
void SwitchDistances::add_onward(Table& table) const {
  table.onward.assign(graph_.switch_count(), 0);
  std::vector<SwitchBundle> out;
  for (const std::uint32_t at : table.nearest) {
    if (table.hops[at] == 0) {
      table.onward[at] = std::numeric_limits<double>::infinity();
      continue;
    }
    graph_.bundles(at, out);
    for (const SwitchBundle& bundle : out) {
      if (table.hops[bundle.to] >= table.hops[at]) continue;
      const double rate = rates_[bundle.kind] * health_.bundle(bundle);
      table.onward[at] += std::min(rate, table.onward[bundle.to]);
    }
  }
}

}  // namespace ringspan

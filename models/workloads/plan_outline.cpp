#include "models/workloads/plan_outline.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "models/collectives/p2p.h"
#include "models/workloads/cluster_paths.h"
#include "sim/base/check.h"

namespace ringspan {

RankLayout layout_of(const PlanInput& input) {
  RankLayout layout;
  if (input.cluster->domain_count() == 1) return layout;
  layout.node.reserve(input.ranks.size());
  for (const GpuPlace& place : input.ranks) layout.node.push_back(place.domain);
  return layout;
}

std::map<std::int32_t, std::int64_t> ranks_by_domain(std::span<const GpuPlace> ranks) {
  std::map<std::int32_t, std::int64_t> counts;
  for (const GpuPlace& place : ranks) ++counts[place.domain];
  return counts;
}

// Channel c uses variant c % variants and order c % orders; channels alike are one class, but where
// the fabric treats their transfers differently. Messages go straight from rank to rank, whatever
// the rings: in the order of the ranks.
PlanOutline PlanOutline::build(const PlanInput& input) {
  RINGSPAN_CHECK(input.channels >= 1 && !input.orders.empty(), "a plan needs a channel");
  PlanOutline outline;
  outline.spec = input.spec;
  outline.algorithm = input.algorithm_name;
  outline.channels = input.channels;
  outline.full_rate_channels = std::min(input.full_rate_channels, input.channels);
  outline.buffer = input.buffer;
  outline.nodes = static_cast<int>(ranks_by_domain(input.ranks).size());
  const RankLayout layout = layout_of(input);
  const int variants = input.algorithm->variants(input.spec);
  std::vector<std::int32_t> ranks(static_cast<std::size_t>(input.spec.ranks));
  std::iota(ranks.begin(), ranks.end(), 0);
  const std::int64_t peers =
      p2p_peers_at_once(input.channels, input.channels_per_peer, outline.nodes);
  const auto build = [&](const std::vector<std::int32_t>& order, int variant) {
    return input.algorithm->build(
        {input.spec, {layout.node, order}, variant, peers, input.tree_pattern});
  };
  auto first_schedule = build(input.orders.front(), 0);
  const bool ordered = first_schedule->pacing() == Pacing::Slices;
  const bool apart = ordered && channels_take_own_ways(*input.cluster, input.transport);
  std::map<std::tuple<int, int, std::vector<std::int32_t>>, std::size_t> known;
  std::map<std::pair<int, std::vector<std::int32_t>>, std::size_t> in_step;
  for (int c = 0; c < input.channels; ++c) {
    const int variant = c % variants;
    const auto& order =
        ordered ? input.orders[static_cast<std::size_t>(c) % input.orders.size()] : ranks;
    const auto [found, added] =
        known.emplace(std::tuple{apart ? c : 0, variant, order}, outline.classes.size());
    if (added) {
      auto schedule = c == 0 && ordered ? std::move(first_schedule) : build(order, variant);
      const auto first = in_step.emplace(std::pair{variant, order}, outline.classes.size()).first;
      outline.classes.push_back({std::move(schedule), 0, {}, first->second});
    }
    ChannelClass& channel_class = outline.classes[found->second];
    ++channel_class.count;
    channel_class.channels.push_back(c);
  }
  return outline;
}

}  // namespace ringspan

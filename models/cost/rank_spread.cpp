#include "models/cost/rank_spread.h"

#include <numeric>

namespace ringspan {

RankSpread::RankSpread(const Cluster& cluster, std::span<const GpuPlace> ranks,
                       const CollectiveSpec& spec)
    : cluster_(cluster),
      ranks_(ranks),
      spec_(spec),
      first_(static_cast<std::size_t>(cluster.domain_count()) + 1, 0),
      members_(ranks.size()) {
  for (const GpuPlace& place : ranks) {
    ++first_[static_cast<std::size_t>(place.domain) + 1];
    in_one_domain_ = in_one_domain_ && place.domain == ranks.front().domain;
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<std::size_t> filled(first_.begin(), first_.end() - 1);
  index_.reserve(ranks.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto domain = static_cast<std::size_t>(ranks[rank].domain);
    index_.push_back(static_cast<std::int32_t>(filled[domain] - first_[domain]));
    members_[filled[domain]++] = static_cast<std::int32_t>(rank);
  }
}

std::int32_t RankSpread::next_index(std::int32_t rank) const {
  const std::int32_t after = next(rank);
  return place(after).domain == place(rank).domain ? index(after) : kElsewhere;
}

std::int32_t RankSpread::root_index(int domain) const {
  if (!collective_has_root(spec_.kind) || place(spec_.root).domain != domain) return kElsewhere;
  return index(spec_.root);
}

}  // namespace ringspan

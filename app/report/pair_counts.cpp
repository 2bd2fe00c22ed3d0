#include "app/report/pair_counts.h"

#include <algorithm>

#include "sim/base/check.h"

namespace ringspan {

PairCounts::PairCounts(const Cluster& cluster)
    : cluster_(cluster), domains_(cluster.kinds().size()) {
  RINGSPAN_CHECK(cluster.fabric() != nullptr, "pairs of domains need a fabric");
  const Fabric& fabric = *cluster.fabric();
  for (std::int32_t d = 0; d < cluster.domain_count(); ++d) {
    domains_[static_cast<std::size_t>(cluster.kind_of(d))].push_back(d);
  }
  std::vector<std::uint32_t> attachment(fabric.ports().size());
  for (std::uint32_t port = 0; port < attachment.size(); ++port) {
    attachment[port] = fabric.attachment(port);
  }
  groups_.push_back(attachment);
  const std::vector<FabricLevel> levels = fabric.levels();
  for (const FabricLevel& level : levels) {
    groups_.emplace_back();
    for (const std::uint32_t at : attachment) groups_.back().push_back(level.group[at]);
  }
  for (std::size_t kind = 0; kind < domains_.size(); ++kind) {
    histograms_.emplace_back();
    const auto nics = static_cast<std::int32_t>(cluster.kinds()[kind].nics.size());
    for (std::size_t level = 0; level < groups_.size(); ++level) {
      for (std::int32_t nic = 0; nic < nics; ++nic) {
        histograms_.back().push_back(histogram({static_cast<std::int32_t>(kind), nic}, level));
      }
    }
  }
}

PairCounts::Histogram PairCounts::histogram(const Nics& nics, std::size_t level) const {
  std::vector<std::uint32_t> groups;
  for (const std::int32_t domain : domains_of(nics.kind)) {
    groups.push_back(group(level, domain, nics.nic));
  }
  std::sort(groups.begin(), groups.end());
  Histogram result;
  for (const std::uint32_t at : groups) {
    if (result.empty() || result.back().first != at) result.emplace_back(at, 0);
    ++result.back().second;
  }
  return result;
}

const PairCounts::Histogram& PairCounts::known(const Nics& nics, std::size_t level) const {
  const auto kind = static_cast<std::size_t>(nics.kind);
  const std::size_t row = level * cluster_.kinds()[kind].nics.size();
  return histograms_[kind][row + static_cast<std::size_t>(nics.nic)];
}

std::int64_t PairCounts::common(const Histogram& a, const Histogram& b) {
  std::int64_t sum = 0;
  for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
    if (left->first == right->first) {
      sum += left++->second * right++->second;
    } else {
      ++(left->first < right->first ? left : right);
    }
  }
  return sum;
}

// The product of the counts per group has each domain with itself too, where the kinds are one.
std::int64_t PairCounts::pairs_within(const Nics& from, const Nics& to, std::size_t level) const {
  std::int64_t count = common(known(from, level), known(to, level));
  if (from.kind != to.kind) return count;
  for (const std::int32_t domain : domains_of(from.kind)) {
    if (group(level, domain, from.nic) == group(level, domain, to.nic)) --count;
  }
  return count;
}

std::vector<std::int64_t> PairCounts::pairs(const Nics& from, const Nics& to) const {
  std::vector<std::int64_t> result;
  std::int64_t nearer = 0;
  for (std::size_t level = 0; level < groups_.size(); ++level) {
    const std::int64_t within = pairs_within(from, to, level);
    result.push_back(within - nearer);
    nearer = within;
  }
  const auto count = [this](std::int32_t kind) {
    return static_cast<std::int64_t>(domains_of(kind).size());
  };
  const std::int64_t itself = from.kind == to.kind ? count(from.kind) : 0;
  result.push_back(count(from.kind) * count(to.kind) - itself - nearer);
  return result;
}

std::size_t PairCounts::level(std::int32_t from_domain, std::int32_t from_nic,
                              std::int32_t to_domain, std::int32_t to_nic) const {
  std::size_t level = 0;
  while (level < groups_.size() &&
         group(level, from_domain, from_nic) != group(level, to_domain, to_nic)) {
    ++level;
  }
  return level;
}

}  // namespace ringspan

#pragma once

// How many pairs of domains hang on the same attachment, or in the same group of attachments:
// counted from how many domains each group has, never pair by pair.

#include <cstdint>
#include <utility>
#include <vector>

#include "topologies/fabrics/cluster.h"

namespace ringspan {

class PairCounts {
 public:
  // Requires a fabric. Keeps a reference to `cluster`.
  explicit PairCounts(const Cluster& cluster);

  // One NIC of every domain of a kind.
  struct Nics {
    std::int32_t kind = 0, nic = 0;
    auto operator<=>(const Nics&) const = default;
  };

  // Levels of nearness: attachments, the fabric's levels, everything.
  std::size_t level_count() const { return groups_.size() + 1; }
  const std::vector<std::int32_t>& domains_of(std::int32_t kind) const {
    return domains_[static_cast<std::size_t>(kind)];
  }
  // Ordered pairs of different domains, by the least level that both NICs share.
  std::vector<std::int64_t> pairs(const Nics& from, const Nics& to) const;
  // The least level that the NICs of two domains share.
  std::size_t level(std::int32_t from_domain, std::int32_t from_nic, std::int32_t to_domain,
                    std::int32_t to_nic) const;

 private:
  // How many domains of a kind have the NIC in each group, ascending by group.
  using Histogram = std::vector<std::pair<std::uint32_t, std::int64_t>>;
  Histogram histogram(const Nics& nics, std::size_t level) const;
  static std::int64_t common(const Histogram& a, const Histogram& b);
  std::int64_t pairs_within(const Nics& from, const Nics& to, std::size_t level) const;
  std::uint32_t group(std::size_t level, std::int32_t domain, std::int32_t nic) const {
    return groups_[level][cluster_.port(domain, nic)];
  }
  const Histogram& known(const Nics& nics, std::size_t level) const;

  const Cluster& cluster_;
  std::vector<std::vector<std::int32_t>> domains_;  // by kind
  std::vector<std::vector<std::uint32_t>> groups_;  // by level and port
  std::vector<std::vector<Histogram>> histograms_;  // by kind; by level x NICs + NIC
};

}  // namespace ringspan

#pragma once

// How a communicator's ranks sit in the domains of a cluster.

#include <cstdint>
#include <span>
#include <vector>

#include "models/collectives/collective.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

inline constexpr std::int32_t kElsewhere = -1;

class RankSpread {
 public:
  // Keeps references to all of them.
  RankSpread(const Cluster& cluster, std::span<const GpuPlace> ranks, const CollectiveSpec& spec);

  const CollectiveSpec& spec() const { return spec_; }
  const Cluster& cluster() const { return cluster_; }
  bool in_one_domain() const { return in_one_domain_; }
  // Ascending ranks; may be none.
  std::span<const std::int32_t> members(int domain) const {
    const auto d = static_cast<std::size_t>(domain);
    return {members_.data() + first_[d], members_.data() + first_[d + 1]};
  }
  const GpuPlace& place(std::int32_t rank) const { return ranks_[static_cast<std::size_t>(rank)]; }
  std::int32_t next(std::int32_t rank) const { return (rank + 1) % spec_.ranks; }
  // Index of a rank among the members of its domain.
  std::int32_t index(std::int32_t rank) const { return index_[static_cast<std::size_t>(rank)]; }
  // The same of the rank after this one; kElsewhere: it sits in another domain.
  std::int32_t next_index(std::int32_t rank) const;
  // Among the members of `domain`; kElsewhere: in another domain, or there is no root.
  std::int32_t root_index(int domain) const;

 private:
  const Cluster& cluster_;
  std::span<const GpuPlace> ranks_;
  const CollectiveSpec& spec_;
  bool in_one_domain_ = true;
  std::vector<std::size_t> first_;  // by domain, and one more
  std::vector<std::int32_t> members_;
  std::vector<std::int32_t> index_;  // by rank
};

}  // namespace ringspan

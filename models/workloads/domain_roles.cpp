#include "models/workloads/domain_roles.h"

#include <set>
#include <utility>

#include "sim/base/random.h"

namespace ringspan {

namespace {

std::uint64_t mixed(std::uint64_t state, std::uint64_t value) {
  std::uint64_t next = state ^ value;
  return splitmix64(next);
}

class RoleCount {
 public:
  explicit RoleCount(const PlanInput& input)
      : input_(input), sums_(static_cast<std::size_t>(input.cluster->domain_count()), 0) {}

  void add(std::uint64_t use, const PairEdge& edge) {
    const GpuPlace& from = place(edge.source);
    const GpuPlace& to = place(edge.destination);
    std::uint64_t state = mixed(use, static_cast<std::uint64_t>(edge.block_count));
    state = mixed(state, static_cast<std::uint64_t>(from.gpu));
    state = mixed(state, static_cast<std::uint64_t>(to.gpu));
    if (from.domain == to.domain) {
      sum_of(from.domain) += state;
      return;
    }
    ++crossings_;
    // Which NIC is used goes by what the other end is, not by where it is.
    sum_of(from.domain) += mixed(state, 2 * kind_of(to.domain) + 1);
    sum_of(to.domain) += mixed(state, 2 * kind_of(from.domain) + 2);
  }

  DomainRoles take() const {
    DomainRoles roles{crossings_, {}};
    std::set<std::pair<std::uint64_t, std::uint64_t>> different;
    for (std::size_t domain = 0; domain < sums_.size(); ++domain) {
      different.emplace(kind_of(static_cast<std::int32_t>(domain)), sums_[domain]);
    }
    roles.of_kind.resize(input_.cluster->kinds().size(), 0);
    for (const auto& [kind, sum] : different) ++roles.of_kind[kind];
    return roles;
  }

 private:
  const GpuPlace& place(std::int32_t rank) const {
    return input_.ranks[static_cast<std::size_t>(rank)];
  }
  std::uint64_t kind_of(std::int32_t domain) const {
    return static_cast<std::uint64_t>(input_.cluster->kind_of(domain));
  }
  std::uint64_t& sum_of(std::int32_t domain) { return sums_[static_cast<std::size_t>(domain)]; }

  const PlanInput& input_;
  std::int64_t crossings_ = 0;
  std::vector<std::uint64_t> sums_;  // by domain, of its edges' hashes: in any order
};

}  // namespace

DomainRoles count_domain_roles(const PlanInput& input, const PlanOutline& outline) {
  RoleCount count(input);
  // Loads are sums over a class's rounds: how often an edge is used counts, not when.
  for (std::size_t c = 0; c < outline.classes.size(); ++c) {
    for (const Round& round : outline.classes[c].schedule->rounds()) {
      const std::uint64_t use = mixed(c, static_cast<std::uint64_t>(round.repeat));
      for (const PairEdge& edge : round.pairs) count.add(use, edge);
    }
  }
  return count.take();
}

}  // namespace ringspan

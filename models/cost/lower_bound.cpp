#include "models/cost/lower_bound.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "models/cost/cut_needs.h"
#include "models/cost/domain_bounds.h"
#include "models/cost/fabric_bounds.h"
#include "models/cost/port_rates.h"
#include "models/cost/rank_spread.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

class ClusterBounds {
 public:
  ClusterBounds(const Cluster& cluster, std::span<const GpuPlace> ranks, const CollectiveSpec& spec)
      : cluster_(cluster), spread_(cluster, ranks, spec) {
    if (!spread_.in_one_domain()) port_rate_ = port_rates(*cluster.fabric());
  }

  TightestCut run() {
    bound_inside_domains();
    if (!spread_.in_one_domain()) {
      bound_fabric(spread_, port_rate_, tightest_,
                   [this](const std::string& who, const RankGroups& groups) {
                     bound_together(who, groups);
                   });
    }
    return std::move(tightest_);
  }

 private:
  using Key = std::vector<std::int64_t>;

  // Domains whose ranks sit in them alike are bounded once.
  void bound_inside_domains() {
    std::map<Key, std::size_t> known;
    std::vector<std::vector<GroupsTogether>> together;
    std::map<std::string, RankGroups> sums;
    for (int domain = 0; domain < cluster_.domain_count(); ++domain) {
      const std::size_t members = spread_.members(domain).size();
      if (members == 0) continue;
      const auto [found, added] = known.emplace(key_of(domain), together.size());
      if (added) together.push_back(bound_inside(domain));
      for (const GroupsTogether& groups : together[found->second]) {
        RankGroups& sum = sums[groups.label];
        sum.groups += groups.groups;
        sum.rate_in += groups.rate_in;
        sum.ranks += static_cast<double>(members);
      }
    }
    const auto& kinds = cluster_.kinds();
    const bool in_switches = std::any_of(kinds.begin(), kinds.end(), [](const DomainKind& kind) {
      return reduces_in_switches(kind.topology);
    });
    if (in_switches) return;
    for (const auto& [label, sum] : sums) bound_together(label, sum);
  }

  // All that domain_bounds() of a domain depends on.
  Key key_of(int domain) const {
    const auto members = spread_.members(domain);
    Key key{cluster_.kind_of(domain), spread_.root_index(domain)};
    key.reserve(key.size() + 2 * members.size() + cluster_.domain(domain).nics.size());
    for (const std::int32_t rank : members) {
      key.push_back(spread_.place(rank).gpu);
      key.push_back(spread_.next_index(rank));
    }
    if (spread_.in_one_domain()) return key;
    for (std::size_t nic = 0; nic < cluster_.domain(domain).nics.size(); ++nic) {
      key.push_back(static_cast<std::int64_t>(rate_of_port(domain, nic)));
    }
    return key;
  }

  double rate_of_port(int domain, std::size_t nic) const {
    return port_rate_[cluster_.port(domain, static_cast<int>(nic))];
  }

  std::vector<GroupsTogether> bound_inside(int domain) {
    const DomainKind& kind = cluster_.domain(domain);
    std::vector<NodeId> gpus;
    std::vector<std::int32_t> next;
    for (const std::int32_t rank : spread_.members(domain)) {
      gpus.push_back(kind.gpus[static_cast<std::size_t>(spread_.place(rank).gpu)]);
      next.push_back(spread_.next_index(rank));
    }
    std::vector<double> port_rate;
    if (!spread_.in_one_domain()) {
      port_rate.assign(kind.topology.devices().size(), 0);
      for (std::size_t nic = 0; nic < kind.nics.size(); ++nic) {
        port_rate[kind.nics[nic].index()] = rate_of_port(domain, nic);
      }
    }
    const std::string prefix =
        cluster_.domain_count() > 1 ? domain_name(cluster_, domain) + ": " : "";
    DomainBounds bounds = domain_bounds(
        kind.topology, {gpus, next, spread_.root_index(domain), port_rate}, spread_.spec(), prefix);
    tightest_.consider(bounds.tightest);
    return std::move(bounds.together);
  }

  // Only for groups that hold all ranks, where no switch between them helps.
  void bound_together(const std::string& who, const RankGroups& groups) {
    const bool in_fabric = !spread_.in_one_domain() && cluster_.fabric()->reduces_in_network();
    if (spread_.spec().kind != CollectiveKind::AllReduce || in_fabric) return;
    if (groups.ranks != spread_.spec().ranks || groups.groups < 2) return;
    tightest_.consider([&] { return who; }, "receive", groups_need(groups.groups), groups.rate_in);
  }

  const Cluster& cluster_;
  RankSpread spread_;
  std::vector<double> port_rate_;  // bits/s; empty where all ranks sit in one domain
  TightestCut tightest_;
};

}  // namespace

LowerBounds::LowerBounds(const Cluster& cluster, std::span<const GpuPlace> ranks,
                         const CollectiveSpec& spec)
    : one_rank_(spec.ranks == 1) {
  RINGSPAN_CHECK(ranks.size() == static_cast<std::size_t>(spec.ranks), "one place per rank");
  if (!one_rank_) tightest_ = ClusterBounds(cluster, ranks, spec).run();
}

LowerBound LowerBounds::of(Bytes size) const {
  if (one_rank_) return {Duration::zero(), "one rank: nothing crosses a link"};
  if (size.count == 0) return {Duration::zero(), "no bytes: nothing crosses a link"};
  return tightest_.of(size);
}

}  // namespace ringspan

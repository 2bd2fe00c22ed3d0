#include "models/cost/fabric_bounds.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/cost/cut_needs.h"

namespace ringspan {

namespace {

using Together = std::function<void(const std::string&, const RankGroups&)>;

template <typename Label>
void consider(const RankSpread& spread, Label label, const CutSide& inside, double out, double in,
              TightestCut& tightest) {
  const CutNeeds needs = cut_needs(spread.spec(), inside);
  tightest.consider(label, "send", needs.out, out);
  tightest.consider(label, "receive", needs.in, in);
}

// What a domain's NICs carry. Its NVSwitches reduce inside it, so domains are groups of their own
// even where GPUs are not.
void bound_domains(const RankSpread& spread, std::span<const double> port_rate,
                   TightestCut& tightest, const Together& together) {
  const Cluster& cluster = spread.cluster();
  RankGroups all;
  bool racks = false;
  for (int domain = 0; domain < cluster.domain_count(); ++domain) {
    const auto members = spread.members(domain);
    if (members.empty()) continue;
    double rate = 0;
    for (std::size_t nic = 0; nic < cluster.domain(domain).nics.size(); ++nic) {
      rate += port_rate[cluster.port(domain, static_cast<int>(nic))];
    }
    CutSide inside{static_cast<double>(members.size()), spread.root_index(domain) >= 0, 0};
    for (const std::int32_t rank : members) {
      if (spread.next_index(rank) == kElsewhere) inside.leaving += 1;
    }
    const auto label = [&] { return "the NICs of " + domain_name(cluster, domain); };
    consider(spread, label, inside, rate, rate, tightest);
    all.groups += 1;
    all.ranks += inside.ranks;
    all.rate_in += rate;
    racks = racks || cluster.domain(domain).servers() > 1;
  }
  together(racks ? "the racks together" : "the servers together", all);
}

// A cut of the fabric as one of the ranks: inside are the domains all of whose ports are. The other
// ports inside belong to domains on the outside: they lead over the cut.
class CutOfRanks {
 public:
  CutOfRanks(const RankSpread& spread, std::span<const double> port_rate)
      : spread_(spread),
        port_rate_(port_rate),
        ports_inside_(static_cast<std::size_t>(spread.cluster().domain_count()), 0),
        inside_(ports_inside_.size(), 0) {}

  struct Result {
    CutSide side;
    double ports_across = 0;            // bits/s
    std::vector<std::int32_t> domains;  // inside
  };

  Result of(const FabricCut& cut) {
    const Cluster& cluster = spread_.cluster();
    Result result;
    for (const std::uint32_t port : cut.ports) ++ports_inside_[domain_of(port)];
    for (const std::uint32_t port : cut.ports) {
      const std::size_t domain = domain_of(port);
      const auto number = static_cast<std::int32_t>(domain);
      if (ports_inside_[domain] != cluster.domain(number).nics.size()) {
        result.ports_across += port_rate_[port];
      } else if (inside_[domain] == 0) {
        inside_[domain] = 1;
        result.domains.push_back(number);
      }
    }
    for (const std::int32_t domain : result.domains) add_ranks(domain, result.side);
    for (const std::uint32_t port : cut.ports) {
      ports_inside_[domain_of(port)] = 0;
      inside_[domain_of(port)] = 0;
    }
    return result;
  }

 private:
  std::size_t domain_of(std::uint32_t port) const {
    return static_cast<std::size_t>(spread_.cluster().fabric()->ports()[port].domain);
  }

  void add_ranks(std::int32_t domain, CutSide& side) const {
    const auto members = spread_.members(domain);
    side.ranks += static_cast<double>(members.size());
    side.root = side.root || spread_.root_index(domain) >= 0;
    if (spread_.spec().kind != CollectiveKind::SendRecv) return;
    for (const std::int32_t rank : members) {
      const GpuPlace& next = spread_.place(spread_.next(rank));
      if (inside_[static_cast<std::size_t>(next.domain)] == 0) side.leaving += 1;
    }
  }

  const RankSpread& spread_;
  std::span<const double> port_rate_;
  std::vector<std::size_t> ports_inside_;  // by domain, of the cut at hand
  std::vector<char> inside_;               // by domain, of the cut at hand
};

// Cuts whose labels differ in their number only ("leaf0", "leaf1", ...): groups of ranks, if no
// domain is in two of them.
class CutFamilyGroups {
 public:
  CutFamilyGroups(std::size_t domains, const Together& together)
      : together_(together), taken_(domains, 0) {}

  void add(const std::string& label, const CutOfRanks::Result& cut, double rate_in) {
    std::string name = label.substr(0, label.find_first_of(" 0123456789"));
    if (name != name_) {
      end();
      name_ = std::move(name);
    }
    for (const std::int32_t domain : cut.domains) {
      if (std::exchange(taken_[static_cast<std::size_t>(domain)], 1) != 0) disjoint_ = false;
    }
    groups_.groups += 1;
    groups_.ranks += cut.side.ranks;
    groups_.rate_in += rate_in;
  }

  void end() {
    if (disjoint_ && groups_.groups > 1) together_("all of '" + name_ + "' together", groups_);
    groups_ = {};
    disjoint_ = true;
    std::fill(taken_.begin(), taken_.end(), 0);
  }

 private:
  const Together& together_;
  std::string name_;
  RankGroups groups_;
  bool disjoint_ = true;
  std::vector<char> taken_;  // by domain
};

}  // namespace

std::string domain_name(const Cluster& cluster, int domain) {
  return cluster.domain(domain).servers() > 1
             ? fmt::format("rack{}", domain)
             : fmt::format("server{}", cluster.first_server(domain));
}

void bound_fabric(const RankSpread& spread, std::span<const double> port_rate,
                  TightestCut& tightest, const Together& together) {
  bound_domains(spread, port_rate, tightest, together);
  CutOfRanks cut_of_ranks(spread, port_rate);
  CutFamilyGroups family(static_cast<std::size_t>(spread.cluster().domain_count()), together);
  for (const FabricCut& cut : spread.cluster().fabric()->cuts()) {
    const CutOfRanks::Result inside = cut_of_ranks.of(cut);
    if (inside.side.ranks == 0) continue;
    const double out = static_cast<double>(cut.out.bits_per_second) + inside.ports_across;
    const double in = static_cast<double>(cut.in.bits_per_second) + inside.ports_across;
    family.add(cut.label, inside, in);
    if (inside.side.ranks < spread.spec().ranks) {
      const auto label = [&] { return "the servers of " + cut.label; };
      consider(spread, label, inside.side, out, in, tightest);
    }
  }
  family.end();
}

}  // namespace ringspan

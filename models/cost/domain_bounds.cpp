#include "models/cost/domain_bounds.h"

#include <algorithm>

#include "models/cost/cut_needs.h"
#include "models/cost/fabric_cuts.h"

namespace ringspan {

namespace {

class CutWalk {
 public:
  CutWalk(const Topology& topology, const DomainRanks& ranks, const CollectiveSpec& spec,
          std::string_view prefix)
      : topology_(topology),
        ranks_(ranks),
        spec_(spec),
        prefix_(prefix),
        all_here_(ranks.port_rate.empty()),
        direct_only_(all_here_ && joined_directly(topology, ranks.gpus)),
        nvlink_only_(direct_only_ || (all_here_ && joined_by_nvlink(topology, ranks.gpus))),
        always_staged_(topology.peer_reach() == PeerReach::Off && no_nvlink()),
        rank_(topology.devices().size(), -1),
        inside_(topology.devices().size(), 0) {
    for (std::size_t i = 0; i < ranks.gpus.size(); ++i) {
      rank_[ranks.gpus[i].index()] = static_cast<std::int32_t>(i);
    }
  }

  DomainBounds run() {
    for (const CutFamily& family : fabric_cuts(topology_, ranks_.gpus)) walk(family);
    return std::move(bounds_);
  }

 private:
  using Indices = std::vector<std::int32_t>;  // into DomainRanks::gpus
  struct Rate {
    double out = 0;  // bits/s
    double in = 0;
  };

  void walk(const CutFamily& family) {
    std::size_t seen = 0;
    GroupsTogether together{family.together, 0, 0};
    const bool each = family.below_memory && always_staged_;
    for (const Cut& cut : family.cuts) {
      mark(cut, 1);
      const Indices inside = ranks_of(cut);
      const bool all = all_here_ && inside.size() == ranks_.gpus.size();
      if (!inside.empty() && (each || !all)) {
        const Rate rate = rate_of(cut);
        const CutNeeds needs = each ? needs_of_each(inside) : cut_needs(spec_, side(inside));
        const auto label = [&] { return prefix_ + cut.label; };
        bounds_.tightest.consider(label, "send", needs.out, rate.out);
        bounds_.tightest.consider(label, "receive", needs.in, rate.in);
        seen += inside.size();
        together.groups += each ? static_cast<double>(inside.size()) : 1;
        together.rate_in += rate.in;
      }
      mark(cut, 0);
    }
    if (!family.together.empty() && seen == ranks_.gpus.size()) {
      bounds_.together.push_back(std::move(together));
    }
  }

  void mark(const Cut& cut, char inside) {
    for (const NodeId id : cut.devices) inside_[id.index()] = inside;
  }

  bool no_nvlink() const {
    const auto links = topology_.links();
    return std::none_of(links.begin(), links.end(),
                        [&](const Link& link) { return is_nvlink_fabric(topology_, link); });
  }

  Indices ranks_of(const Cut& cut) const {
    Indices ranks;
    for (const NodeId id : cut.devices) {
      if (rank_[id.index()] >= 0) ranks.push_back(rank_[id.index()]);
    }
    return ranks;
  }

  Rate rate_of(const Cut& cut) const {
    Rate rate;
    for (const NodeId id : cut.devices) {
      if (!all_here_) {
        rate.out += ranks_.port_rate[id.index()];
        rate.in += ranks_.port_rate[id.index()];
      }
      for (const LinkId link_id : topology_.out_links(id)) {
        const Link& link = topology_.link(link_id);
        if (inside_[link.to.index()] || !counts(link)) continue;
        rate.out += static_cast<double>(link.nominal.bits_per_second);
        rate.in += static_cast<double>(topology_.link(link.reverse).nominal.bits_per_second);
      }
    }
    return rate;
  }

  bool counts(const Link& link) const {
    if (nvlink_only_ && !is_nvlink_fabric(topology_, link)) return false;
    return !direct_only_ || (rank_[link.from.index()] >= 0 && rank_[link.to.index()] >= 0);
  }

  CutSide side(const Indices& inside) const {
    CutSide side{static_cast<double>(inside.size()), false, 0};
    for (const std::int32_t index : inside) {
      const std::int32_t next = ranks_.next[static_cast<std::size_t>(index)];
      side.root = side.root || index == ranks_.root;
      if (next < 0 || !inside_[ranks_.gpus[static_cast<std::size_t>(next)].index()]) {
        side.leaving += 1;
      }
    }
    return side;
  }

  // Staged in host memory outside the cut, everything a GPU sends or receives crosses it, whoever
  // the peer is: the sum of what each GPU needs alone.
  CutNeeds needs_of_each(const Indices& inside) const {
    CutNeeds sum;
    for (const std::int32_t index : inside) {
      const CutNeeds needs = cut_needs(spec_, {1, index == ranks_.root, 1});
      sum.out += needs.out;
      sum.in += needs.in;
    }
    return sum;
  }

  const Topology& topology_;
  const DomainRanks& ranks_;
  const CollectiveSpec& spec_;
  std::string prefix_;
  bool all_here_;                   // no rank in another domain
  bool direct_only_;                // every two ranks over a link of their own
  bool nvlink_only_;                // NVLink joins all ranks: no other link is used
  bool always_staged_;              // every transfer between GPUs goes through host memory
  std::vector<std::int32_t> rank_;  // by device: index into DomainRanks::gpus, or -1
  std::vector<char> inside_;        // by device, of the cut at hand
  DomainBounds bounds_;
};

}  // namespace

DomainBounds domain_bounds(const Topology& topology, const DomainRanks& ranks,
                           const CollectiveSpec& spec, std::string_view prefix) {
  return CutWalk(topology, ranks, spec, prefix).run();
}

bool reduces_in_switches(const Topology& topology) {
  const auto devices = topology.devices();
  return std::any_of(devices.begin(), devices.end(), [](const Device& device) {
    return device.kind == DeviceKind::NvSwitch && device.multicast;
  });
}

}  // namespace ringspan

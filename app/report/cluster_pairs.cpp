#include "app/report/cluster_pairs.h"

#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "app/report/pair_counts.h"
#include "sim/base/input_error.h"
#include "sim/base/random.h"

namespace ringspan {

namespace {

// A sample of at most so many pairs of NICs, domains that send, and domains that receive from one
// of them.
constexpr std::size_t kNicPairs = 8, kSources = 8, kDestinations = 32;
// Clusters of up to this many domains: all of them send.
constexpr std::size_t kFewDomains = 32;

// `count` of the numbers 0..size-1, ascending: all, or the ends and others drawn at random (a
// regular stride would meet only one kind of place in a regular fabric).
std::vector<std::size_t> draw(std::size_t size, std::size_t count, Random& random) {
  std::vector<std::size_t> drawn;
  if (size <= count) {
    for (std::size_t i = 0; i < size; ++i) drawn.push_back(i);
    return drawn;
  }
  drawn = {0, size - 1};
  while (drawn.size() < count) drawn.push_back(random.below(size));
  std::sort(drawn.begin(), drawn.end());
  drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  return drawn;
}

// GPU pairs that leave and enter their domains alike, by the NICs they use.
struct NicPair {
  PairCounts::Nics from, to;
  std::int32_t from_gpu = 0, to_gpu = 0;  // an example
  std::int64_t gpu_pairs = 0;             // per pair of domains
};

struct LegsGroup {
  PairLegs legs;
  std::vector<NicPair> nic_pairs;
};

class ClassFinder {
 public:
  ClassFinder(const Cluster& cluster, const Transport& transport)
      : cluster_(cluster), legs_(cluster, transport), counts_(cluster) {}

  std::vector<ClusterPairClass> find() {
    const auto kinds = static_cast<std::int32_t>(cluster_.kinds().size());
    for (std::int32_t from = 0; from < kinds; ++from) {
      for (std::int32_t to = 0; to < kinds; ++to) group_pairs(from, to);
    }
    for (const LegsGroup& group : groups_) add_classes(group);
    std::stable_sort(classes_.begin(), classes_.end(),
                     [](const ClusterPairClass& a, const ClusterPairClass& b) {
                       return std::tuple(a.level, !a.legs.same_rail, -a.pairs) <
                              std::tuple(b.level, !b.legs.same_rail, -b.pairs);
                     });
    return std::move(classes_);
  }

 private:
  // Two different domains of these kinds, to ask the transport about.
  std::optional<std::pair<std::int32_t, std::int32_t>> two_domains(std::int32_t from,
                                                                   std::int32_t to) const {
    const auto& senders = counts_.domains_of(from);
    const auto& receivers = counts_.domains_of(to);
    const std::size_t second = from == to ? 1 : 0;
    if (senders.empty() || receivers.size() <= second) return std::nullopt;
    return std::pair(senders.front(), receivers[second]);
  }

  void group_pairs(std::int32_t from_kind, std::int32_t to_kind) {
    const auto domains = two_domains(from_kind, to_kind);
    if (!domains) return;
    const auto gpus = [this](std::int32_t kind) {
      const auto& list = cluster_.kinds()[static_cast<std::size_t>(kind)].gpus;
      return static_cast<std::int32_t>(list.size());
    };
    for (std::int32_t i = 0; i < gpus(from_kind); ++i) {
      for (std::int32_t j = 0; j < gpus(to_kind); ++j) {
        const LegFinder::Found found = legs_.find({domains->first, i}, {domains->second, j});
        add_gpu_pair(found.legs,
                     {{from_kind, found.send_nic}, {to_kind, found.receive_nic}, i, j, 1});
      }
    }
  }

  void add_gpu_pair(const PairLegs& legs, const NicPair& pair) {
    auto group = std::find_if(groups_.begin(), groups_.end(),
                              [&](const LegsGroup& known) { return known.legs == legs; });
    if (group == groups_.end()) group = groups_.insert(groups_.end(), {legs, {}});
    const auto key = std::tuple(group - groups_.begin(), pair.from, pair.to);
    const auto [place, added] = nic_pair_index_.try_emplace(key, group->nic_pairs.size());
    if (added) {
      group->nic_pairs.push_back(pair);
    } else {
      ++group->nic_pairs[place->second].gpu_pairs;
    }
  }

  void add_classes(const LegsGroup& group) {
    std::vector<ClusterPairClass> by_level(counts_.level_count());
    std::vector<std::int64_t> nic_pairs(by_level.size(), 0);
    for (std::size_t level = 0; level < by_level.size(); ++level) {
      by_level[level].legs = group.legs;
      by_level[level].level = level;
    }
    for (const NicPair& pair : group.nic_pairs) {
      const std::vector<std::int64_t> pairs = counts_.pairs(pair.from, pair.to);
      for (std::size_t level = 0; level < by_level.size(); ++level) {
        by_level[level].pairs += pairs[level] * pair.gpu_pairs;
        nic_pairs[level] += pairs[level];
      }
    }
    if (group.legs.impossible.empty()) {
      for (const std::size_t n : draw(group.nic_pairs.size(), kNicPairs, random_)) {
        sample(group.nic_pairs[n], by_level);
      }
    }
    for (std::size_t level = 0; level < by_level.size(); ++level) {
      by_level[level].all_routed = by_level[level].routed == nic_pairs[level];
      if (by_level[level].pairs > 0) classes_.push_back(std::move(by_level[level]));
    }
  }

  void sample(const NicPair& pair, std::vector<ClusterPairClass>& by_level) {
    const auto& senders = counts_.domains_of(pair.from.kind);
    const auto& receivers = counts_.domains_of(pair.to.kind);
    const std::size_t sources = senders.size() <= kFewDomains ? senders.size() : kSources;
    for (const std::size_t s : draw(senders.size(), sources, random_)) {
      std::vector<std::vector<std::int32_t>> near(by_level.size());
      for (const std::int32_t to : receivers) {
        if (to == senders[s]) continue;
        near[counts_.level(senders[s], pair.from.nic, to, pair.to.nic)].push_back(to);
      }
      for (std::size_t level = 0; level < near.size(); ++level) {
        for (const std::size_t d : draw(near[level].size(), kDestinations, random_)) {
          route(pair, senders[s], near[level][d], by_level[level]);
        }
      }
    }
  }

  void route(const NicPair& pair, std::int32_t from, std::int32_t to, ClusterPairClass& into) {
    ++into.routed;
    try {
      cluster_.fabric()->route(
          {cluster_.port(from, pair.from.nic), cluster_.port(to, pair.to.nic), 0}, route_);
    } catch (const InputError& error) {
      if (into.cut_off++ == 0) into.reason = error.what();
      return;
    }
    const bool first = into.routed - into.cut_off == 1;
    if (first) {
      into.from = {from, pair.from_gpu};
      into.to = {to, pair.to_gpu};
    }
    Bandwidth nominal = into.legs.nominal, payload = into.legs.payload;
    for (const FabricUse& use : route_.uses) {
      const double per_byte = 1.0 / static_cast<double>(use.share);
      nominal = std::min(nominal, scaled(nominal_of(use.link), per_byte));
      payload = std::min(payload, scaled(cluster_.fabric()->payload(use.link), per_byte));
    }
    into.nominal.take(nominal, first);
    into.payload.take(payload, first);
    into.switches.take(route_.switches, first);
    into.latency.take(route_.latency + into.legs.latency, first);
  }

  // Fabric::link() makes text; the links of a sample come again and again.
  Bandwidth nominal_of(std::uint32_t link) {
    const auto [known, added] = nominal_.try_emplace(link);
    if (added) known->second = cluster_.fabric()->link(link).nominal;
    return known->second;
  }

  const Cluster& cluster_;
  LegFinder legs_;
  PairCounts counts_;
  Random random_{0};  // the sample is the same in every run
  std::vector<LegsGroup> groups_;
  std::map<std::tuple<std::ptrdiff_t, PairCounts::Nics, PairCounts::Nics>, std::size_t>
      nic_pair_index_;
  std::unordered_map<std::uint32_t, Bandwidth> nominal_;
  std::vector<ClusterPairClass> classes_;
  FabricRoute route_;
};

}  // namespace

std::vector<ClusterPairClass> cluster_pair_classes(const Cluster& cluster,
                                                   const Transport& transport) {
  if (cluster.domain_count() == 1) return {};
  return ClassFinder(cluster, transport).find();
}

}  // namespace ringspan

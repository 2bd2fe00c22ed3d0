#include "models/workloads/stream_loads.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "models/workloads/load_sums.h"
#include "models/workloads/pair_groups.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

constexpr const char* kEvenHashes =
    "flows are many: the ways that hashes choose are taken as even (with F flows on a link the "
    "busiest carries about 1/sqrt(F) more)";

bool is_ring(const Schedule& schedule) {
  return schedule.pacing() == Pacing::Slices && schedule.overlap() == RoundOverlap::Sequential;
}

bool is_pipelined(const Schedule& schedule) {
  return schedule.pacing() == Pacing::Slices && schedule.overlap() == RoundOverlap::Pipelined;
}

// Builds loads step by step; lives only inside StreamLoads::build().
class LoadsBuilder {
 public:
  LoadsBuilder(const PlanInput& input, const PlanOutline& outline, PairCounting counting)
      : paths_(std::make_unique<ClusterPaths>(*input.cluster, *input.profile, input.transport)),
        counting_(counting) {
    loads_.outline = &outline;
    loads_.input = input;
  }

  StreamLoads run() {
    for (const ChannelClass& channel_class : outline().classes) declare(channel_class);
    paths_->finish();
    read_rates();
    loads_.classes.resize(outline().classes.size());
    for (std::size_t c = 0; c < outline().classes.size(); ++c) sum_class(c);
    for (std::size_t c = 0; c < outline().classes.size(); ++c) {
      if (is_ring(*outline().classes[c].schedule)) walk_ring(c);
    }
    collect_links();
    collect_ranks();
    loads_.paths = std::move(paths_);
    return std::move(loads_);
  }

 private:
  const PlanOutline& outline() const { return *loads_.outline; }
  int rank_count() const { return loads_.input.spec.ranks; }
  const GpuPlace& place(std::int32_t rank) const {
    return loads_.input.ranks[static_cast<std::size_t>(rank)];
  }

  void places(const std::vector<std::int32_t>& ranks, std::vector<GpuPlace>& out) const {
    out.clear();
    for (const std::int32_t rank : ranks) out.push_back(place(rank));
  }

  void declare(const ChannelClass& channel_class) {
    for (const Round& round : channel_class.schedule->rounds()) {
      if (round.all_pairs > 0) groups_of(channel_class).declare(*paths_);
      for (const PairEdge& edge : round.pairs) {
        paths_->declare({&place(edge.source), 1}, {&place(edge.destination), 1},
                        channel_class.channels);
      }
      for (const SwitchedEdge& edge : round.switched) {
        places(edge.sources, sources_);
        places(edge.destinations, destinations_);
        paths_->declare(sources_, destinations_, channel_class.channels);
      }
    }
  }

  void read_rates() {
    // What is left of the NVLink rate when the switches reduce and multicast.
    const double nvlink_share =
        loads_.input.algorithm->needs_multicast() ? loads_.input.profile->nvls_efficiency : 1;
    const std::vector<Bandwidth> rates = paths_->rates(nvlink_share);
    picoseconds_per_byte_.reserve(rates.size());
    std::vector<std::uint32_t> kinds;
    kinds.reserve(rates.size());
    std::unordered_map<std::int64_t, std::uint32_t> known;
    for (const Bandwidth rate : rates) {
      picoseconds_per_byte_.push_back(1 / to_bytes_per_picosecond(rate));
      if (kinds.empty() || rates_.at(kinds.back()) != rate) {
        const auto [kind, added] = known.emplace(rate.bits_per_second, rates_.size());
        if (added) rates_.push_back(rate);
        kinds.push_back(kind->second);
      } else {
        kinds.push_back(kinds.back());
      }
    }
    for (LoadSums* sums : {&round_, &whole_}) sums->of.resize(rates.size());
    all_rings_.resize(rates.size(), 0);
    links_.emplace(std::move(kinds));
    const auto ranks = static_cast<std::size_t>(rank_count());
    for (LoadSums* sums : {&round_sent_, &whole_sent_}) sums->of.resize(ranks);
    ranks_.emplace(std::vector<std::uint32_t>(ranks, 0));
    blocks_sent_.resize(ranks, 0);
  }

  // Whether all pairs are counted by groups: where hashes tell flows apart, only beyond what can be
  // looked at in about a second.
  bool counts_by_groups() const {
    constexpr int kMostRanks = 1024;
    constexpr int kMostHashedRanks = 4096;
    if (counting_ != PairCounting::Automatic) return counting_ == PairCounting::ByGroups;
    return rank_count() > (takes_one_way() ? kMostHashedRanks : kMostRanks);
  }
  bool takes_one_way() const {
    const Fabric* fabric = loads_.input.cluster->fabric();
    return fabric != nullptr && fabric->choice().spread() == PathChoice::Spread::One;
  }

  PairGroups& groups_of(const ChannelClass& channel_class) {
    if (!groups_) groups_.emplace(loads_.input, channel_class.channels);
    return *groups_;
  }

  // Without the pairs that are counted by groups.
  template <typename Visit>
  void for_each_pair(const Round& round, Visit visit) const {
    if (round.all_pairs == 0 || !counts_by_groups()) {
      round.for_each_pair(rank_count(), visit);
      return;
    }
    for (const PairEdge& edge : round.pairs) visit(edge.source, edge.destination, edge.block_count);
  }

  // Calls visit(path, source, blocks) for every transfer; source: -1 where there are several.
  template <typename Visit>
  void for_each_transfer(const Round& round, const ChannelClass& channel_class, Visit visit) {
    for_each_pair(round, [&](std::int32_t from, std::int32_t to, std::int64_t blocks) {
      paths_->find(place(from), place(to), channel_class.channels, scratch_, path_);
      visit(path_, from, blocks);
    });
    for (const SwitchedEdge& edge : round.switched) {
      places(edge.sources, sources_);
      places(edge.destinations, destinations_);
      paths_->find(sources_, destinations_, channel_class.channels, path_);
      visit(path_, edge.sources.size() == 1 ? edge.sources.front() : -1, edge.block_count);
    }
  }

  void sum_class(std::size_t c) {
    const ChannelClass& channel_class = outline().classes[c];
    const Schedule& schedule = *channel_class.schedule;
    ClassLoads& loads = loads_.classes[c];
    const std::vector<Round> rounds = schedule.rounds();
    const bool ring = is_ring(schedule);
    RINGSPAN_CHECK(!ring || rounds.size() <= 1,
                   "rounds that share connections are one round, repeated");
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      RoundLoads summary = sum_round(rounds[r], channel_class);
      summary.index = r;
      if (!ring) find_kinds(rounds[r], channel_class, summary);
      add_round(ring ? 1 : rounds[r].repeat);
      if (ring) loads.steps = static_cast<double>(rounds[r].repeat);
      loads.most_blocks = std::max(loads.most_blocks, summary.blocks);
      keep_round(std::move(summary), is_pipelined(schedule), loads);
    }
    for (const std::uint32_t rank : whole_sent_.touched) {
      loads.most_sent = std::max(loads.most_sent, whole_sent_.of[rank].load);
    }
    const auto flow = static_cast<std::uint32_t>(c);
    links_->split(flow, whole_.touched, whole_.of);
    ranks_->split(flow, whole_sent_.touched, whole_sent_.of);
    if (ring) {
      for (const std::uint32_t link : whole_.touched) all_rings_[link] += whole_.of[link].load;
    }
    whole_.clear();
    whole_sent_.clear();
  }

  RoundLoads sum_round(const Round& round, const ChannelClass& channel_class) {
    round_.clear();
    round_sent_.clear();
    RoundLoads summary{round.repeat, round.coupled, true, 0, 0, 0, {}};
    const auto count = static_cast<double>(channel_class.count);
    const double staging = 1 / loads_.input.profile->staging_efficiency;
    for_each_transfer(round, channel_class,
                      [&](const FabricPath& path, std::int32_t source, std::int64_t blocks) {
                        const double bytes = count * static_cast<double>(blocks);
                        const double load = path.staged ? bytes * staging : bytes;
                        for (const ResourceUse& use : path.uses) {
                          round_.add(use.resource, use.weight * load, use.weight * bytes);
                        }
                        if (round.coupled) take(latency_kind(path), 0, 0, summary.kinds);
                        // Reductions in the switch are not the kernels' copies.
                        if (source >= 0) {
                          round_sent_.add(static_cast<std::uint32_t>(source), bytes, bytes);
                          blocks_sent_[static_cast<std::size_t>(source)] +=
                              round.repeat * blocks * channel_class.count;
                        }
                        summary.equal_blocks = summary.equal_blocks &&
                                               (summary.transfers == 0 || summary.blocks == blocks);
                        summary.blocks = std::max(summary.blocks, blocks);
                        ++summary.transfers;
                      });
    if (round.all_pairs > 0 && counts_by_groups()) sum_all_pairs(round, channel_class, summary);
    for (const SwitchedEdge& edge : round.switched) {
      if (edge.sources.size() == 1) continue;
      for (const std::int32_t from : edge.sources) {
        blocks_sent_[static_cast<std::size_t>(from)] +=
            round.repeat * edge.block_count * channel_class.count;
      }
    }
    return summary;
  }

  void sum_all_pairs(const Round& round, const ChannelClass& channel_class, RoundLoads& summary) {
    const double bytes = static_cast<double>(channel_class.count * round.all_pairs);
    groups_of(channel_class).sum(*paths_, bytes, round_);
    const std::int64_t others = rank_count() - 1;
    for (std::uint32_t rank = 0; rank < blocks_sent_.size(); ++rank) {
      const double sent = bytes * static_cast<double>(others);
      round_sent_.add(rank, sent, sent);
      blocks_sent_[rank] += round.repeat * round.all_pairs * others * channel_class.count;
    }
    summary.equal_blocks =
        summary.equal_blocks && (summary.transfers == 0 || summary.blocks == round.all_pairs);
    summary.blocks = std::max(summary.blocks, round.all_pairs);
    summary.transfers += others * rank_count();
    if (takes_one_way() && loads_.notes.empty()) loads_.notes.emplace_back(kEvenHashes);
  }

  // Of all pairs: those inside a domain one by one, those between domains as one kind, with the
  // slowest link and the longest way of all.
  void find_kinds_of_groups(const ChannelClass& channel_class, RoundLoads& summary) {
    PairGroups& groups = groups_of(channel_class);
    double sent = 0;
    for (const std::uint32_t rank : round_sent_.touched) {
      sent = std::max(sent, round_sent_.of[rank].load);
    }
    groups.for_each_local_pair([&](const GpuPlace& from, const GpuPlace& to) {
      paths_->find(from, to, channel_class.channels, scratch_, path_);
      take(latency_kind(path_), slowness_of(path_, round_), sent, summary.kinds);
    });
    if (groups.longest_between() == Duration{}) return;
    double slowest = 0;
    for (const std::uint32_t link : round_.touched) {
      slowest = std::max(slowest, round_.of[link].load * picoseconds_per_byte_[link]);
    }
    path_.slowest_class = LinkClass::Network;
    path_.latency = groups.longest_between();
    take(latency_kind(path_), slowest, sent, summary.kinds);
  }

  double slowness_of(const FabricPath& path, const LoadSums& sums) const {
    double slowness = 0;
    for (const ResourceUse& use : path.uses) {
      slowness =
          std::max(slowness, sums.of[use.resource].load * picoseconds_per_byte_[use.resource]);
    }
    return slowness;
  }

  // The round's kinds of transfers, now that the loads are known.
  void find_kinds(const Round& round, const ChannelClass& channel_class, RoundLoads& summary) {
    if (round.coupled) {
      slow_all_kinds(summary);
      return;
    }
    for_each_transfer(round, channel_class,
                      [&](const FabricPath& path, std::int32_t source, std::int64_t) {
                        const double sent = source < 0 ? 0 : round_sent_.of[source].load;
                        take(latency_kind(path), slowness_of(path, round_), sent, summary.kinds);
                      });
    if (round.all_pairs > 0 && counts_by_groups()) find_kinds_of_groups(channel_class, summary);
  }

  // The transfers of a coupled round advance at one pace, that of the slowest.
  void slow_all_kinds(RoundLoads& summary) const {
    TransferKind slowest;
    for (const std::uint32_t link : round_.touched) {
      slowest.slowness =
          std::max(slowest.slowness, round_.of[link].load * picoseconds_per_byte_[link]);
    }
    for (const std::uint32_t rank : round_sent_.touched) {
      slowest.sent = std::max(slowest.sent, round_sent_.of[rank].load);
    }
    for (TransferKind& kind : summary.kinds) {
      kind.slowness = slowest.slowness;
      kind.sent = slowest.sent;
    }
  }

  static void take(std::uint32_t latency, double slowness, double sent,
                   std::vector<TransferKind>& kinds) {
    auto kind = std::find_if(kinds.begin(), kinds.end(), [latency](const TransferKind& known) {
      return known.latency == latency;
    });
    if (kind == kinds.end()) kind = kinds.insert(kinds.end(), {latency, 0, 0});
    kind->slowness = std::max(kind->slowness, slowness);
    kind->sent = std::max(kind->sent, sent);
  }

  std::uint32_t latency_kind(const FabricPath& path) {
    const LatencyKind kind{path.slowest_class, path.latency};
    if (last_latency_ < loads_.latencies.size() && loads_.latencies[last_latency_] == kind) {
      return last_latency_;
    }
    const auto found = std::find(loads_.latencies.begin(), loads_.latencies.end(), kind);
    last_latency_ = static_cast<std::uint32_t>(found - loads_.latencies.begin());
    if (found == loads_.latencies.end()) loads_.latencies.push_back(kind);
    return last_latency_;
  }

  void add_round(std::int64_t repeat) {
    const auto times = static_cast<double>(repeat);
    for (const std::uint32_t link : round_.touched) {
      whole_.add(link, times * round_.of[link].load, times * round_.of[link].bytes);
    }
    for (const std::uint32_t rank : round_sent_.touched) {
      const double sent = times * round_sent_.of[rank].load;
      whole_sent_.add(rank, sent, sent);
    }
  }

  // Where rounds overlap, their order does not count: alike ones are one, repeated.
  static void keep_round(RoundLoads summary, bool pipelined, ClassLoads& loads) {
    const auto alike =
        std::find_if(loads.rounds.begin(), loads.rounds.end(), [&](const RoundLoads& known) {
          return pipelined && known.kinds == summary.kinds && known.blocks == summary.blocks &&
                 known.coupled == summary.coupled;
        });
    if (alike == loads.rounds.end()) {
      loads.rounds.push_back(std::move(summary));
    } else {
      alike->repeat += summary.repeat;
      alike->transfers += summary.transfers;
    }
  }

  // What every edge of a ring is, in the order in which data walks along them.
  void walk_ring(std::size_t c) {
    const ChannelClass& channel_class = outline().classes[c];
    ClassLoads& loads = loads_.classes[c];
    std::map<std::pair<std::uint32_t, double>, std::uint32_t> known;
    std::vector<std::uint32_t> kinds;
    for (const Round& round : channel_class.schedule->rounds()) {
      RINGSPAN_CHECK(round.switched.empty(), "a ring joins two ranks at a time");
      for_each_transfer(
          round, channel_class, [&](const FabricPath& path, std::int32_t, std::int64_t) {
            double slowness = 0;
            for (const ResourceUse& use : path.uses) {
              slowness = std::max(slowness,
                                  all_rings_[use.resource] * picoseconds_per_byte_[use.resource]);
            }
            const std::uint32_t latency = latency_kind(path);
            const auto [kind, added] =
                known.emplace(std::pair{latency, slowness}, loads.edge_kinds.size());
            if (added) loads.edge_kinds.push_back({latency, slowness, 0});
            kinds.push_back(kind->second);
          });
      loads.walk = in_walking_order(round, kinds);
    }
  }

  // `kinds` of the round's pairs, from the first pair on along the ring.
  std::vector<std::uint32_t> in_walking_order(const Round& round,
                                              const std::vector<std::uint32_t>& kinds) const {
    std::vector<std::size_t> leaving(static_cast<std::size_t>(rank_count()), kinds.size());
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      leaving[static_cast<std::size_t>(round.pairs[i].source)] = i;
    }
    std::vector<std::uint32_t> walk;
    walk.reserve(kinds.size());
    std::size_t at = 0;
    do {
      walk.push_back(kinds[at]);
      at = leaving[static_cast<std::size_t>(round.pairs[at].destination)];
      RINGSPAN_CHECK(at < kinds.size(), "a ring goes on from every rank");
    } while (at != 0 && walk.size() < kinds.size());
    return walk;
  }

  void collect_links() {
    for (const LoadPartition::Alike& alike : links_->finish()) {
      const auto link = static_cast<std::uint32_t>(loads_.links.size());
      loads_.links.push_back({alike.first, alike.count, rates_[alike.kind]});
      for (const LoadPartition::Row& row : alike.rows) {
        loads_.classes[row.flow].rows.push_back({link, row.load});
      }
    }
    loads_.links_of = links_->take_classes();
  }

  void collect_ranks() {
    for (LoadPartition::Alike& alike : ranks_->finish()) {
      loads_.ranks.push_back(
          {static_cast<std::int32_t>(alike.first), alike.count, std::move(alike.rows)});
    }
    loads_.ranks_of = ranks_->take_classes();
    for (const std::int64_t sent : blocks_sent_) {
      loads_.most_blocks_sent = std::max(loads_.most_blocks_sent, sent);
    }
  }

  StreamLoads loads_;
  std::unique_ptr<ClusterPaths> paths_;
  std::vector<Bandwidth> rates_;              // by kind of link
  std::vector<double> picoseconds_per_byte_;  // by resource
  LoadSums round_, whole_;                    // by resource
  LoadSums round_sent_, whole_sent_;          // by rank
  std::vector<double> all_rings_;             // by resource: load of all rings together
  std::vector<std::int64_t> blocks_sent_;     // by rank
  PairCounting counting_;
  std::optional<PairGroups> groups_;  // of Messages: one channel class
  std::optional<LoadPartition> links_, ranks_;
  std::uint32_t last_latency_ = 0;
  std::vector<GpuPlace> sources_, destinations_;  // scratch
  PathScratch scratch_;
  FabricPath path_;
};

}  // namespace

StreamLoads StreamLoads::build(const PlanInput& input, const PlanOutline& outline,
                               PairCounting counting) {
  return LoadsBuilder(input, outline, counting).run();
}

std::int64_t stream_memory_bytes(const PlanInput& input) {
  // Per resource: rate, three sums, class; per rank: orders, places, a ring's edges.
  constexpr std::int64_t kBytesPerResource = 100;
  constexpr std::int64_t kBytesPerRank = 200;
  constexpr std::int64_t kBytesPerRankAndChannel = 64;
  constexpr std::int64_t kResourcesPerRank = 12;
  const std::int64_t n = input.spec.ranks;
  const std::int64_t resources = input.cluster->gpu_count() * kResourcesPerRank;
  return resources * kBytesPerResource +
         n * (kBytesPerRank + input.channels * kBytesPerRankAndChannel);
}

}  // namespace ringspan

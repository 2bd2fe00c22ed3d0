#include "models/workloads/part_loads.h"

#include <algorithm>
#include <map>
#include <utility>

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

}  // namespace

PartLoads::PartLoads(const LoadPart& part, PairCounting counting, LinkSums& sums)
    : sums_(sums), counting_(counting) {
  loads_.outline = part.outline;
  loads_.input = part.input;
}

void PartLoads::declare() {
  for (const ChannelClass& channel_class : outline().classes) declare(channel_class);
}

StreamLoads PartLoads::sum() {
  const auto ranks = static_cast<std::size_t>(rank_count());
  for (LoadSums* sums : {&round_sent_, &whole_sent_}) sums->of.resize(ranks);
  ranks_.emplace(std::vector<std::uint32_t>(ranks, 0));
  blocks_sent_.resize(ranks, 0);
  loads_.classes.resize(outline().classes.size());
  for (std::size_t c = 0; c < outline().classes.size(); ++c) sum_class(c);
  if (is_ring(*outline().classes.front().schedule)) walk_rings();
  collect_ranks();
  return std::move(loads_);
}

void PartLoads::places(const std::vector<std::int32_t>& ranks, std::vector<GpuPlace>& out) const {
  out.clear();
  for (const std::int32_t rank : ranks) out.push_back(place(rank));
}

void PartLoads::declare(const ChannelClass& channel_class) {
  for (const Round& round : channel_class.schedule->rounds()) {
    if (round.all_pairs > 0) groups_of(channel_class).declare(*sums_.paths);
    for (const PairEdge& edge : round.pairs) {
      sums_.paths->declare({&place(edge.source), 1}, {&place(edge.destination), 1},
                           channel_class.channels);
    }
    for (const SwitchedEdge& edge : round.switched) {
      places(edge.sources, sources_);
      places(edge.destinations, destinations_);
      sums_.paths->declare(sources_, destinations_, channel_class.channels);
    }
  }
}

// Whether all pairs are counted by groups: where hashes tell flows apart, only beyond what can be
// looked at in about a second.
bool PartLoads::counts_by_groups() const {
  constexpr int kMostRanks = 1024;
  constexpr int kMostHashedRanks = 4096;
  if (counting_ != PairCounting::Automatic) return counting_ == PairCounting::ByGroups;
  return rank_count() > (takes_one_way() ? kMostHashedRanks : kMostRanks);
}

PairGroups& PartLoads::groups_of(const ChannelClass& channel_class) {
  if (!groups_) groups_.emplace(loads_.input, channel_class.channels);
  return *groups_;
}

void PartLoads::sum_class(std::size_t c) {
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
  sums_.links->split(sums_.flows++, sums_.whole.touched, sums_.whole.of);
  ranks_->split(static_cast<std::uint32_t>(c), whole_sent_.touched, whole_sent_.of);
  if (ring) {
    for (const std::uint32_t link : sums_.whole.touched)
      sums_.all_rings[link] += sums_.whole.of[link].load;
  }
  sums_.whole.clear();
  whole_sent_.clear();
}

RoundLoads PartLoads::sum_round(const Round& round, const ChannelClass& channel_class) {
  sums_.round.clear();
  round_sent_.clear();
  RoundLoads summary{round.repeat, round.coupled, true, 0, 0, 0, {}};
  const auto count = static_cast<double>(channel_class.count);
  const double staging = 1 / loads_.input.profile->staging_efficiency;
  for_each_transfer(
      round, channel_class, [&](const FabricPath& path, std::int32_t source, std::int64_t blocks) {
        const double bytes = count * static_cast<double>(blocks);
        const double load = path.staged ? bytes * staging : bytes;
        for (const ResourceUse& use : path.uses) {
          sums_.round.add(use.resource, use.weight * load * multicast_load(use.resource),
                          use.weight * bytes);
        }
        if (round.coupled) take(latency_kind(path), 0, 0, summary.kinds);
        // Reductions in the switch are not the kernels' copies.
        if (source >= 0) {
          round_sent_.add(static_cast<std::uint32_t>(source), bytes, bytes);
          blocks_sent_[static_cast<std::size_t>(source)] +=
              round.repeat * blocks * channel_class.count;
        }
        summary.equal_blocks =
            summary.equal_blocks && (summary.transfers == 0 || summary.blocks == blocks);
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

void PartLoads::sum_all_pairs(const Round& round, const ChannelClass& channel_class,
                              RoundLoads& summary) {
  const double bytes = static_cast<double>(channel_class.count * round.all_pairs);
  groups_of(channel_class).sum(*sums_.paths, bytes, sums_.round);
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
void PartLoads::find_kinds_of_groups(const ChannelClass& channel_class, RoundLoads& summary) {
  PairGroups& groups = groups_of(channel_class);
  double sent = 0;
  for (const std::uint32_t rank : round_sent_.touched) {
    sent = std::max(sent, round_sent_.of[rank].load);
  }
  groups.for_each_local_pair([&](const GpuPlace& from, const GpuPlace& to) {
    sums_.paths->find(from, to, channel_class.channels, scratch_, path_);
    take(latency_kind(path_), slowness_of(path_, sums_.round), sent, summary.kinds);
  });
  if (groups.longest_between() == Duration{}) return;
  double slowest = 0;
  for (const std::uint32_t link : sums_.round.touched) {
    slowest = std::max(slowest, sums_.round.of[link].load * sums_.picoseconds_per_byte[link]);
  }
  path_.slowest_class = LinkClass::Network;
  path_.latency = groups.longest_between();
  take(latency_kind(path_), slowest, sent, summary.kinds);
}

double PartLoads::slowness_of(const FabricPath& path, const LoadSums& sums) const {
  double slowness = 0;
  for (const ResourceUse& use : path.uses) {
    slowness =
        std::max(slowness, sums.of[use.resource].load * sums_.picoseconds_per_byte[use.resource]);
  }
  return slowness;
}

// The round's kinds of transfers, now that the loads are known.
void PartLoads::find_kinds(const Round& round, const ChannelClass& channel_class,
                           RoundLoads& summary) {
  if (round.coupled) {
    slow_all_kinds(summary);
    return;
  }
  for_each_transfer(round, channel_class,
                    [&](const FabricPath& path, std::int32_t source, std::int64_t) {
                      const double sent = source < 0 ? 0 : round_sent_.of[source].load;
                      take(latency_kind(path), slowness_of(path, sums_.round), sent, summary.kinds);
                    });
  if (round.all_pairs > 0 && counts_by_groups()) find_kinds_of_groups(channel_class, summary);
}

// The transfers of a coupled round advance at one pace, that of the slowest.
void PartLoads::slow_all_kinds(RoundLoads& summary) const {
  TransferKind slowest;
  for (const std::uint32_t link : sums_.round.touched) {
    slowest.slowness =
        std::max(slowest.slowness, sums_.round.of[link].load * sums_.picoseconds_per_byte[link]);
  }
  for (const std::uint32_t rank : round_sent_.touched) {
    slowest.sent = std::max(slowest.sent, round_sent_.of[rank].load);
  }
  for (TransferKind& kind : summary.kinds) {
    kind.slowness = slowest.slowness;
    kind.sent = slowest.sent;
  }
}

void PartLoads::take(std::uint32_t latency, double slowness, double sent,
                     std::vector<TransferKind>& kinds) {
  auto kind = std::find_if(kinds.begin(), kinds.end(), [latency](const TransferKind& known) {
    return known.latency == latency;
  });
  if (kind == kinds.end()) kind = kinds.insert(kinds.end(), {latency, 0, 0});
  kind->slowness = std::max(kind->slowness, slowness);
  kind->sent = std::max(kind->sent, sent);
}

std::uint32_t PartLoads::latency_kind(const FabricPath& path) {
  const LatencyKind kind{path.slowest_class, path.latency};
  if (last_latency_ < loads_.latencies.size() && loads_.latencies[last_latency_] == kind) {
    return last_latency_;
  }
  const auto found = std::find(loads_.latencies.begin(), loads_.latencies.end(), kind);
  last_latency_ = static_cast<std::uint32_t>(found - loads_.latencies.begin());
  if (found == loads_.latencies.end()) loads_.latencies.push_back(kind);
  return last_latency_;
}

void PartLoads::add_round(std::int64_t repeat) {
  const auto times = static_cast<double>(repeat);
  for (const std::uint32_t link : sums_.round.touched) {
    sums_.whole.add(link, times * sums_.round.of[link].load, times * sums_.round.of[link].bytes);
  }
  for (const std::uint32_t rank : round_sent_.touched) {
    const double sent = times * round_sent_.of[rank].load;
    whole_sent_.add(rank, sent, sent);
  }
}

// Where rounds overlap, their order does not count: alike ones are one, repeated.
void PartLoads::keep_round(RoundLoads summary, bool pipelined, ClassLoads& loads) {
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

void PartLoads::walk_rings() {
  for (std::size_t c = 0; c < loads_.classes.size(); ++c) walk_ring(c);
  std::fill(sums_.all_rings.begin(), sums_.all_rings.end(), 0);
}

// What every edge of a ring is, in the order in which data walks along them.
void PartLoads::walk_ring(std::size_t c) {
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
            slowness = std::max(
                slowness, sums_.all_rings[use.resource] * sums_.picoseconds_per_byte[use.resource]);
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
std::vector<std::uint32_t> PartLoads::in_walking_order(
    const Round& round, const std::vector<std::uint32_t>& kinds) const {
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

void PartLoads::collect_ranks() {
  for (LoadPartition::Alike& alike : ranks_->finish()) {
    loads_.ranks.push_back(
        {static_cast<std::int32_t>(alike.first), alike.count, std::move(alike.rows)});
  }
  loads_.ranks_of = ranks_->take_classes();
  for (const std::int64_t sent : blocks_sent_) {
    loads_.most_blocks_sent = std::max(loads_.most_blocks_sent, sent);
  }
}

}  // namespace ringspan

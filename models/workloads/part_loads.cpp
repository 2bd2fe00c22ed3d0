#include "models/workloads/part_loads.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "models/workloads/ring_walk.h"
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

void count_transfers(std::int64_t transfers, std::int64_t blocks, RoundLoads& summary) {
  summary.equal_blocks =
      summary.equal_blocks && (summary.transfers == 0 || summary.blocks == blocks);
  summary.blocks = std::max(summary.blocks, blocks);
  summary.transfers += transfers;
}

}  // namespace

PartLoads::PartLoads(const LoadPart& part, PairCounting counting, LinkSums& sums)
    : sums_(sums),
      stop_(part.input.stop),
      counting_(counting),
      switched_nodes_(part.input.ranks, *part.input.cluster) {
  loads_.outline = part.outline;
  loads_.input = part.input;
}

void PartLoads::declare() {
  for (const ChannelClass& channel_class : outline().classes) declare(channel_class);
}

StreamLoads PartLoads::sum() {
  const auto ranks = static_cast<std::size_t>(rank_count());
  round_sent_ = whole_sent_ = LoadSums(ranks);
  ranks_.emplace(std::vector<std::uint32_t>(ranks, 0));
  blocks_sent_.resize(ranks, 0);
  first_flow_ = sums_.flows;
  loads_.classes.resize(outline().classes.size());
  for (std::size_t c = 0; c < outline().classes.size(); ++c) sum_class(c);
  if (is_ring(*outline().classes.front().schedule)) walk_rings();
  collect_ranks();
  loads_.latencies = latencies_.take();
  return std::move(loads_);
}

void PartLoads::places(std::span<const std::int32_t> ranks, std::vector<GpuPlace>& out) const {
  out.clear();
  for (const std::int32_t rank : ranks) out.push_back(place(rank));
}

void PartLoads::declare(const ChannelClass& channel_class) {
  for (const Round& round : channel_class.schedule->rounds()) {
    if (round.all_pairs > 0) groups_of(channel_class).declare(*sums_.paths);
    for (const PairEdge& edge : round.pairs) {
      stop_.step();
      sums_.paths->declare({&place(edge.source), 1}, {&place(edge.destination), 1},
                           channel_class.channels);
    }
    for (const SwitchedEdge& edge : round.switched) {
      stop_.step();
      places(edge.sources, sources_);
      places(edge.destinations, destinations_);
      sums_.paths->declare(sources_, destinations_, channel_class.channels);
    }
    for (const SwitchedNode& node : round.nodes) {
      stop_.step();
      switched_nodes_.declare(node, *sums_.paths);
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
    stop_.ask();
    RoundLoads summary = sum_round(rounds[r], channel_class);
    summary.index = r;
    if (!ring && !rounds[r].coupled) find_kinds(rounds[r], channel_class, summary);
    const TransferKind slowest = end_round(ring ? 1 : rounds[r].repeat);
    if (!ring && rounds[r].coupled) slow_all_kinds(slowest, summary.kinds);
    if (ring) loads.steps = static_cast<double>(rounds[r].repeat);
    loads.most_blocks = std::max(loads.most_blocks, summary.blocks);
    keep_round(std::move(summary), is_pipelined(schedule), loads);
  }
  end_class(c, ring);
}

// In ascending order, since the sums do not fit in caches.
void PartLoads::end_class(std::size_t c, bool ring) {
  sums_.whole.sort();
  whole_sent_.sort();
  sums_.links->split(sums_.flows++, sums_.whole.touched(), sums_.whole);
  ranks_->split(static_cast<std::uint32_t>(c), whole_sent_.touched(), whole_sent_);
  if (ring) sums_.all_rings.resize(sums_.paths->resource_count(), 0);
  sums_.whole.take([&](std::uint32_t link, const LinkLoad& sum) {
    if (ring) sums_.all_rings[link] += sum.load;
  });
  double& most_sent = loads_.classes[c].most_sent;
  whole_sent_.take([&](std::uint32_t /*rank*/, const LinkLoad& sum) {
    most_sent = std::max(most_sent, sum.load);
  });
}

RoundLoads PartLoads::sum_round(const Round& round, const ChannelClass& channel_class) {
  RoundLoads summary{round.repeat, round.coupled, true, 0, 0, 0, {}};
  const auto count = static_cast<double>(channel_class.count);
  const double staging = loads_.input.profile->staging_efficiency;
  for_each_transfer(
      round, channel_class, [&](const FabricPath& path, std::int32_t source, std::int64_t blocks) {
        const double bytes = count * static_cast<double>(blocks);
        for (const ResourceUse& use : path.uses) {
          sums_.round.add(use.resource, use.load(staging) * bytes * multicast_load(use.resource),
                          use.weight * bytes);
        }
        if (round.coupled) take({latencies_.number_of(path), 0, 0}, summary.kinds);
        // Reductions in the switch are not the kernels' copies.
        if (source >= 0) {
          round_sent_.add(static_cast<std::uint32_t>(source), bytes, bytes);
          blocks_sent_[static_cast<std::size_t>(source)] +=
              round.repeat * blocks * channel_class.count;
        }
        count_transfers(1, blocks, summary);
      });
  if (round.all_pairs > 0 && counts_by_groups()) sum_all_pairs(round, channel_class, summary);
  for (const SwitchedEdge& edge : round.switched) {
    if (edge.sources.size() == 1) continue;
    for (const std::int32_t from : edge.sources) {
      blocks_sent_[static_cast<std::size_t>(from)] +=
          round.repeat * edge.block_count * channel_class.count;
    }
  }
  for (const SwitchedNode& node : round.nodes) {
    stop_.step();
    sum_node(node, round, channel_class, summary);
  }
  return summary;
}

void PartLoads::sum_node(const SwitchedNode& node, const Round& round,
                         const ChannelClass& channel_class, RoundLoads& summary) {
  RINGSPAN_CHECK(round.coupled && node.ranks.size() > 1, "switches join ranks at one pace");
  const SwitchedNodes::Pattern& pattern = switched_nodes_.pattern(node, *sums_.paths);
  const std::uint32_t first = switched_nodes_.first_resource(node, *sums_.paths);
  const std::int64_t blocks = channel_class.count * node.block_count;
  const auto bytes = static_cast<double>(blocks);
  for (const auto& use : pattern.uses) {
    const std::uint32_t resource = first + use.resource;
    sums_.round.add(resource, use.bytes * bytes * multicast_load(resource), use.bytes * bytes);
  }
  for (const LatencyKind& latency : pattern.latencies) {
    take({latencies_.number_of(latency), 0, 0}, summary.kinds);
  }
  const std::int64_t sent = round.repeat * blocks;
  if (node.reduces) {  // not the kernels' copies
    for (const std::int32_t rank : node.ranks) {
      blocks_sent_[static_cast<std::size_t>(rank)] += sent * node.heads;
    }
  } else {
    for (std::int32_t head = 0; head < node.heads; ++head) {
      const auto rank = static_cast<std::uint32_t>(node.ranks[static_cast<std::size_t>(head)]);
      round_sent_.add(rank, bytes, bytes);
      blocks_sent_[rank] += sent;
    }
  }
  count_transfers(node.heads, node.block_count, summary);
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
  count_transfers(others * rank_count(), round.all_pairs, summary);
  if (takes_one_way() && loads_.notes.empty()) loads_.notes.emplace_back(kEvenHashes);
}

// Of all pairs: those inside a domain one by one, those between domains as one kind, with the
// slowest link and the longest way of all.
void PartLoads::find_kinds_of_groups(const ChannelClass& channel_class, RoundLoads& summary) {
  PairGroups& groups = groups_of(channel_class);
  double sent = 0;
  for (const std::uint32_t rank : round_sent_.touched()) {
    sent = std::max(sent, round_sent_.load(rank));
  }
  groups.for_each_local_pair([&](const GpuPlace& from, const GpuPlace& to) {
    sums_.paths->find(from, to, channel_class.channels, scratch_, path_);
    take({latencies_.number_of(path_), slowness_of(path_), sent}, summary.kinds);
  });
  if (groups.longest_between() == Duration{}) return;
  double slowest = 0;
  for (const std::uint32_t link : sums_.round.touched()) {
    slowest = std::max(slowest, sums_.slowness(link, sums_.round.load(link)));
  }
  const LatencyKind longest{LinkClass::Network, groups.longest_between()};
  take({latencies_.number_of(longest), slowest, sent}, summary.kinds);
}

// Under the loads of the round.
double PartLoads::slowness_of(const FabricPath& path) const {
  double slowest = 0;
  for (const ResourceUse& use : path.uses) {
    slowest = std::max(slowest, sums_.slowness(use.resource, sums_.round.load(use.resource)));
  }
  return slowest;
}

// Of a round whose transfers end by themselves: its kinds, now that the loads are known.
void PartLoads::find_kinds(const Round& round, const ChannelClass& channel_class,
                           RoundLoads& summary) {
  for_each_transfer(
      round, channel_class, [&](const FabricPath& path, std::int32_t source, std::int64_t) {
        const double sent = source < 0 ? 0 : round_sent_.load(static_cast<std::size_t>(source));
        take({latencies_.number_of(path), slowness_of(path), sent}, summary.kinds);
      });
  if (round.all_pairs > 0 && counts_by_groups()) find_kinds_of_groups(channel_class, summary);
}

// Adds the round to the whole and empties it, in one pass. Returns what its slowest link and its
// busiest rank make of its transfers.
TransferKind PartLoads::end_round(std::int64_t repeat) {
  const auto times = static_cast<double>(repeat);
  TransferKind slowest;
  sums_.round.take([&](std::uint32_t link, const LinkLoad& sum) {
    slowest.slowness = std::max(slowest.slowness, sums_.slowness(link, sum.load));
    sums_.whole.add(link, times * sum.load, times * sum.bytes);
  });
  round_sent_.take([&](std::uint32_t rank, const LinkLoad& sum) {
    slowest.sent = std::max(slowest.sent, sum.load);
    whole_sent_.add(rank, times * sum.load, times * sum.load);
  });
  return slowest;
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

// What rings that move in step with this one, itself included, put on a link.
double PartLoads::load_in_step(std::uint32_t resource, std::size_t c) const {
  double load = 0;
  sums_.links->for_each_load(resource, [&](std::uint32_t flow, double of_flow) {
    if (flow < first_flow_) return;  // of another collective
    const ChannelClass& other = outline().classes[flow - first_flow_];
    if (other.in_step_with == outline().classes[c].in_step_with) load += of_flow;
  });
  return load;
}

// What every edge of a ring is, in the order in which data walks along them.
void PartLoads::walk_ring(std::size_t c) {
  const ChannelClass& channel_class = outline().classes[c];
  ClassLoads& loads = loads_.classes[c];
  std::map<std::tuple<std::uint32_t, double, double>, std::uint32_t> known;
  std::vector<std::uint32_t> kinds;
  for (const Round& round : channel_class.schedule->rounds()) {
    for_each_transfer(
        round, channel_class, [&](const FabricPath& path, std::int32_t, std::int64_t) {
          double slowest = 0, own = 0;
          for (const ResourceUse& use : path.uses) {
            const double all = sums_.slowness(use.resource, sums_.all_rings[use.resource]);
            slowest = std::max(slowest, all);
            // A link that could not be slower needs no look at whose load it is.
            if (all <= own) continue;
            own = std::max(own, sums_.slowness(use.resource, load_in_step(use.resource, c)));
          }
          const std::uint32_t latency = latencies_.number_of(path);
          const auto [kind, added] =
              known.emplace(std::tuple{latency, slowest, own}, loads.edge_kinds.size());
          if (added) loads.edge_kinds.push_back({latency, slowest, 0, own});
          kinds.push_back(kind->second);
        });
    for (const std::size_t edge : walking_order(round, rank_count())) {
      loads.walk.push_back(kinds[edge]);
    }
  }
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

#include "models/workloads/stream_phases.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "models/collectives/protocol.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

Duration slowest_latency(const ChannelClass& channel_class, const RoundEdges& edges) {
  Duration slowest{};
  for (const auto& [edge, blocks] : edges) {
    slowest = std::max(slowest, channel_class.edges[edge].path.latency);
  }
  return slowest;
}

// The edges of a ring's round in the order in which data walks along them, from the first one.
RoundEdges in_walking_order(const ChannelClass& channel_class, const RoundEdges& edges) {
  std::map<std::int32_t, std::size_t> leaving;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    leaving[channel_class.edges[edges[i].first].sources.front()] = i;
  }
  RoundEdges walk;
  std::size_t at = 0;
  do {
    walk.push_back(edges[at]);
    at = leaving.at(channel_class.edges[edges[at].first].destinations.front());
  } while (at != 0 && walk.size() < edges.size());
  return walk;
}

class PhaseMaker {
 public:
  PhaseMaker(const CollectivePlan& plan, const SizeCut& cut, const ChannelClass& channel_class)
      : plan_(plan), cut_(cut), class_(channel_class) {}

  PhaseList make() {
    if (class_.schedule->pacing() == Pacing::Messages) {
      messages();
    } else if (class_.schedule->overlap() == RoundOverlap::Sequential) {
      sequential_slices();
    } else {
      pipelined_slices();
    }
    return std::move(list_);
  }

 private:
  double wire(std::int64_t payload) const {
    return static_cast<double>(wire_bytes(plan_.protocol, Bytes{payload}).count);
  }

  void add(const RoundEdges& edges, double steps, std::int64_t chunk, std::int64_t slice,
           Duration latency) {
    if (steps <= 0 || edges.empty()) return;
    list_.phases.push_back({edges, steps, wire(chunk), wire(slice), latency});
  }

  void messages() {
    for (const PlannedRound& round : class_.rounds) {
      add(round.edges, static_cast<double>(round.repeat), cut_.chunk_payload, cut_.slice_payload,
          slowest_latency(class_, round.edges));
    }
  }

  // A ring is one round, repeated. The last step's slices follow one another at once; they are in L
  // after the last one is out.
  void sequential_slices() {
    RINGSPAN_CHECK(class_.rounds.size() <= 1,
                   "rounds that share connections are one round, repeated");
    for (const PlannedRound& round : class_.rounds) {
      const std::int64_t full = (cut_.loops - 1) * round.repeat;
      add(round.edges, static_cast<double>(full), cut_.chunk_payload, cut_.slice_payload,
          step_latency(round.edges, full, cut_.slice_payload));
      add(round.edges, static_cast<double>(round.repeat - 1), cut_.last_chunk, cut_.last_slice,
          step_latency(round.edges, round.repeat - 1, cut_.last_slice));
      add(round.edges, 1, cut_.last_chunk, cut_.last_slice, Duration{});
      list_.tail = slowest_latency(class_, round.edges);
    }
  }

  // What a step costs beyond s / x when a slice walks `steps` edges of the ring, from the worst
  // start: edges differ in latency and in rate, and the walk meets them in turn, so their mean
  // counts, not the slowest of them.
  Duration step_latency(const RoundEdges& edges, std::int64_t steps, std::int64_t slice) const {
    if (steps <= 0) return {};
    // Rings of other orders are under way at the same time and take their part.
    std::vector<double> load(plan_.links.size(), 0);
    for (const ChannelClass& other : plan_.classes) {
      for (const auto& [edge, blocks] : other.rounds.front().edges) {
        for_each_link(other, edge,
                      [&](std::uint32_t link, double weight) { load[link] += weight; });
      }
    }
    std::vector<double> crossing;  // picoseconds, by place in the walk
    double slowest_transmission = 0;
    for (const auto& [edge, blocks] : in_walking_order(class_, edges)) {
      double transmission = 0;
      for_each_link(class_, edge, [&](std::uint32_t link, double) {
        const double share = to_bytes_per_picosecond(plan_.links[link].rate) / load[link];
        transmission = std::max(transmission, wire(slice) / share);
      });
      slowest_transmission = std::max(slowest_transmission, transmission);
      crossing.push_back(transmission +
                         static_cast<double>(class_.edges[edge].path.latency.count()));
    }
    const double mean = longest_walk(crossing, steps) / static_cast<double>(steps);
    return Duration{static_cast<std::int64_t>(std::max(0.0, mean - slowest_transmission))};
  }

  template <typename Visit>
  static void for_each_link(const ChannelClass& channel_class, std::uint32_t edge, Visit visit) {
    const TransferPath& path = channel_class.edges[edge].path;
    for (std::size_t i = 0; i < path.links.size(); ++i) {
      visit(path.links[i], path.weights.empty() ? 1.0 : path.weights[i]);
    }
  }

  // The longest sum of `steps` consecutive crossings around the ring.
  static double longest_walk(const std::vector<double>& crossing, std::int64_t steps) {
    const auto n = static_cast<std::int64_t>(crossing.size());
    const double around = std::accumulate(crossing.begin(), crossing.end(), 0.0);
    double window = 0;
    for (std::int64_t i = 0; i < steps % n; ++i) window += crossing[i];
    double longest = window;
    for (std::int64_t i = 0; i < n; ++i) {
      window += crossing[(i + steps % n) % n] - crossing[i];
      longest = std::max(longest, window);
    }
    return static_cast<double>(steps / n) * around + longest;
  }

  // All slices but the first are behind one another on the busiest link of all rounds together.
  void pipelined_slices() {
    RoundEdges all;
    for (const PlannedRound& round : class_.rounds) {
      add(round.edges, 1, cut_.slice_payload, cut_.slice_payload,
          slowest_latency(class_, round.edges));
      all.insert(all.end(), round.edges.begin(), round.edges.end());
    }
    const double rest = static_cast<double>(cut_.block_payload - cut_.slice_payload) /
                        static_cast<double>(cut_.slice_payload);
    add(all, rest, cut_.slice_payload, cut_.slice_payload, Duration{});
  }

  const CollectivePlan& plan_;
  const SizeCut& cut_;
  const ChannelClass& class_;
  PhaseList list_;
};

}  // namespace

PhaseList stream_phases(const CollectivePlan& plan, const SizeCut& cut,
                        const ChannelClass& channel_class) {
  return PhaseMaker(plan, cut, channel_class).make();
}

Phase steady_phase(const CollectivePlan& plan, const SizeCut& cut,
                   const ChannelClass& channel_class, std::int64_t loops) {
  Phase phase;
  for (const PlannedRound& round : channel_class.rounds) {
    phase.edges.insert(phase.edges.end(), round.edges.begin(), round.edges.end());
  }
  phase.steps = static_cast<double>(loops);
  const auto wire = [&plan](std::int64_t payload) {
    return static_cast<double>(wire_bytes(plan.protocol, Bytes{payload}).count);
  };
  phase.chunk_wire = wire(cut.chunk_payload);
  phase.slice_wire = wire(cut.slice_payload);
  return phase;
}

}  // namespace ringspan

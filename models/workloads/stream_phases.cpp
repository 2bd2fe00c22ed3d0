#include "models/workloads/stream_phases.h"

#include <algorithm>
#include <numeric>

namespace ringspan {

namespace {

// The longest sum of `steps` consecutive crossings around the ring.
double longest_walk(const std::vector<double>& crossing, std::int64_t steps) {
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

}  // namespace

StreamPhases::StreamPhases(const StreamLoads& loads, const SizeCut& cut)
    : loads_(loads),
      cut_(cut),
      cost_(*loads.input.profile, loads.outline->algorithm, cut.protocol) {}

double StreamPhases::kernel_picoseconds(std::size_t c) const {
  const auto limit = cost_.kernel_limit(loads_.outline->classes[c].count, loads_.outline->channels);
  return limit ? 1 / to_bytes_per_picosecond(*limit) : 0;
}

CoupledFlow StreamPhases::flow_of(std::size_t c, const StreamPhase& phase) const {
  const ClassLoads& loads = loads_.classes[c];
  const double chunk = wire(phase.chunk);
  CoupledFlow flow;
  flow.tag = static_cast<FlowTag>(c);
  flow.rows.reserve(loads.rows.size());
  for (const ClassLoads::Row& row : loads.rows) {
    flow.rows.push_back({row.link, row.load.load, row.load.load * chunk});
  }
  const auto most_blocks = static_cast<double>(loads.most_blocks);
  flow.steps = phase.steps;
  flow.slice_bytes = wire(phase.slice) * most_blocks;
  flow.slices_per_step = chunk / wire(phase.slice);
  flow.step_latency = phase.latency;
  const double kernel = kernel_picoseconds(c) * loads.most_sent;
  if (kernel > 0) flow.rate_limit = most_blocks / kernel;
  return flow;
}

// The last step's slices follow one another at once; they are in L after the last one is out.
std::vector<PhaseList> StreamPhases::ring() const {
  std::vector<PhaseList> lists(loads_.classes.size());
  for (std::size_t c = 0; c < lists.size(); ++c) {
    const ClassLoads& loads = loads_.classes[c];
    if (loads.walk.empty()) continue;
    const auto steps = static_cast<std::int64_t>(loads.steps);
    const auto add = [&](std::int64_t count, std::int64_t chunk, std::int64_t slice,
                         Duration each) {
      if (count > 0) {
        lists[c].phases.push_back({static_cast<double>(count), chunk, slice, each});
      }
    };
    const std::int64_t full = (cut_.loops - 1) * steps;
    add(full, cut_.chunk_payload, cut_.slice_payload, walk_latency(c, full, cut_.slice_payload));
    add(steps - 1, cut_.last_chunk, cut_.last_slice, walk_latency(c, steps - 1, cut_.last_slice));
    add(1, cut_.last_chunk, cut_.last_slice, Duration{});
    for (const TransferKind& kind : loads.edge_kinds) {
      lists[c].tail = std::max(lists[c].tail, latency(kind.latency));
    }
  }
  return lists;
}

// What a step costs beyond s / x when a slice walks `steps` edges of the ring, from the worst
// start: edges differ in latency and in rate, and the walk meets them in turn, so their mean
// counts, not the slowest of them. Rings of other orders are under way at the same time and take
// their part.
Duration StreamPhases::walk_latency(std::size_t c, std::int64_t steps, std::int64_t slice) const {
  if (steps <= 0) return {};
  const ClassLoads& loads = loads_.classes[c];
  const double kernel = kernel_picoseconds(c) * loads.most_sent;
  std::vector<double> of_kind;  // picoseconds
  double slowest_transmission = 0;
  for (const TransferKind& kind : loads.edge_kinds) {
    const double transmission = wire(slice) * std::max(kind.slowness, kernel);
    slowest_transmission = std::max(slowest_transmission, transmission);
    of_kind.push_back(transmission + static_cast<double>(latency(kind.latency).count()));
  }
  double mean = of_kind.front();
  if (of_kind.size() > 1) {
    std::vector<double> crossing;
    crossing.reserve(loads.walk.size());
    for (const std::uint32_t kind : loads.walk) crossing.push_back(of_kind[kind]);
    mean = longest_walk(crossing, steps) / static_cast<double>(steps);
  }
  return Duration{static_cast<std::int64_t>(std::max(0.0, mean - slowest_transmission))};
}

// All slices but the first are behind one another on the busiest link of all rounds together.
std::vector<PhaseList> StreamPhases::pipelined() const {
  std::vector<PhaseList> lists(loads_.classes.size());
  const double rest = static_cast<double>(cut_.block_payload - cut_.slice_payload) /
                      static_cast<double>(cut_.slice_payload);
  for (std::size_t c = 0; c < lists.size(); ++c) {
    if (loads_.classes[c].rounds.empty()) continue;
    lists[c].start = fill_time(c);
    if (rest > 0) {
      lists[c].phases.push_back({rest, cut_.slice_payload, cut_.slice_payload, Duration{}});
    }
  }
  return lists;
}

// The first slice crosses round after round.
Duration StreamPhases::fill_time(std::size_t c) const {
  const double kernel = kernel_picoseconds(c);
  double picoseconds = 0;
  for (const RoundLoads& round : loads_.classes[c].rounds) {
    double transmission = 0;
    Duration slowest{};
    for (const TransferKind& kind : round.kinds) {
      transmission = std::max(
          transmission, wire(cut_.slice_payload) * std::max(kind.slowness, kind.sent * kernel));
      slowest = std::max(slowest, latency(kind.latency));
    }
    picoseconds +=
        static_cast<double>(round.repeat) * (transmission + static_cast<double>(slowest.count()));
  }
  return Duration{static_cast<std::int64_t>(picoseconds)};
}

std::vector<PhaseList> StreamPhases::steady(std::int64_t loops) const {
  std::vector<PhaseList> lists(loads_.classes.size());
  for (PhaseList& list : lists) {
    list.phases.push_back(
        {static_cast<double>(loops), cut_.chunk_payload, cut_.slice_payload, Duration{}});
  }
  return lists;
}

std::int64_t stream_head_loops(const PlanOutline& outline, const StreamLoads& loads,
                               const SizeCut& cut) {
  constexpr std::int64_t kMostSlices = 200'000;
  std::int64_t operations = 0;
  std::int64_t rounds = 0;
  for (std::size_t c = 0; c < outline.classes.size(); ++c) {
    operations += outline.classes[c].schedule->operation_count() * cut.slices;
    std::int64_t own = 0;
    for (const RoundLoads& round : loads.classes[c].rounds) own += round.repeat;
    rounds = std::max(rounds, own);
  }
  const std::int64_t loops = std::min(cut.loops, rounds + 2);
  return loops * operations <= kMostSlices ? loops : 0;
}

SizeCut stream_head_cut(const SizeCut& cut, std::int64_t loops) {
  SizeCut head = cut;
  head.loops = std::min(cut.loops, loops);
  head.block_payload -= (cut.loops - head.loops) * cut.chunk_payload;
  return head;
}

}  // namespace ringspan

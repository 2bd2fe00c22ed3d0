#include "models/workloads/stream_phases.h"

#include <algorithm>

#include "models/workloads/ring_pace.h"
#include "sim/base/simulated_time.h"

namespace ringspan {

namespace {

// Rounded down, but for what is the rounding of doubles.
Duration whole(double picoseconds) {
  constexpr double kSlack = 1.0 / 1024;
  return simulated_duration(picoseconds + kSlack);
}

}  // namespace

StreamPhases::StreamPhases(const StreamLoads& loads, const SizeCut& cut)
    : loads_(loads),
      cut_(cut),
      cost_(*loads.input.profile, loads.outline->algorithm, cut.protocol) {}

double StreamPhases::kernel_picoseconds(std::size_t c) const {
  const auto limit =
      cost_.kernel_limit(loads_.outline->classes[c].count, loads_.outline->copying_channels());
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

// The last step's slices follow one another at once; then the last ones are on their way.
std::vector<PhaseList> StreamPhases::ring() const {
  std::vector<PhaseList> lists(loads_.classes.size());
  for (std::size_t c = 0; c < lists.size(); ++c) {
    const ClassLoads& loads = loads_.classes[c];
    if (loads.walk.empty()) continue;
    const auto steps = static_cast<std::int64_t>(loads.steps);
    if (cut_.loops > 1) {
      const std::int64_t count = (cut_.loops - 1) * steps;
      const double each =
          latency_of(c, cut_.chunk_payload, cut_.slice_payload, cut_.slices, count).each;
      lists[c].phases.push_back(
          {static_cast<double>(count), cut_.chunk_payload, cut_.slice_payload, whole(each)});
    }
    const RingLatency last =
        latency_of(c, cut_.last_chunk, cut_.last_slice, cut_.last_slices, steps - 1);
    if (steps > 1) {
      lists[c].phases.push_back(
          {static_cast<double>(steps - 1), cut_.last_chunk, cut_.last_slice, whole(last.each)});
    }
    lists[c].phases.push_back({1, cut_.last_chunk, cut_.last_slice, Duration{}});
    const double copied_last =
        receive_time(cut_.last_chunk, cut_.last_slice, longest_latency(c, cut_.last_slice));
    const double copied = receive_time(cut_.chunk_payload, cut_.slice_payload,
                                       longest_latency(c, cut_.slice_payload));
    lists[c].tail = whole(last.tail + copied_last + static_cast<double>(cut_.loops - 1) * copied);
  }
  return lists;
}

double StreamPhases::longest_latency(std::size_t c, std::int64_t slice) const {
  Duration longest{};
  for (const TransferKind& kind : loads_.classes[c].edge_kinds) {
    longest = std::max(longest, latency(kind.latency, slice));
  }
  return static_cast<double>(longest.count());
}

// A rank copies when all that it sends is out; the last slice is then `longest_latency` away, and
// those before it are there.
double StreamPhases::receive_time(std::int64_t chunk, std::int64_t slice,
                                  double longest_latency) const {
  const auto each = static_cast<double>(cost_.receive_time(slice).count());
  const std::int64_t before = (chunk - 1) / slice;  // full slices before the last one
  const std::int64_t rest = chunk - before * slice;
  const auto last = static_cast<double>(cost_.receive_time(rest).count());
  return std::max(0.0, static_cast<double>(before) * each - longest_latency) + last;
}

StreamPhases::RingLatency StreamPhases::latency_of(std::size_t c, std::int64_t chunk,
                                                   std::int64_t slice, int slots,
                                                   std::int64_t steps) const {
  const ClassLoads& loads = loads_.classes[c];
  const double kernel = kernel_picoseconds(c) * loads.most_sent;
  std::vector<RingPace::Edge> kinds;
  for (const TransferKind& kind : loads.edge_kinds) {
    kinds.push_back({wire(slice) * std::max(kind.own_slowness, kernel),
                     wire(slice) * std::max(kind.slowness, kernel),
                     static_cast<double>(latency(kind.latency, slice).count())});
  }
  const RingPace walk(kinds, loads.walk, {wire(chunk) / wire(slice), slots, cut_.window});
  return {walk.step_latency(steps), walk.tail(steps + 1)};
}

// All slices but the first are behind one another on the busiest link of all rounds together.
std::vector<PhaseList> StreamPhases::pipelined() const {
  std::vector<PhaseList> lists(loads_.classes.size());
  const double rest = static_cast<double>(cut_.block_payload - cut_.slice_payload) /
                      static_cast<double>(cut_.slice_payload);
  for (std::size_t c = 0; c < lists.size(); ++c) {
    if (loads_.classes[c].rounds.empty()) continue;
    const Fill first = fill(c);
    lists[c].start = first.all;
    lists[c].own_start = first.longest;
    if (rest > 0) {
      lists[c].phases.push_back(
          {rest, cut_.slice_payload, cut_.slice_payload, cost_.slice_overhead()});
    }
  }
  return lists;
}

// The first slice crosses round after round.
StreamPhases::Fill StreamPhases::fill(std::size_t c) const {
  const double kernel = kernel_picoseconds(c);
  const auto overhead = static_cast<double>(cost_.slice_overhead().count());
  double picoseconds = 0, longest = 0;
  for (const RoundLoads& round : loads_.classes[c].rounds) {
    double transmission = 0;
    Duration slowest{};
    for (const TransferKind& kind : round.kinds) {
      transmission = std::max(
          transmission, wire(cut_.slice_payload) * std::max(kind.slowness, kind.sent * kernel));
      slowest = std::max(slowest, latency(kind.latency, cut_.slice_payload));
    }
    picoseconds += static_cast<double>(round.repeat) *
                   (transmission + static_cast<double>(slowest.count()) + overhead);
    longest = std::max(longest, transmission + overhead);
  }
  return {simulated_duration(picoseconds), simulated_duration(longest)};
}

std::vector<PhaseList> StreamPhases::steady(std::int64_t loops) const {
  std::vector<PhaseList> lists(loads_.classes.size());
  for (PhaseList& list : lists) {
    list.phases.push_back({static_cast<double>(loops), cut_.chunk_payload, cut_.slice_payload,
                           cost_.slice_overhead()});
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

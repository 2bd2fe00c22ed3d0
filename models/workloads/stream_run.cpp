#include "models/workloads/stream_run.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "models/workloads/chunk_run.h"
#include "models/workloads/protocol_cost.h"
#include "models/workloads/stream_bursts.h"
#include "sim/base/check.h"
#include "sim/network/coupled_network.h"
#include "sim/network/fluid_network.h"

namespace ringspan {

namespace {

// One coupled flow to be: `steps` passes over a class's rows.
struct Phase {
  double steps = 1;
  std::int64_t chunk = 0;  // payload of a block per step
  std::int64_t slice = 0;
  Duration latency{};  // per step
};

// What a channel class does: phases, one after the other, and what passes after the last one.
struct PhaseList {
  Duration start{};
  std::vector<Phase> phases;
  Duration tail{};
};

// A collective with one protocol.
class StreamRun {
 public:
  StreamRun(const StreamLoads& loads, const SizeCut& cut, RunObserver* observer)
      : loads_(loads),
        cut_(cut),
        observer_(observer),
        cost_(*loads.input.profile, loads.outline->algorithm, cut.protocol) {
    for (const StreamLoads::Links& links : loads.links) links_.push_back({links.rate, Duration{}});
  }

  // The phases of all classes; they share the links. `after`: what has passed before, for the
  // observer.
  RunResult run(const std::vector<PhaseList>& lists, const KeepGoing& keep_going,
                Duration after = {});
  // Tells the observer of the first loops, which run slice by slice.
  void report_head(std::int64_t payload, Duration time) const;

  std::vector<PhaseList> ring_phases() const;
  std::vector<PhaseList> pipelined_phases() const;
  // Only what follows the first loops.
  std::vector<PhaseList> steady_phases(std::int64_t loops) const;

 private:
  double wire(std::int64_t payload) const {
    return static_cast<double>(wire_bytes(cut_.protocol, Bytes{payload}).count);
  }
  Duration latency(std::uint32_t kind) const {
    const LatencyKind& latency = loads_.latencies[kind];
    return cost_.step_latency(latency.slowest_class, latency.wire);
  }
  // Picoseconds per wire byte that a rank's kernels take; 0 where they are no limit.
  double kernel_picoseconds(std::size_t c) const {
    const auto limit =
        cost_.kernel_limit(loads_.outline->classes[c].count, loads_.outline->channels);
    return limit ? 1 / to_bytes_per_picosecond(*limit) : 0;
  }
  CoupledFlow flow_of(std::size_t c, const Phase& phase) const;
  Duration walk_latency(std::size_t c, std::int64_t steps, std::int64_t slice) const;
  Duration fill_time(std::size_t c) const;
  void report(std::size_t c, const Phase& phase, Time begin, Time end) const;

  const StreamLoads& loads_;
  const SizeCut& cut_;
  RunObserver* observer_;  // nullptr: nobody asks
  ProtocolCost cost_;
  std::vector<NetworkLink> links_;
};

CoupledFlow StreamRun::flow_of(std::size_t c, const Phase& phase) const {
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

void StreamRun::report(std::size_t c, const Phase& phase, Time begin, Time end) const {
  if (observer_ != nullptr) observer_->phase_done({c, begin, end, phase.steps, wire(phase.chunk)});
}

void StreamRun::report_head(std::int64_t payload, Duration time) const {
  for (std::size_t c = 0; c < loads_.classes.size(); ++c) {
    report(c, {1, payload, payload, {}}, kTimeZero, kTimeZero + time);
  }
}

RunResult StreamRun::run(const std::vector<PhaseList>& lists, const KeepGoing& keep_going,
                         Duration after) {
  CoupledNetwork network(links_);
  std::vector<std::size_t> next(lists.size(), 0);
  std::vector<Time> begun(lists.size(), kTimeZero);
  std::size_t phases = 0, phases_done = 0;
  for (const PhaseList& list : lists) phases += list.phases.size();
  RunResult result;
  const auto start_next = [&](std::size_t c, Time now) {
    if (next[c] == lists[c].phases.size()) {
      result.time = std::max(result.time, now - kTimeZero + lists[c].tail);
      return;
    }
    const Phase& phase = lists[c].phases[next[c]++];
    result.operations += static_cast<std::int64_t>(phase.steps) + 1;
    begun[c] = now;
    network.start(now, flow_of(c, phase));
  };
  const auto end_phase = [&](std::size_t c, Time now) {
    report(c, lists[c].phases[next[c] - 1], begun[c] + after, now + after);
    start_next(c, now);
  };
  std::vector<std::size_t> waiting(lists.size());
  std::iota(waiting.begin(), waiting.end(), 0);
  std::stable_sort(waiting.begin(), waiting.end(),
                   [&](std::size_t a, std::size_t b) { return lists[a].start < lists[b].start; });
  std::vector<FlowTag> ended;
  for (auto first = waiting.begin();;) {
    const Time due = first == waiting.end() ? kNever : kTimeZero + lists[*first].start;
    const Time now = std::min(due, network.next_event());
    if (now == kNever) break;
    if (keep_going && !keep_going(static_cast<double>(phases_done) / static_cast<double>(phases))) {
      result.interrupted = true;
      break;
    }
    ended.clear();
    network.advance(now, ended);
    phases_done += ended.size();
    for (const FlowTag tag : ended) end_phase(tag, now);
    for (; first != waiting.end() && kTimeZero + lists[*first].start == now; ++first) {
      start_next(*first, now);
    }
  }
  result.events = network.events_processed();
  return result;
}

// The last step's slices follow one another at once; they are in L after the last one is out.
std::vector<PhaseList> StreamRun::ring_phases() const {
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

// What a step costs beyond s / x when a slice walks `steps` edges of the ring, from the worst
// start: edges differ in latency and in rate, and the walk meets them in turn, so their mean
// counts, not the slowest of them. Rings of other orders are under way at the same time and take
// their part.
Duration StreamRun::walk_latency(std::size_t c, std::int64_t steps, std::int64_t slice) const {
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
std::vector<PhaseList> StreamRun::pipelined_phases() const {
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
Duration StreamRun::fill_time(std::size_t c) const {
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

std::vector<PhaseList> StreamRun::steady_phases(std::int64_t loops) const {
  std::vector<PhaseList> lists(loads_.classes.size());
  for (PhaseList& list : lists) {
    list.phases.push_back(
        {static_cast<double>(loops), cut_.chunk_payload, cut_.slice_payload, Duration{}});
  }
  return lists;
}

// The head of a pipelined run, event by event: how its rounds overlap while the pipe fills and
// drains has no simple closed form. Every further loop takes what the busiest link needs for it.
RunResult run_with_head(const StreamLoads& loads, const SizeCut& cut, std::int64_t head_loops,
                        const CollectivePlan& plan, const KeepGoing& keep_going,
                        RunObserver* observer) {
  SizeCut head = cut;
  head.loops = std::min(cut.loops, head_loops);
  const std::int64_t rest = cut.loops - head.loops;
  head.block_payload -= rest * cut.chunk_payload;
  FluidNetwork fluid(plan.links);
  RunResult result = run_chunk(plan, head, fluid, keep_going);
  StreamRun stream(loads, cut, observer);
  stream.report_head(head.block_payload, result.time);
  if (rest == 0 || result.interrupted || result.stalled) return result;
  const RunResult steady = stream.run(stream.steady_phases(rest), {}, result.time);
  result.time += steady.time;
  result.operations += steady.operations;
  result.events += steady.events;
  return result;
}

// Enough loops to fill the pipe, or none where running them would cost too much.
std::int64_t head_loops(const PlanOutline& outline, const StreamLoads& loads, const SizeCut& cut) {
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

}  // namespace

RunResult run_stream(const StreamLoads& loads, const SizeCut& cut, const PlanSource& plan,
                     const KeepGoing& keep_going, RunObserver* observer) {
  if (observer != nullptr) observer->phases_begin(loads);
  const Schedule& schedule = *loads.outline->classes.front().schedule;
  if (schedule.pacing() == Pacing::Messages) {
    return run_bursts(loads, cut, keep_going, observer);
  }
  StreamRun stream(loads, cut, observer);
  if (schedule.overlap() == RoundOverlap::Sequential) {
    return stream.run(stream.ring_phases(), keep_going);
  }
  const std::int64_t loops = head_loops(*loads.outline, loads, cut);
  if (loops > 0) return run_with_head(loads, cut, loops, plan(), keep_going, observer);
  return stream.run(stream.pipelined_phases(), keep_going);
}

}  // namespace ringspan

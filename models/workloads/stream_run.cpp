#include "models/workloads/stream_run.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "models/workloads/chunk_run.h"
#include "models/workloads/stream_bursts.h"
#include "models/workloads/stream_phases.h"
#include "sim/network/coupled_network.h"
#include "sim/network/fluid_network.h"

namespace ringspan {

namespace {

// A collective with one protocol.
class StreamRun {
 public:
  StreamRun(const StreamLoads& loads, const SizeCut& cut, RunObserver* observer)
      : loads_(loads), observer_(observer), phases_(loads, cut) {
    for (const StreamLoads::Links& links : loads.links) links_.push_back({links.rate, Duration{}});
  }

  const StreamPhases& phases() const { return phases_; }
  // The phases of all classes; they share the links. `after`: what has passed before, for the
  // observer.
  RunResult run(const std::vector<PhaseList>& lists, const KeepGoing& keep_going,
                Duration after = {});
  // Tells the observer of the first loops, which run slice by slice.
  void report_head(std::int64_t payload, Duration time) const;

 private:
  void report(std::size_t c, const StreamPhase& phase, Time begin, Time end) const;

  const StreamLoads& loads_;
  RunObserver* observer_;  // nullptr: nobody asks
  StreamPhases phases_;
  std::vector<NetworkLink> links_;
};

void StreamRun::report(std::size_t c, const StreamPhase& phase, Time begin, Time end) const {
  if (observer_ != nullptr)
    observer_->phase_done({c, begin, end, phase.steps, phases_.wire(phase.chunk)});
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
      const Duration time = now - kTimeZero + lists[c].tail;
      result.time = std::max(result.time, time);
      result.busy = std::max(result.busy, time - lists[c].start + lists[c].own_start);
      return;
    }
    const StreamPhase& phase = lists[c].phases[next[c]++];
    result.operations += static_cast<std::int64_t>(phase.steps) + 1;
    begun[c] = now;
    network.start(now, phases_.flow_of(c, phase));
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

// The head of a pipelined run, event by event: how its rounds overlap while the pipe fills and
// drains has no simple closed form. Every further loop takes what the busiest link needs for it.
RunResult run_with_head(const StreamLoads& loads, const SizeCut& cut, std::int64_t head_loops,
                        const CollectivePlan& plan, const KeepGoing& keep_going,
                        RunObserver* observer) {
  const SizeCut head = stream_head_cut(cut, head_loops);
  const std::int64_t rest = cut.loops - head.loops;
  FluidNetwork fluid(plan.links);
  RunResult result = run_chunk(plan, head, fluid, keep_going);
  StreamRun stream(loads, cut, observer);
  stream.report_head(head.block_payload, result.time);
  if (rest == 0 || result.interrupted || result.stalled) return result;
  const RunResult steady = stream.run(stream.phases().steady(rest), {}, result.time);
  result.time += steady.time;
  result.busy += steady.time;
  result.operations += steady.operations;
  result.events += steady.events;
  return result;
}

}  // namespace

RunResult run_stream(const StreamLoads& loads, const SizeCut& cut, const PlanSource& plan,
                     const KeepGoing& keep_going, RunObserver* observer) {
  if (observer != nullptr) observer->phases_begin(loads);
  const Schedule& schedule = *loads.outline->classes.front().schedule;
  if (schedule.pacing() == Pacing::Messages) {
    RunResult result = run_bursts(loads, cut, keep_going, observer);
    result.busy = result.time;
    return result;
  }
  StreamRun stream(loads, cut, observer);
  if (schedule.overlap() == RoundOverlap::Sequential) {
    return stream.run(stream.phases().ring(), keep_going);
  }
  const std::int64_t loops = stream_head_loops(*loads.outline, loads, cut);
  if (loops > 0) return run_with_head(loads, cut, loops, plan(), keep_going, observer);
  return stream.run(stream.phases().pipelined(), keep_going);
}

}  // namespace ringspan

#include "models/workloads/stream_run.h"

#include <algorithm>
#include <map>
#include <vector>

#include "models/workloads/chunk_run.h"
#include "models/workloads/stream_phases.h"
#include "sim/base/check.h"
#include "sim/network/coupled_network.h"
#include "sim/network/fluid_network.h"
#include "sim/network/simulation.h"

namespace ringspan {

namespace {

CoupledFlow flow_of(const ChannelClass& channel_class, const Phase& phase, FlowTag tag) {
  std::int64_t most_blocks = 1;
  for (const auto& [edge, blocks] : phase.edges) most_blocks = std::max(most_blocks, blocks);
  std::map<std::uint32_t, CoupledRow> rows;
  for (const auto& [index, blocks] : phase.edges) {
    const TransferPath& path = channel_class.edges[index].path;
    for (std::size_t i = 0; i < path.links.size(); ++i) {
      const double weight = path.weights.empty() ? 1.0 : path.weights[i];
      CoupledRow& row = rows[path.links[i]];
      row.link = path.links[i];
      if (row.bytes == 0) row.multiplicity = 0;
      row.multiplicity += weight;
      row.bytes += weight * static_cast<double>(blocks) * phase.chunk_wire;
    }
  }
  CoupledFlow flow;
  flow.tag = tag;
  for (const auto& [link, row] : rows) flow.rows.push_back(row);
  flow.steps = phase.steps;
  flow.slice_bytes = phase.slice_wire * static_cast<double>(most_blocks);
  flow.slices_per_step = phase.chunk_wire / phase.slice_wire;
  flow.step_latency = phase.latency;
  return flow;
}

// Every class walks through its phases; all share the links.
RunResult run_coupled(const CollectivePlan& plan, const SizeCut& cut, const KeepGoing& keep_going) {
  CoupledNetwork network(plan.links);
  std::vector<PhaseList> lists;
  std::vector<std::size_t> next(plan.classes.size(), 0);
  std::size_t phases = 0, phases_done = 0;
  RunResult result;
  Time now = kTimeZero;
  const auto start_next = [&](std::size_t c) {
    if (next[c] == lists[c].phases.size()) {
      result.time = std::max(result.time, now - kTimeZero + lists[c].tail);
      return;
    }
    const Phase& phase = lists[c].phases[next[c]++];
    result.operations += static_cast<std::int64_t>(phase.steps) + 1;
    network.start(now, flow_of(plan.classes[c], phase, static_cast<FlowTag>(c)));
  };
  for (const ChannelClass& channel_class : plan.classes) {
    lists.push_back(stream_phases(plan, cut, channel_class));
    phases += lists.back().phases.size();
  }
  for (std::size_t c = 0; c < lists.size(); ++c) start_next(c);
  std::vector<FlowTag> ended;
  while ((now = network.next_event()) != kNever) {
    if (keep_going && !keep_going(static_cast<double>(phases_done) / static_cast<double>(phases))) {
      result.interrupted = true;
      break;
    }
    ended.clear();
    network.advance(now, ended);
    phases_done += ended.size();
    for (const FlowTag tag : ended) start_next(tag);
  }
  result.events = network.events_processed();
  return result;
}

// A burst: all edges of a round at once, each a flow that ends by itself.
class Burst final : public Process {
 public:
  Burst(const CollectivePlan& plan, const PlannedRound& round, std::int64_t payload)
      : plan_(plan), round_(round), payload_(payload) {}

  void on_start(Simulation& simulation) override {
    for (const auto& [edge, blocks] : round_.edges) {
      const TransferPath& path = plan_.classes.front().edges[edge].path;
      FlowStart flow;
      flow.tag = edge;
      flow.size = wire_bytes(plan_.protocol, Bytes{payload_ * blocks});
      flow.links = path.links;
      flow.weights = path.weights;
      flow.stages = path.stages;
      flow.extra_latency = path.latency;
      simulation.start(flow);
    }
  }
  void on_batch(Time now, std::span<const FlowEvent> flows, std::span<const Event> /*timers*/,
                Simulation& /*simulation*/) override {
    done_ += flows.size();
    end_ = now;
  }
  bool finished() const override { return done_ == round_.edges.size(); }
  std::string waiting() const override { return "transfers of a burst without a rate"; }
  Time end() const { return end_; }
  std::size_t done() const { return done_; }

 private:
  const CollectivePlan& plan_;
  const PlannedRound& round_;
  std::int64_t payload_;
  std::size_t done_ = 0;
  Time end_ = kTimeZero;
};

// Rounds one after the other; only Messages schedules, which have one channel class, come here.
RunResult run_rounds(const CollectivePlan& plan, const SizeCut& cut, const KeepGoing& keep_going) {
  RINGSPAN_CHECK(plan.classes.size() == 1, "bursts come from schedules with one channel class");
  RunResult result;
  const auto& rounds = plan.classes.front().rounds;
  for (std::size_t r = 0; r < rounds.size() && !result.interrupted; ++r) {
    FluidNetwork network(plan.links);
    Burst burst(plan, rounds[r], cut.block_payload);
    StopCondition stop;
    if (keep_going) {
      stop.keep_going = [&](const Simulation&) {
        const double part =
            static_cast<double>(burst.done()) / static_cast<double>(rounds[r].edges.size());
        return keep_going((static_cast<double>(r) + part) / static_cast<double>(rounds.size()));
      };
    }
    const SimulationEnd end = run(network, burst, stop);
    result.interrupted = end.reason == EndReason::Interrupted;
    result.stalled = result.stalled || end.reason == EndReason::Stalled;
    if (!end.waiting.empty()) result.waiting = end.waiting;
    result.time += (burst.end() - kTimeZero) * rounds[r].repeat;
    result.operations += static_cast<std::int64_t>(rounds[r].edges.size());
    result.events += end.events;
  }
  return result;
}

// The head of a pipelined run, event by event: how its rounds overlap while the pipe fills and
// drains has no simple closed form. Every further loop takes what the busiest link needs for it.
RunResult run_pipelined(const CollectivePlan& plan, const SizeCut& cut, std::int64_t head_loops,
                        const KeepGoing& keep_going) {
  SizeCut head = cut;
  head.loops = std::min(cut.loops, head_loops);
  const std::int64_t rest = cut.loops - head.loops;
  head.block_payload -= rest * cut.chunk_payload;
  FluidNetwork fluid(plan.links);
  RunResult result = run_chunk(plan, head, fluid, keep_going);
  if (rest == 0 || result.interrupted || result.stalled) return result;
  CoupledNetwork coupled(plan.links);
  for (std::size_t c = 0; c < plan.classes.size(); ++c) {
    coupled.start(kTimeZero,
                  flow_of(plan.classes[c], steady_phase(plan, cut, plan.classes[c], rest),
                          static_cast<FlowTag>(c)));
  }
  std::vector<FlowTag> ended;
  Time end = kTimeZero;
  for (Time now; (now = coupled.next_event()) != kNever; end = now) coupled.advance(now, ended);
  result.time += end - kTimeZero;
  result.operations += rest * static_cast<std::int64_t>(plan.classes.size());
  result.events += coupled.events_processed();
  return result;
}

// Enough loops to fill the pipe, or none where running them would cost too much.
std::int64_t head_loops(const CollectivePlan& plan, const SizeCut& cut) {
  constexpr std::int64_t kMostSlices = 200'000;
  std::int64_t operations = 0;
  std::int64_t rounds = 0;
  for (const ChannelClass& channel_class : plan.classes) {
    if (channel_class.schedule->overlap() != RoundOverlap::Pipelined) return 0;
    operations += channel_class.schedule->operation_count() * cut.slices;
    rounds = std::max(rounds, static_cast<std::int64_t>(channel_class.rounds.size()));
  }
  const std::int64_t loops = std::min(cut.loops, rounds + 2);
  return loops * operations <= kMostSlices ? loops : 0;
}

}  // namespace

RunResult run_stream(const CollectivePlan& plan, const SizeCut& cut, const KeepGoing& keep_going) {
  if (const std::int64_t loops = head_loops(plan, cut)) {
    return run_pipelined(plan, cut, loops, keep_going);
  }
  const auto& rounds = plan.classes.front().rounds;
  const bool burst = std::any_of(rounds.begin(), rounds.end(),
                                 [](const PlannedRound& round) { return !round.coupled; });
  return burst ? run_rounds(plan, cut, keep_going) : run_coupled(plan, cut, keep_going);
}

}  // namespace ringspan

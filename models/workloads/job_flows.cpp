#include "models/workloads/job_flows.h"

#include <algorithm>

#include "models/workloads/stream_phases.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

// Bytes per picosecond that each of the flows gets when they are alone together.
std::vector<double> shares_alone(std::span<const CoupledFlow> flows,
                                 std::span<const NetworkLink> links) {
  CoupledNetwork network(links);
  for (std::size_t f = 0; f < flows.size(); ++f) {
    CoupledFlow flow = flows[f];
    flow.tag = static_cast<FlowTag>(f);
    network.start(kTimeZero, flow);
  }
  std::vector<double> shares;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    shares.push_back(network.share(static_cast<FlowTag>(f)));
  }
  return shares;
}

class JobFlows {
 public:
  JobFlows(const StreamLoads& loads, const SizeCut& cut, Duration alone,
           std::span<const NetworkLink> links)
      : loads_(loads), cut_(cut), alone_(alone), links_(links), phases_(loads, cut) {}

  std::vector<FlowSequence> run() const {
    const Schedule& schedule = *loads_.outline->classes.front().schedule;
    if (schedule.pacing() == Pacing::Messages) return messages();
    if (schedule.overlap() == RoundOverlap::Sequential) return of_phases(phases_.ring());
    const std::int64_t head = stream_head_loops(*loads_.outline, loads_, cut_);
    return head > 0 ? with_head(head) : of_phases(phases_.pipelined());
  }

 private:
  std::vector<FlowSequence> of_phases(const std::vector<PhaseList>& lists) const {
    std::vector<FlowSequence> sequences;
    for (std::size_t c = 0; c < lists.size(); ++c) {
      FlowSequence sequence{lists[c].start, {}, lists[c].tail};
      for (const StreamPhase& phase : lists[c].phases) {
        sequence.flows.push_back(phases_.flow_of(c, phase));
      }
      sequences.push_back(std::move(sequence));
    }
    return sequences;
  }

  // The first loops take what is left of the time alone when the later ones have theirs.
  std::vector<FlowSequence> with_head(std::int64_t most_head_loops) const {
    const SizeCut head = stream_head_cut(cut_, most_head_loops);
    const auto rest = static_cast<double>(cut_.loops - head.loops);
    const std::int64_t chunk = head.loops > 1 ? cut_.chunk_payload : head.last_chunk;
    const double steps = static_cast<double>(head.block_payload) / static_cast<double>(chunk);
    std::vector<CoupledFlow> heads;
    for (std::size_t c = 0; c < loads_.classes.size(); ++c) {
      heads.push_back(phases_.flow_of(c, {steps, chunk, chunk, {}}));
    }
    const std::vector<double> shares = shares_alone(heads, links_);
    double steady = 0;  // picoseconds
    for (std::size_t c = 0; c < heads.size(); ++c) {
      steady = std::max(steady, rest * phases_.wire(cut_.chunk_payload) / phases_.wire(chunk) *
                                    heads[c].slice_bytes / shares[c]);
    }
    const double head_time = static_cast<double>(alone_.count()) - steady;
    std::vector<FlowSequence> sequences = of_phases(phases_.steady(cut_.loops - head.loops));
    for (std::size_t c = 0; c < heads.size(); ++c) {
      limit_rate(heads[c], head_time);
      if (rest == 0) sequences[c].flows.clear();
      sequences[c].flows.insert(sequences[c].flows.begin(), std::move(heads[c]));
    }
    return sequences;
  }

  // All rounds as one flow: a step is a round of the mean message, on links that carry their mean.
  std::vector<FlowSequence> messages() const {
    RINGSPAN_CHECK(loads_.classes.size() == 1, "messages have one channel class");
    const ClassLoads& loads = loads_.classes.front();
    double rounds = 0, blocks = 0, wire = 0;
    for (const RoundLoads& round : loads.rounds) {
      const auto repeat = static_cast<double>(round.repeat);
      rounds += repeat;
      blocks += repeat * static_cast<double>(round.blocks);
      wire += repeat * phases_.wire(cut_.block_payload * round.blocks);
    }
    CoupledFlow flow;
    flow.steps = rounds;
    flow.slice_bytes = wire / rounds;
    for (const ClassLoads::Row& row : loads.rows) {
      const double multiplicity = row.load.load / blocks;
      flow.rows.push_back({row.link, multiplicity, multiplicity * flow.slice_bytes});
    }
    limit_rate(flow, static_cast<double>(alone_.count()));
    std::vector<FlowSequence> sequences(1);
    sequences.front().flows.push_back(std::move(flow));
    return sequences;
  }

  // Alone, the flow takes this long.
  static void limit_rate(CoupledFlow& flow, double picoseconds) {
    flow.rate_limit = flow.steps * flow.slices_per_step * flow.slice_bytes / picoseconds;
  }

  const StreamLoads& loads_;
  const SizeCut& cut_;
  Duration alone_;
  std::span<const NetworkLink> links_;
  StreamPhases phases_;
};

}  // namespace

std::vector<FlowSequence> job_flows(const StreamLoads& loads, const SizeCut& cut, Duration alone,
                                    std::span<const NetworkLink> links) {
  return JobFlows(loads, cut, alone, links).run();
}

}  // namespace ringspan

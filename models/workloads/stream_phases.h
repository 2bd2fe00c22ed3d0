#pragma once

// The coupled flows that a collective with one protocol is at `stream`: per channel class one phase
// after the other. See stream_run.h for what they stand for.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/workloads/protocol_cost.h"
#include "models/workloads/size_cut.h"
#include "models/workloads/stream_loads.h"
#include "sim/network/coupled_network.h"

namespace ringspan {

// One coupled flow to be: `steps` passes over a class's rows.
struct StreamPhase {
  double steps = 1;
  std::int64_t chunk = 0;  // payload of a block per step
  std::int64_t slice = 0;
  Duration latency{};  // per step
};

// What a channel class does: phases, one after the other, and what passes after the last one.
struct PhaseList {
  Duration start{};      // a pipeline fills
  Duration own_start{};  // what of it keeps one rank busy
  std::vector<StreamPhase> phases;
  Duration tail{};
};

class StreamPhases {
 public:
  // Both must outlive this.
  StreamPhases(const StreamLoads& loads, const SizeCut& cut);

  // By channel class. Which of them a schedule needs: run_stream().
  std::vector<PhaseList> ring() const;
  std::vector<PhaseList> pipelined() const;
  // Only what follows the first loops of a pipelined run.
  std::vector<PhaseList> steady(std::int64_t loops) const;

  // Its tag is the class.
  CoupledFlow flow_of(std::size_t c, const StreamPhase& phase) const;
  // Bytes on the wire.
  double wire(std::int64_t payload) const {
    return static_cast<double>(wire_bytes(cut_.protocol, Bytes{payload}).count);
  }
  // Picoseconds per wire byte that a rank's kernels take; 0 where they are no limit.
  double kernel_picoseconds(std::size_t c) const;

 private:
  // Of a step with slices of so much payload.
  Duration latency(std::uint32_t kind, std::int64_t slice) const {
    const LatencyKind& latency = loads_.latencies[kind];
    return cost_.slice_latency(cost_.step_latency(latency.slowest_class, latency.wire), slice);
  }
  // At the end of a ring's loop: what copying a chunk's slices out of the buffer takes longer than
  // the last one is on its way. Picoseconds.
  double receive_time(std::int64_t chunk, std::int64_t slice, double longest_latency) const;
  double longest_latency(std::size_t c, std::int64_t slice) const;
  // What `steps` steps of a ring each take beyond the transmission on the slowest edge, and what
  // passes after one more until all is in. Picoseconds.
  struct RingLatency {
    double each = 0, tail = 0;
  };
  RingLatency latency_of(std::size_t c, std::int64_t chunk, std::int64_t slice, int slots,
                         std::int64_t steps) const;
  // Until the first slice is through all rounds, and of that the longest on one rank.
  struct Fill {
    Duration all{}, longest{};
  };
  Fill fill(std::size_t c) const;

  const StreamLoads& loads_;
  const SizeCut& cut_;
  ProtocolCost cost_;
};

// How many first loops of a pipelined run go slice by slice, so that the pipe is full after them;
// 0 where running them would cost too much.
std::int64_t stream_head_loops(const PlanOutline& outline, const StreamLoads& loads,
                               const SizeCut& cut);

// The cut of the first `loops` loops alone, and of all there are, where they are fewer.
SizeCut stream_head_cut(const SizeCut& cut, std::int64_t loops);

}  // namespace ringspan

#pragma once

// What the `stream` granularity does with a channel class: phases, each one coupled flow.

#include <cstdint>
#include <utility>
#include <vector>

#include "models/workloads/collective_plan.h"
#include "sim/base/units.h"

namespace ringspan {

// Edge index and the number of blocks it carries.
using RoundEdges = std::vector<std::pair<std::uint32_t, std::int64_t>>;

// One coupled flow to be: `steps` steps over some edges.
struct Phase {
  RoundEdges edges;
  double steps = 1;
  double chunk_wire = 0;  // wire bytes per block and step
  double slice_wire = 0;
  Duration latency{};  // per step
};

// Phases of one channel class, one after the other, and what passes after the last one.
struct PhaseList {
  std::vector<Phase> phases;
  Duration tail{};
};

PhaseList stream_phases(const CollectivePlan& plan, const SizeCut& cut,
                        const ChannelClass& channel_class);

// All rounds of a pipelined class at once, for `loops` full loops.
Phase steady_phase(const CollectivePlan& plan, const SizeCut& cut,
                   const ChannelClass& channel_class, std::int64_t loops);

}  // namespace ringspan

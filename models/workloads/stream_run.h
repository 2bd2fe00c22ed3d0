#pragma once

// The `stream` granularity: one coupled flow per channel class instead of every slice, over links
// of which one stands for all that are alike (stream_loads.h).
//
// Rings: steps of period max(k s / x, s / x + L); after the last step's slices are out, L until
//   they are in. Loops of full chunks first, the shorter last loop behind them.
// Pipelined slices (tree, chain, NVLS): the loops that fill and drain the pipe are run slice by
//   slice; every further loop takes what the busiest link of all rounds together needs for it.
//   Where even the head would be too long (over 200,000 slices): the first slice crosses every
//   round, alone at s / x_round + L each, and the others follow at the pace of all rounds together.
// Messages: round after round, each a burst (stream_bursts.h).
//
// Where it is exact, and where not (contention between unlike channels, ranks that drift apart in a
// Messages schedule), is stated in docs/models.md, "Stream and chunk".

#include <functional>

#include "models/workloads/collective_plan.h"
#include "models/workloads/run_observer.h"
#include "models/workloads/run_result.h"
#include "models/workloads/size_cut.h"
#include "models/workloads/stream_loads.h"

namespace ringspan {

// Gives the plan with the cut's protocol when it is wanted: only for the head of a short pipelined
// run.
using PlanSource = std::function<const CollectivePlan&()>;

RunResult run_stream(const StreamLoads& loads, const SizeCut& cut, const PlanSource& plan,
                     const KeepGoing& keep_going = {}, RunObserver* observer = nullptr);

}  // namespace ringspan

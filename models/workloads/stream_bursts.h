#pragma once

// Rounds of a Messages schedule, one after the other, each a burst: all transfers start together
// and each ends by itself.
//
// Transfers of equal size s that start together under max-min fairness: let link l carry w_l bytes
// per byte of a transfer's size at rate C_l, and let v = min over links of C_l / w_l be the lowest
// level, at link b. All transfers over b have rate v from the start. They end together, and until
// then the same ones load b, while every other link only gets emptier; so they keep v, and no
// transfer is ever slower than v. All are therefore out by s / v = s w_b / C_b, those over b then
// and not before. With latencies: the burst is over at s / v + (largest latency over b) or later,
// and at the largest over all transfers of (s x the largest w_l / C_l on its way + its latency) or
// before. Where the two agree the burst's time is known without running it: always with one latency
// or large sizes. Where they do not, it is run flow by flow up to kMostBurstFlows transfers; above,
// the upper bound is taken, too long by at most the difference of two latencies.

#include "models/workloads/run_observer.h"
#include "models/workloads/run_result.h"
#include "models/workloads/size_cut.h"
#include "models/workloads/stream_loads.h"

namespace ringspan {

inline constexpr std::int64_t kMostBurstFlows = 65'536;

// The bounds above of one round.
struct BurstBounds {
  Duration low{}, high{};
};
BurstBounds burst_bounds(const StreamLoads& loads, const RoundLoads& round, const SizeCut& cut);

// Requires a Messages schedule.
RunResult run_bursts(const StreamLoads& loads, const SizeCut& cut, const KeepGoing& keep_going,
                     RunObserver* observer = nullptr);

}  // namespace ringspan

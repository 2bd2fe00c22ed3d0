#pragma once

// The `chunk` granularity: every slice NCCL would move is a flow of its own, with pipelining and
// buffer credits.
//
// Rules, per channel:
// - A connection (an edge of the schedule) sends its slices in order, one transmission at a time.
// - A slice may go when the same slice of every operation it depends on has arrived, and when the
//   receiver's buffer has room: at most SizeCut::window slices sent and not yet consumed.
// - Where rounds share connections (rings), a rank's first slice of a loop also waits for the same
//   slice of what the rank receives last in the loop before: one block of threads does both.
// - A slice is consumed when the receiver has sent on what depends on it; at once when nothing
// does.
// - It arrives the path's latency after its last byte has left.

#include "models/workloads/collective_plan.h"
#include "models/workloads/run_observer.h"
#include "models/workloads/run_result.h"
#include "sim/network/network_model.h"

namespace ringspan {

RunResult run_chunk(const CollectivePlan& plan, const SizeCut& cut, NetworkModel& network,
                    const KeepGoing& keep_going = {}, RunObserver* observer = nullptr);

// An upper estimate of the bytes run_chunk() needs, beside the plan, from its operations.
std::int64_t chunk_memory_bytes(const PlanOutline& outline);

}  // namespace ringspan

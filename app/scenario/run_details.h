#pragma once

// What a run's row says beside its time: loads and bottleneck.

#include "app/scenario/communicator.h"
#include "app/scenario/run_report.h"

namespace ringspan {

// Fills loads (busiest first), bottleneck, its utilisation and what the busiest rank sends.
// Below half of the busiest resource's rate the time is spent waiting: the bottleneck is "latency".
void describe_loads(const StreamLoads& loads, const SizeCut& cut, RunRow& row);

}  // namespace ringspan

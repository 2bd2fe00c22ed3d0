#pragma once

// What a run's row says beside its time: loads, bottleneck, path classes.

#include <vector>

#include "app/scenario/communicator.h"
#include "app/scenario/run_report.h"

namespace ringspan {

// Fills loads (busiest first), bottleneck, its utilisation and what the busiest rank sends.
// Below half of the busiest resource's rate the time is spent waiting: the bottleneck is "latency".
void describe_loads(const CollectivePlan& plan, const SizeCut& cut, RunRow& row);

// Of more pairs than this only the first are classed: the classes of a large alltoall show early.
inline constexpr std::size_t kMostPathPairs = 100'000;

// The classes of GPU pairs that the plan's transfers use, in the order of their first pair.
std::vector<PathClassUse> path_classes(const CollectivePlan& plan, const Topology& topology,
                                       std::span<const NodeId> gpus);

}  // namespace ringspan

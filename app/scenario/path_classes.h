#pragma once

// How the GPUs that exchange data reach each other, for --explain.

#include <span>
#include <vector>

#include "app/scenario/run_report.h"
#include "models/workloads/plan_outline.h"

namespace ringspan {

// Of more pairs than this only the first are classed: the classes of a large alltoall show early.
inline constexpr std::size_t kMostPathPairs = 100'000;

// The classes of GPU pairs that the collective's transfers use, in the order of their first pair.
// `places`: of the ranks. `transport`: nullptr for one domain.
std::vector<PathClassUse> path_classes(const PlanOutline& outline, const Cluster& cluster,
                                       std::span<const GpuPlace> places,
                                       const Transport* transport);

}  // namespace ringspan

#pragma once

// What the rows of a concurrent run say beside their times: loads, bottlenecks, who is in the way.

#include <span>

#include "app/scenario/concurrent_scenario.h"
#include "models/workloads/shared_loads.h"
#include "models/workloads/size_cut.h"

namespace ringspan {

// `loads[j]` and `cuts[j]` are those of rows[j]; nullptr: it moves nothing.
void describe_jobs(const SharedLoads& shared, std::span<const StreamLoads* const> loads,
                   std::span<const SizeCut> cuts, std::span<JobRow> rows);

}  // namespace ringspan

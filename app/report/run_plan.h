#pragma once

// What a run simulated, as a plan that can be measured (`run --emit-plan`).

#include <string>

#include "app/scenario/concurrent_scenario.h"
#include "app/scenario/run_report.h"
#include "app/scenario/scenario.h"
#include "validation/plan/plan.h"

namespace ringspan {

// `system`: as the user named it. A collective per row, with the row's size; algorithm, protocol
// and channels only where they were forced.
Plan plan_of(const std::string& system, const RunScenario& scenario, const RunReport& report);

// The jobs of one size at once, size after size. Requires jobs that all begin at once.
Plan plan_of(const std::string& system, const ConcurrentScenario& scenario,
             const ConcurrentReport& report);

}  // namespace ringspan

#pragma once

#include <string>

#include "validation/plan/plan.h"

namespace ringspan {

// The plan as TOML; parse_plan() gives the same plan back. What has its default is left out.
std::string plan_text(const Plan& plan);

}  // namespace ringspan

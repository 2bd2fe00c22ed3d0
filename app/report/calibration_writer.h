#pragma once

#include <span>
#include <string>

#include "validation/calibration/calibration.h"

namespace ringspan {

// Errors before and after, and what became of each constant. `rows`: those that were fitted.
std::string calibration_table(std::span<const MeasuredRow> rows, const Calibration& calibration);

}  // namespace ringspan

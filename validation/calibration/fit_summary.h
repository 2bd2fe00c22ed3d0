#pragma once

// The record that a fitted profile carries: which rows it has seen and what it left over.

#include <span>

#include "models/cost/fit_record.h"
#include "validation/calibration/calibration.h"

namespace ringspan {

FitRecord fit_record(std::span<const MeasuredRow> rows, const Calibration& calibration,
                     const CalibrationOptions& options);

}  // namespace ringspan

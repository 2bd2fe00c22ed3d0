#pragma once

// Whether a fit can be relied on: rows of another system, in another unit or without a meaning end
// in constants at the ends of their ranges, and in errors that stay.

#include <span>
#include <string>
#include <vector>

#include "validation/calibration/calibration.h"

namespace ringspan {

// Throws InputError where the median |predicted / measured - 1| over all rows is above 50 % after
// the fit: then no constants explain the rows. Requires rows' residuals before and after.
void refuse_what_does_not_fit(const Calibration& calibration);

// What a reader of a fit that stands should look at: a base that was far off, constants at a limit,
// a class of sizes that is not explained. In this order, one line each.
std::vector<std::string> fit_warnings(std::span<const MeasuredRow> rows,
                                      const Calibration& calibration);

}  // namespace ringspan

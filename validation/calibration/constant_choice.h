#pragma once

// How many constants some rows can determine, and which: with as many constants as rows every time
// can be met, whatever it is.

#include <cstddef>
#include <span>
#include <vector>

#include "validation/calibration/robust_fit.h"
#include "validation/logs/measured_row.h"

namespace ringspan {

// Of `rows` (indices into `all`); those that differ in case and time only are one question, asked
// again.
std::size_t count_questions(std::span<const MeasuredRow> all, std::span<const std::size_t> rows);

// The `most` variables that rows determine best together, by variable. The first is the one that
// moves the rows most, each next one moves them most in a way that those before cannot (QR
// decomposition with column pivoting, as in Golub and Van Loan, Matrix Computations, 5.5.7); of
// equals the one in front. Fewer where no other moves them in a way of its own. `weights`: of rows.
std::vector<bool> best_determined(const Derivatives& derivatives, std::span<const double> weights,
                                  std::size_t most);

}  // namespace ringspan

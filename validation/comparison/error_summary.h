#pragma once

// Errors of predictions, as a few figures. error = predicted / measured - 1, signed.

#include <cstddef>
#include <span>
#include <vector>

namespace ringspan {

// The q-quantile of values in ascending order, with linear interpolation between the two nearest
// ranks: q = 0 is the least, 1 the largest. Requires at least one value and 0 <= q <= 1.
double quantile(std::span<const double> ascending, double q);

struct ErrorSummary {
  std::size_t count = 0;
  double median = 0;  // of |error|
  double p90 = 0;     // of |error|
  double worst = 0;   // of |error|
  double bias = 0;    // mean of the signed errors
};

// All zero for no errors.
ErrorSummary summarize_errors(std::span<const double> errors);

// Over cases: median, p90 and worst of the cases' own median |error|; bias is the mean of their own
// biases. Cases without errors do not count.
ErrorSummary summarize_cases(std::span<const std::vector<double>> errors_by_case);

}  // namespace ringspan

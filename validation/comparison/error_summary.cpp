#include "validation/comparison/error_summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/base/check.h"

namespace ringspan {

namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Of values that are not negative, in any order.
ErrorSummary summary_of(std::vector<double> magnitudes, double bias) {
  std::sort(magnitudes.begin(), magnitudes.end());
  return {magnitudes.size(), quantile(magnitudes, 0.5), quantile(magnitudes, 0.9),
          magnitudes.back(), bias};
}

}  // namespace

double quantile(std::span<const double> ascending, double q) {
  RINGSPAN_CHECK(!ascending.empty() && q >= 0 && q <= 1, "a quantile is of something");
  const double rank = q * static_cast<double>(ascending.size() - 1);
  const std::size_t below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  const double share = rank - static_cast<double>(below);
  return ascending[below] + share * (ascending[above] - ascending[below]);
}

ErrorSummary summarize_errors(std::span<const double> errors) {
  if (errors.empty()) return {};
  std::vector<double> magnitudes;
  for (const double error : errors) magnitudes.push_back(std::abs(error));
  return summary_of(std::move(magnitudes), mean(errors));
}

ErrorSummary summarize_cases(std::span<const std::vector<double>> errors_by_case) {
  std::vector<double> medians;
  std::vector<double> biases;
  for (const std::vector<double>& errors : errors_by_case) {
    if (errors.empty()) continue;
    const ErrorSummary one = summarize_errors(errors);
    medians.push_back(one.median);
    biases.push_back(one.bias);
  }
  if (medians.empty()) return {};
  const double bias = mean(biases);
  return summary_of(std::move(medians), bias);
}

}  // namespace ringspan

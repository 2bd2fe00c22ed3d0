#include "validation/replay/sample_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/base/check.h"

namespace ringspan {

namespace {

double quantile_of_sorted(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::vector<double> sorted_copy(std::span<const double> samples) {
  RINGSPAN_CHECK(!samples.empty(), "statistics are of samples");
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

double sample_quantile(std::span<const double> samples, double share) {
  return quantile_of_sorted(sorted_copy(samples), share);
}

SampleStatistics sample_statistics(std::span<const double> samples) {
  const std::vector<double> sorted = sorted_copy(samples);
  const auto count = static_cast<double>(sorted.size());
  SampleStatistics result;
  result.least = sorted.front();
  result.most = sorted.back();
  result.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / count;
  result.p50 = quantile_of_sorted(sorted, 0.50);
  result.p95 = quantile_of_sorted(sorted, 0.95);
  result.p99 = quantile_of_sorted(sorted, 0.99);
  if (sorted.size() < 2) return result;
  double squares = 0;
  for (const double sample : sorted) squares += (sample - result.mean) * (sample - result.mean);
  result.deviation = std::sqrt(squares / (count - 1));
  return result;
}

}  // namespace ringspan

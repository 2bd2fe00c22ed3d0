#pragma once

#include <span>

namespace ringspan {

// Of times in microseconds; the names are those of nccl-tests' -I.
struct SampleStatistics {
  double least = 0, most = 0, mean = 0;
  double p50 = 0, p95 = 0, p99 = 0;  // interpolated between ranks
  double deviation = 0;              // of the sample (n - 1); 0 for one
};

// Requires at least one.
SampleStatistics sample_statistics(std::span<const double> samples);

// Interpolated; `share` from 0 to 1. Requires at least one.
double sample_quantile(std::span<const double> samples, double share);

}  // namespace ringspan

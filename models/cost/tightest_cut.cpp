#include "models/cost/tightest_cut.h"

#include <cmath>

#include <fmt/format.h>

#include "sim/base/quantity.h"

namespace ringspan {

LowerBound TightestCut::of(Bytes size) const {
  const double bytes = share_ * static_cast<double>(size.count);
  const double picoseconds = std::floor(bytes * 8e12 / rate_);
  if (picoseconds <= 0) return {};
  const bool huge = picoseconds >= static_cast<double>(Duration::max().count());
  return {
      huge ? Duration::max() : Duration{static_cast<std::int64_t>(picoseconds)},
      fmt::format("{} must {} {} through {}", who_, verb_, format_size(Bytes{std::llround(bytes)}),
                  format_bandwidth(Bandwidth{std::llround(rate_)}))};
}

}  // namespace ringspan

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/scenario/scenario.h"
#include "sim/base/check.h"
#include "sim/base/input_error.h"

namespace ringspan {

namespace {

constexpr std::size_t kMostSizes = 10'000;
constexpr Bytes kAfterZero{8};  // nccl-tests' smallest size of interest

// The next size, or the largest possible value where it would not fit.
std::int64_t next_size(std::int64_t size, double factor) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
  if (factor == std::floor(factor) && factor < kExactIntegers) {
    const auto whole = static_cast<std::int64_t>(factor);
    return size > kMost / whole ? kMost : size * whole;
  }
  const double product = std::round(static_cast<double>(size) * factor);
  if (!(product < 9.2e18)) return kMost;
  return std::max(static_cast<std::int64_t>(product), size + 1);
}

// How many sizes there would be: steps of one byte while rounding hides the factor, then powers.
double estimated_count(std::int64_t least, std::int64_t most, double factor) {
  const double smooth_from = std::min(static_cast<double>(most), 1.0 / (factor - 1.0));
  const double from = std::max(static_cast<double>(least), smooth_from);
  const double single_steps = std::max(0.0, smooth_from - static_cast<double>(least));
  return single_steps + std::log(static_cast<double>(most) / from) / std::log1p(factor - 1.0) + 1;
}

}  // namespace

std::vector<Bytes> size_steps(Bytes least, Bytes most, double factor) {
  RINGSPAN_CHECK(least.count >= 0 && least <= most, "sizes ascend from 0 or more");
  RINGSPAN_CHECK(factor > 1, "sizes grow");
  std::vector<Bytes> sizes;
  if (least.count == 0) {
    sizes.push_back(least);
    least = kAfterZero;
  }
  for (Bytes size = least; size <= most; size.count = next_size(size.count, factor)) {
    if (sizes.size() == kMostSizes) {
      const double count = estimated_count(least.count, most.count, factor);
      throw InputError("these sizes would make about " +
                           std::to_string(static_cast<std::int64_t>(std::min(count, 9e18))) +
                           " rows, more than " + std::to_string(kMostSizes),
                       "give a larger factor with -f, or a narrower range with -b and -e");
    }
    sizes.push_back(size);
    if (size.count == std::numeric_limits<std::int64_t>::max()) break;
  }
  return sizes;
}

}  // namespace ringspan

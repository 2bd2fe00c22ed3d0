#include "sim/base/units.h"

#include <cmath>
#include <limits>

#include "sim/base/check.h"

namespace ringspan {

namespace {

// Rounds half away from zero and saturates, so that absurd inputs give the largest value, never
// undefined behaviour.
std::int64_t rounded(double value) {
  constexpr double kLimit = 9.2e18;
  if (!(value < kLimit)) return std::numeric_limits<std::int64_t>::max();
  if (value < -kLimit) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(std::llround(value));
}

}  // namespace

Duration duration_from_seconds(double seconds) { return Duration{rounded(seconds * 1e12)}; }

Duration duration_from_microseconds(double microseconds) {
  return Duration{rounded(microseconds * 1e6)};
}

Bandwidth scaled(Bandwidth rate, double ratio) {
  return {rounded(static_cast<double>(rate.bits_per_second) * ratio)};
}

Bandwidth bandwidth_from_gbytes_per_second(double gbytes_per_second) {
  return {rounded(gbytes_per_second * 8e9)};
}

Duration transfer_time(Bytes size, Bandwidth rate) {
  RINGSPAN_CHECK(rate.bits_per_second > 0, "a transfer needs a positive rate");
  RINGSPAN_CHECK(size.count >= 0, "a transfer needs a size that is not negative");
  __extension__ using Wide = unsigned __int128;
  constexpr Wide kPicosecondsTimesBits = Wide{8} * 1'000'000'000'000;
  const Wide numerator = static_cast<Wide>(size.count) * kPicosecondsTimesBits;
  const Wide denominator = static_cast<Wide>(rate.bits_per_second);
  const Wide result = (numerator + denominator - 1) / denominator;
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  return Duration{result > static_cast<Wide>(kMost) ? kMost : static_cast<std::int64_t>(result)};
}

}  // namespace ringspan

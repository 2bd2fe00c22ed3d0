#include "sim/base/simulated_time.h"

#include "sim/base/input_error.h"

namespace ringspan {

Duration simulated_duration(double picoseconds) {
  constexpr double kLongest = 25.0 * 86'400 * 1e12;
  if (!(picoseconds < kLongest)) {
    throw InputError("the simulated time grows past 25 days",
                     "raise the slowest bandwidth or lower the size");
  }
  return Duration{static_cast<std::int64_t>(picoseconds)};
}

}  // namespace ringspan

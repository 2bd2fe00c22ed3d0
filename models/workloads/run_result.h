#pragma once

// What a simulated collective gives back, at either granularity.

#include <cstdint>
#include <functional>
#include <string>

#include "sim/base/units.h"

namespace ringspan {

struct RunResult {
  Duration time{};  // from the first byte sent to the last one in place, without launch
  // Longest that one rank is busy with it: from the first slice at hand to the last one sent or in
  // place. Calls in a row follow one another at this pace where data only flow away from a rank,
  // as in a broadcast. At most `time`.
  Duration busy{};
  std::int64_t operations = 0;  // slices, messages or coupled steps moved
  std::int64_t events = 0;      // engine events
  bool stalled = false;
  std::string waiting;  // who waits for what, if stalled
  bool interrupted = false;
};

// Called now and then; false asks to stop. The fraction done is 0..1.
using KeepGoing = std::function<bool(double fraction)>;

}  // namespace ringspan

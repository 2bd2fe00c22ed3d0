#pragma once

// How well prediction intervals hold: of 100 rows that have one, 80 should be measured within it.

#include <cstddef>
#include <optional>
#include <vector>

#include "validation/comparison/comparison.h"

namespace ringspan {

struct IntervalLine {
  std::optional<FabricClass> fabric_class;  // absent: all
  std::optional<SizeClass> size_class;      // absent: both
  bool extrapolated = false;  // rows outside what the profile was fitted to, or inside
  std::size_t rows = 0;       // with an interval; at least one
  double coverage = 0;        // share of them that was measured within it
  double width = 1;           // median of high / low
};

// Per class and size, then over all; inside before outside.
std::vector<IntervalLine> summarize_intervals(const Comparison& comparison);

}  // namespace ringspan

#pragma once

// What was measured, in a few figures per class of fabrics.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "validation/comparison/comparison.h"

namespace ringspan {

struct RowRange {
  std::optional<FabricClass> fabric_class;  // absent: all
  std::size_t rows = 0;                     // at least one
  std::size_t cases = 0, systems = 0;
  int least_ranks = 0, most_ranks = 0;
  std::int64_t least_bytes = 0, most_bytes = 0;  // nccl-tests' size
};

// Per class that has rows, then all.
std::vector<RowRange> row_ranges(const Comparison& comparison);

}  // namespace ringspan

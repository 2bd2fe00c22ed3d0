#pragma once

// How far two measurements of one thing differ: what nobody who is told the same can predict.

#include <optional>
#include <string>
#include <vector>

#include "validation/comparison/comparison.h"
#include "validation/comparison/error_summary.h"

namespace ringspan {

// Rows are repeats of one another where cases differ and the simulator cannot tell the rows apart:
// the same class of fabric, collective, ranks, servers, size and predicted time. Machines, vendors,
// versions of NCCL, drivers and how ranks were run may differ between them.
struct RepeatLine {
  std::string group;                    // a class of fabrics, or "all"
  std::optional<SizeClass> size_class;  // absent: both
  ErrorSummary others;                  // of the median of the other cases' times, as a prediction
  ErrorSummary ours;                    // on the same rows
};

// Per class and size that has repeats, then over all.
std::vector<RepeatLine> summarize_repeats(const Comparison& comparison);

}  // namespace ringspan

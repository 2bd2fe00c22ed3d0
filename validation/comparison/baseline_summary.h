#pragma once

// Ours and the baseline's errors on the same rows: those for which the baseline has a time.

#include <vector>

#include "validation/comparison/summary.h"

namespace ringspan {

struct BaselineSummary {
  // Lines as ComparisonSummary has them; `ours` and `baseline` count the same.
  std::vector<SummaryLine> over_rows, over_cases;
};

// Empty without a baseline.
BaselineSummary summarize_beside_baseline(const Comparison& comparison);

}  // namespace ringspan

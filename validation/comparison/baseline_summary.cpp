#include "validation/comparison/baseline_summary.h"

namespace ringspan {

BaselineSummary summarize_beside_baseline(const Comparison& comparison) {
  Comparison common;
  for (const ComparedRow& row : comparison.rows) {
    if (row.prediction.baseline) common.rows.push_back(row);
  }
  ComparisonSummary summary = summarize(common, 0);
  return {std::move(summary.over_rows), std::move(summary.over_cases)};
}

}  // namespace ringspan

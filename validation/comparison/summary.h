#pragma once

// The error table of a comparison. Lines come in a fixed order: systems by name, then collectives,
// then small before large.

#include <optional>
#include <string>
#include <vector>

#include "validation/comparison/comparison.h"
#include "validation/comparison/error_summary.h"
#include "validation/comparison/interval_summary.h"

namespace ringspan {

struct SummaryLine {
  std::string group;                    // a system, a fabric class, or "all"
  std::string collective;               // empty: all of them
  std::optional<SizeClass> size_class;  // absent: both
  ErrorSummary ours;
  ErrorSummary baseline;  // count 0: there is none
};

struct ComparisonSummary {
  std::vector<SummaryLine> by_system;  // per system x collective x size
  // Per fabric class x size, then over all: small, large and both.
  std::vector<SummaryLine> over_rows;
  std::vector<SummaryLine> over_cases;  // count is that of cases
  std::vector<IntervalLine> intervals;  // empty: no row has one
  std::vector<std::size_t> worst;       // indices into Comparison::rows, the worst |error| first
};

// `worst`: how many of the worst rows at most.
ComparisonSummary summarize(const Comparison& comparison, std::size_t worst);

// What --max-median and --max-p90 say, as ratios: 0.15 is 15 %.
struct Tolerance {
  std::optional<double> median, p90;
};

// Which of the figures over all rows and over all cases are above; empty: within the tolerance.
std::vector<std::string> out_of_tolerance(const ComparisonSummary& summary,
                                          const Tolerance& tolerance);

}  // namespace ringspan

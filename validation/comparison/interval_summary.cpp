#include "validation/comparison/interval_summary.h"

#include <algorithm>

#include "validation/comparison/error_summary.h"

namespace ringspan {

namespace {

bool belongs(const ComparedRow& row, const IntervalLine& line) {
  return row.prediction.interval && row.prediction.extrapolated == line.extrapolated &&
         (!line.fabric_class || row.fabric_class == *line.fabric_class) &&
         (!line.size_class || size_class_of(row.row.bytes) == *line.size_class);
}

bool is_within(const ComparedRow& row) {
  const double factor = row.row.time_us / to_microseconds(row.prediction.time);
  return row.prediction.interval->low <= factor && factor <= row.prediction.interval->high;
}

// Counts the rows of a line; false: it has none.
bool fill(const Comparison& comparison, IntervalLine& line) {
  std::size_t within = 0;
  std::vector<double> widths;
  for (const ComparedRow& row : comparison.rows) {
    if (!belongs(row, line)) continue;
    if (is_within(row)) ++within;
    widths.push_back(row.prediction.interval->high / row.prediction.interval->low);
  }
  if (widths.empty()) return false;
  std::sort(widths.begin(), widths.end());
  line.rows = widths.size();
  line.coverage = static_cast<double>(within) / static_cast<double>(widths.size());
  line.width = quantile(widths, 0.5);
  return true;
}

}  // namespace

std::vector<IntervalLine> summarize_intervals(const Comparison& comparison) {
  std::vector<IntervalLine> candidates;
  const auto add = [&](std::optional<FabricClass> fabric_class, std::optional<SizeClass> size) {
    for (const bool extrapolated : {false, true}) {
      candidates.push_back({fabric_class, size, extrapolated, 0, 0, 1});
    }
  };
  for (const FabricClass fabric_class : kAllFabricClasses) {
    for (const SizeClass size : kAllSizeClasses) add(fabric_class, size);
  }
  add(std::nullopt, std::nullopt);
  std::vector<IntervalLine> lines;
  for (IntervalLine& line : candidates) {
    if (fill(comparison, line)) lines.push_back(line);
  }
  return lines;
}

}  // namespace ringspan

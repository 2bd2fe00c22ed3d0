#include "validation/comparison/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "validation/comparison/row_selection.h"

namespace ringspan {

namespace {

// Errors of ours and of the baseline, where it has one.
struct Errors {
  std::vector<double> ours, baseline;

  void add(const ComparedRow& row) {
    ours.push_back(row.error());
    if (row.prediction.baseline) baseline.push_back(error_of(*row.prediction.baseline, row.row));
  }
};

void fill(const Errors& errors, SummaryLine& line) {
  line.ours = summarize_errors(errors.ours);
  line.baseline = summarize_errors(errors.baseline);
}

std::vector<SummaryLine> lines_by_system(const Comparison& comparison) {
  std::map<std::tuple<std::string, CollectiveKind, SizeClass>, Errors> groups;
  for (const ComparedRow& row : comparison.rows) {
    groups[{row.row.system, row.row.collective, size_class_of(row.row.bytes)}].add(row);
  }
  std::vector<SummaryLine> lines;
  for (const auto& [key, errors] : groups) {
    const auto& [system, collective, size_class] = key;
    SummaryLine line{system, std::string(collective_name(collective)), size_class, {}, {}};
    fill(errors, line);
    lines.push_back(std::move(line));
  }
  return lines;
}

SummaryLine line_of(const RowSelection& selection) {
  return {selection.group(), "", selection.size_class, {}, {}};
}

SummaryLine line_over_rows(const Comparison& comparison, const RowSelection& selection) {
  Errors errors;
  for (const ComparedRow& row : comparison.rows) {
    if (selection.takes(row)) errors.add(row);
  }
  SummaryLine line = line_of(selection);
  fill(errors, line);
  return line;
}

SummaryLine line_over_cases(const Comparison& comparison, const RowSelection& selection) {
  std::map<std::string, Errors> cases;
  for (const ComparedRow& row : comparison.rows) {
    if (selection.takes(row)) cases[row.row.case_name].add(row);
  }
  std::vector<std::vector<double>> ours;
  std::vector<std::vector<double>> baseline;
  for (const auto& [name, errors] : cases) {
    ours.push_back(errors.ours);
    baseline.push_back(errors.baseline);
  }
  SummaryLine line = line_of(selection);
  line.ours = summarize_cases(ours);
  line.baseline = summarize_cases(baseline);
  return line;
}

std::vector<std::size_t> worst_rows(const Comparison& comparison, std::size_t most) {
  std::vector<std::size_t> order(comparison.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(comparison.rows[a].error()) > std::abs(comparison.rows[b].error());
  });
  order.resize(std::min(order.size(), most));
  return order;
}

}  // namespace

ComparisonSummary summarize(const Comparison& comparison, std::size_t worst) {
  ComparisonSummary summary;
  summary.by_system = lines_by_system(comparison);
  for (const RowSelection& selection : all_selections()) {
    SummaryLine rows = line_over_rows(comparison, selection);
    if (rows.ours.count == 0) continue;
    summary.over_rows.push_back(std::move(rows));
    summary.over_cases.push_back(line_over_cases(comparison, selection));
  }
  summary.intervals = summarize_intervals(comparison);
  summary.worst = worst_rows(comparison, worst);
  return summary;
}

std::vector<std::string> out_of_tolerance(const ComparisonSummary& summary,
                                          const Tolerance& tolerance) {
  std::vector<std::string> misses;
  const auto check = [&](std::string_view what, double value, std::optional<double> most) {
    if (!most || value <= *most) return;
    misses.push_back(fmt::format("{} is {:.4g}, above {:.4g}", what, value, *most));
  };
  if (summary.over_rows.empty()) return misses;
  const ErrorSummary& rows = summary.over_rows.back().ours;
  const ErrorSummary& cases = summary.over_cases.back().ours;
  check("the median |error| over rows", rows.median, tolerance.median);
  check("the median |error| over cases", cases.median, tolerance.median);
  check("the p90 of |error| over rows", rows.p90, tolerance.p90);
  check("the p90 of |error| over cases", cases.p90, tolerance.p90);
  return misses;
}

}  // namespace ringspan

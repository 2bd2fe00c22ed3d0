#include "validation/comparison/repeat_spread.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

#include "validation/comparison/row_selection.h"

namespace ringspan {

namespace {

using Question = std::tuple<FabricClass, CollectiveKind, int, int, std::int64_t, std::int64_t>;

Question question_of(const ComparedRow& row) {
  return {row.fabric_class,          row.row.collective, row.row.gpus,
          row.row.nodes.value_or(0), row.row.bytes,      row.prediction.time.count()};
}

struct Repeat {
  const ComparedRow* row = nullptr;
  double error = 0;  // of the others' median
};

// Of the rows of one question; those of a single case have no other.
void append_repeats(const std::vector<const ComparedRow*>& rows, std::vector<Repeat>& repeats) {
  for (const ComparedRow* row : rows) {
    std::vector<double> others;
    for (const ComparedRow* other : rows) {
      if (other->row.case_name != row->row.case_name) others.push_back(other->row.time_us);
    }
    if (others.empty()) continue;
    std::sort(others.begin(), others.end());
    repeats.push_back({row, quantile(others, 0.5) / row->row.time_us - 1});
  }
}

std::vector<Repeat> find_repeats(const Comparison& comparison) {
  std::map<Question, std::vector<const ComparedRow*>> questions;
  for (const ComparedRow& row : comparison.rows) questions[question_of(row)].push_back(&row);
  std::vector<Repeat> repeats;
  for (const auto& entry : questions) append_repeats(entry.second, repeats);
  return repeats;
}

}  // namespace

std::vector<RepeatLine> summarize_repeats(const Comparison& comparison) {
  const std::vector<Repeat> repeats = find_repeats(comparison);
  std::vector<RepeatLine> lines;
  for (const RowSelection& selection : all_selections()) {
    std::vector<double> others, ours;
    for (const Repeat& repeat : repeats) {
      if (!selection.takes(*repeat.row)) continue;
      others.push_back(repeat.error);
      ours.push_back(repeat.row->error());
    }
    if (others.empty()) continue;
    lines.push_back({selection.group(), selection.size_class, summarize_errors(others),
                     summarize_errors(ours)});
  }
  return lines;
}

}  // namespace ringspan

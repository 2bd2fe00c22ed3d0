#include "validation/comparison/row_ranges.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>

namespace ringspan {

namespace {

RowRange range_of(const Comparison& comparison, std::optional<FabricClass> fabric_class) {
  RowRange range{fabric_class,
                 0,
                 0,
                 0,
                 std::numeric_limits<int>::max(),
                 0,
                 std::numeric_limits<std::int64_t>::max(),
                 0};
  std::set<std::string> cases, systems;
  for (const ComparedRow& row : comparison.rows) {
    if (fabric_class && row.fabric_class != *fabric_class) continue;
    ++range.rows;
    cases.insert(row.row.case_name);
    systems.insert(row.row.system);
    range.least_ranks = std::min(range.least_ranks, row.row.gpus);
    range.most_ranks = std::max(range.most_ranks, row.row.gpus);
    range.least_bytes = std::min(range.least_bytes, row.row.bytes);
    range.most_bytes = std::max(range.most_bytes, row.row.bytes);
  }
  range.cases = cases.size();
  range.systems = systems.size();
  return range;
}

}  // namespace

std::vector<RowRange> row_ranges(const Comparison& comparison) {
  std::vector<RowRange> ranges;
  const auto add = [&](std::optional<FabricClass> fabric_class) {
    RowRange range = range_of(comparison, fabric_class);
    if (range.rows > 0) ranges.push_back(range);
  };
  for (const FabricClass fabric_class : kAllFabricClasses) add(fabric_class);
  add(std::nullopt);
  return ranges;
}

}  // namespace ringspan

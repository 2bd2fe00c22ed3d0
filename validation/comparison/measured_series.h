#pragma once

// Rows that differ in size and time only: one question to the simulator.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "app/scenario/scenario.h"
#include "validation/logs/measured_row.h"

namespace ringspan {

struct MeasuredSeries {
  std::vector<std::size_t> rows;  // indices, ascending
};

// In the order of their first rows.
std::vector<MeasuredSeries> find_series(std::span<const MeasuredRow> rows);

struct SeriesScenario {
  RunScenario scenario;  // without sizes and profile
  // Settings of the row that were not used, or not as they are.
  std::vector<std::string> notes;
};

// Throws InputError for a data type that is unknown.
SeriesScenario scenario_of(const MeasuredRow& row);

}  // namespace ringspan

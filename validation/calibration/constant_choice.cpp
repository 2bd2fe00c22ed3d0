#include "validation/calibration/constant_choice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <string>

namespace ringspan {

namespace {

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Leaves of `column` what `direction`, of length 1, does not have.
void take_away(const std::vector<double>& direction, std::vector<double>& column) {
  const double along = product(direction, column);
  for (std::size_t row = 0; row < column.size(); ++row) column[row] -= along * direction[row];
}

}  // namespace

std::size_t count_questions(std::span<const MeasuredRow> all, std::span<const std::size_t> rows) {
  std::set<std::array<std::string, kMeasuredColumns.size()>> questions;
  for (const std::size_t row : rows) {
    auto cells = measured_cells(all[row]);
    for (const MeasuredColumn column : {MeasuredColumn::Case, MeasuredColumn::TimeUs}) {
      cells[static_cast<std::size_t>(column)].clear();
    }
    questions.insert(std::move(cells));
  }
  return questions.size();
}

std::vector<bool> best_determined(const Derivatives& derivatives, std::span<const double> weights,
                                  std::size_t most) {
  Derivatives columns = derivatives;
  for (std::vector<double>& column : columns) {
    for (std::size_t row = 0; row < column.size(); ++row) column[row] *= std::sqrt(weights[row]);
  }
  std::vector<bool> taken(columns.size());
  for (std::size_t count = 0; count < most; ++count) {
    std::size_t best = columns.size();
    double longest = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double square = taken[i] ? 0 : product(columns[i], columns[i]);
      if (square <= longest) continue;
      best = i;
      longest = square;
    }
    if (best == columns.size()) break;
    taken[best] = true;
    std::vector<double> direction = columns[best];
    for (double& part : direction) part /= std::sqrt(longest);
    for (std::vector<double>& column : columns) take_away(direction, column);
  }
  return taken;
}

}  // namespace ringspan

#pragma once

// Which rows depend on which constant: a fit predicts a row again only for the constants that move
// it.

#include <cstddef>
#include <span>
#include <vector>

#include "models/cost/profile.h"
#include "validation/calibration/parameters.h"
#include "validation/calibration/row_predictor.h"

namespace ringspan {

// A constant that is fitted, and the rows that depend on it (indices, ascending).
struct OpenParameter {
  std::size_t parameter = 0;  // index
  std::vector<std::size_t> moves;
};

// Those of `wanted` (indices, ascending) that move one of the rows (ascending). A row depends on a
// constant if a quarter of it or four times as much (within its range) changes the row's time by
// more than 0.01 %. Throws Stopped.
std::vector<OpenParameter> find_moves(const RowPredictor& predictor,
                                      std::span<const Parameter> parameters,
                                      std::span<const std::size_t> wanted,
                                      const std::vector<std::size_t>& rows, const Profile& at,
                                      const GoOn& go_on);

}  // namespace ringspan

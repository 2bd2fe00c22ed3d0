#pragma once

// Which rows are left out together when a fit is tried on rows that it has not seen.

#include <cstdint>
#include <span>
#include <vector>

#include "validation/logs/measured_row.h"

namespace ringspan {

// For each of `rows` (indices) its fold, from 0. Whole cases go into one fold: rows of one machine
// and one run are alike. Cases are dealt out in an order that the seed gives. With a single case
// every fifth size is a fold.
std::vector<int> deal_folds(std::span<const MeasuredRow> all, std::span<const std::size_t> rows,
                            std::uint64_t seed);

}  // namespace ringspan

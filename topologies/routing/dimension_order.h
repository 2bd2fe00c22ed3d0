#pragma once

// Dimension order: the first way there is, where a fabric lists its ways by dimension; parallel
// cables by destination. Free of deadlocks with two virtual channels (Dally and Seitz, IEEE
// Transactions on Computers C-36(5), 1987).

#include <cstdint>
#include <memory>

#include "topologies/routing/path_choice.h"

namespace ringspan {

std::unique_ptr<const PathChoice> make_dimension_order(std::uint64_t seed);

}  // namespace ringspan

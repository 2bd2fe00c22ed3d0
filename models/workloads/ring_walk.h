#pragma once

// A ring's edges in the order in which data walks along them.

#include <cstddef>
#include <vector>

#include "models/collectives/schedule.h"

namespace ringspan {

// Indices into `round.pairs`, from the first pair on along the ring. Requires that every rank of
// the ring sends to one other.
std::vector<std::size_t> walking_order(const Round& round, int ranks);

}  // namespace ringspan

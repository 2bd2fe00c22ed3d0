#pragma once

// Proves a schedule by executing it symbolically, without an engine. For every (rank, block) it
// keeps the set of ranks whose contribution is in there, and refuses a schedule in which
//   - ranks, blocks or dependencies are out of range, named twice, or not in order of operations;
//   - dependents() is not the exact inverse of dependencies();
//   - a source does not hold what it sends, or a contribution would be counted twice;
//   - two operations touch one (rank, block), at least one of them writing, and neither is ordered
//     before the other by dependencies. Exception: one-source Reduces into one block commute;
//   - a rank does not end with exactly what the collective promises.
// If none of this is found, every order of execution that obeys the dependencies gives the promised
// result, because no block's history depends on the order.

#include <string>
#include <vector>

#include "models/collectives/schedule.h"

namespace ringspan {

// The problems found, as text for people; empty: proven. At most 20, then how many more.
// Memory: ranks x blocks x (ranks / 8) bytes, and 8 B per dependency.
std::vector<std::string> check_schedule(const Schedule& schedule);

}  // namespace ringspan

#pragma once

// Executes a schedule for real, on counters, in a random order that its dependencies allow. Shares
// no code and no rule with the checker, so that each can judge the other.

#include "sim/base/random.h"
#include "tests/unit/collectives/editable_schedule.h"

namespace ringspan {

// Whether every rank ends with every contribution it must have exactly once, and nothing else.
bool random_execution_is_right(const EditableSchedule& schedule, Random& random);

}  // namespace ringspan

#pragma once

// How much memory this process may still use, so that a run that would not fit is refused with the
// figure instead of being killed half-way.

#include <cstdint>

namespace ringspan {

// The least of: the machine's available memory, the room under the control group's limit, and the
// room under RLIMIT_AS. Figures that cannot be read do not count; INT64_MAX when none can.
std::int64_t available_memory_bytes();

}  // namespace ringspan

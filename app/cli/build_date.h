#pragma once

#include <string>

namespace ringspan {

// Today in UTC, as "2026-01-31"; the day of SOURCE_DATE_EPOCH (seconds since 1970,
// reproducible-builds.org) where that is set, so that a file can be made again byte for byte.
// Throws InputError where it is no such number.
std::string build_date();

}  // namespace ringspan

#pragma once

// Numbers as text, the same under every locale and with every compiler.

#include <string>

#include "sim/base/units.h"

namespace ringspan {

// nccl-tests' rule for a column of `width` characters: two decimals, fewer where they do not fit,
// then an exponent. Right-aligned; wider than the column only where even that does not fit.
std::string column_number(double value, int width);

// Every digit of the picosecond clock: "12.5", "0.000001", "7".
std::string exact_microseconds(Duration duration);

// `digits` significant digits without an exponent where the number is of everyday size.
std::string significant(double value, int digits);

// A share as a percentage with three significant digits: "98.2 %", "0.0312 %".
std::string percent(double share);

// "366 GB/s", from bytes per second.
std::string rate_text(double bytes_per_second);

// A time for people: "1.234 us", "5.2 ms", "12.3 s".
std::string time_text(Duration duration);

}  // namespace ringspan

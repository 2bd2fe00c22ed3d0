#pragma once

// Numbers of logs: a cell is a number or it is refused; no unit, no "nan", no trailing text.

#include <cstdint>
#include <optional>
#include <string_view>

namespace ringspan {

// A whole number of `least` or more, in digits.
std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t least);

// A finite decimal number, also with an exponent.
std::optional<double> decimal_number(std::string_view text);

// The simulator's clock goes from a picosecond to 25 days.
inline constexpr double kLeastTimeUs = 1e-6;
inline constexpr double kMostTimeUs = 25 * 24 * 3600e6;
constexpr bool is_possible_time(double us) { return us >= kLeastTimeUs && us <= kMostTimeUs; }

inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 62;

}  // namespace ringspan

#pragma once

// Exact decimal numbers: "1.2" stays 12 x 10^-1 until it is multiplied by its unit, so that
// "1.2 us" is 1,200,000 ps and not the nearest double's share of it.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ringspan {

struct Decimal {
  std::uint64_t digits = 0;  // at most kMostDigits significant ones
  int exponent = 0;          // value = digits x 10^exponent
  bool negative = false;
};

inline constexpr int kMostDigits = 19;

enum class DecimalStatus { Ok, None, TooManyDigits };

struct DecimalScan {
  DecimalStatus status = DecimalStatus::None;
  Decimal value;
  std::size_t length = 0;  // characters of the number
};

// Reads [+-]digits[.digits][e[+-]digits] from the start of `text`; what follows is the caller's.
// No hexadecimal, no "nan", no "inf".
DecimalScan scan_decimal(std::string_view text);

struct ScaledInteger {
  bool fits = false;       // as an int64
  bool exact = false;      // nothing was rounded away
  std::int64_t value = 0;  // to the nearest, halves up
};

// value x numerator / denominator. Requires a value that is not negative, 0 < numerator <= 2^43,
// 0 < denominator <= 16.
ScaledInteger scale_decimal(const Decimal& value, std::int64_t numerator, std::int64_t denominator);

}  // namespace ringspan

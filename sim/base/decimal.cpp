#include "sim/base/decimal.h"

#include <charconv>
#include <limits>
#include <system_error>

#include "sim/base/check.h"

namespace ringspan {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr Wide kMostInt64 = static_cast<Wide>(std::numeric_limits<std::int64_t>::max());

// Exponents beyond this are the same as infinitely large or small for an int64.
constexpr int kExponentLimit = 1'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Collects significant digits. Zeros are held back until another digit needs them, so that
// "1.50000000000000000000000" counts two.
class DigitCollector {
 public:
  void add(char digit, bool after_point) {
    any_ = true;
    if (after_point) --exponent_;
    if (digit == '0' && value_.digits == 0) return;
    ++pending_;
    if (digit == '0') return;
    significant_ += pending_;
    if (significant_ > kMostDigits) {
      overflow_ = true;
      return;
    }
    for (int i = 0; i < pending_; ++i) value_.digits *= 10;
    value_.digits += static_cast<std::uint64_t>(digit - '0');
    pending_ = 0;
  }

  bool any() const { return any_; }
  bool overflow() const { return overflow_; }
  // Zeros still held back shift the value.
  Decimal finish() const {
    Decimal result = value_;
    if (result.digits == 0) return {};
    result.exponent = exponent_ + pending_;
    return result;
  }

 private:
  Decimal value_;
  int exponent_ = 0;
  int pending_ = 0;
  int significant_ = 0;
  bool any_ = false;
  bool overflow_ = false;
};

// Reads "e-3" at `at`; leaves `at` alone when no exponent stands there.
int scan_exponent(std::string_view text, std::size_t& at) {
  std::size_t i = at;
  if (i >= text.size() || (text[i] != 'e' && text[i] != 'E')) return 0;
  ++i;
  const bool negative = i < text.size() && text[i] == '-';
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
  if (i >= text.size() || !is_digit(text[i])) return 0;
  int exponent = 0;
  const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), exponent);
  if (error != std::errc{} || exponent > kExponentLimit) exponent = kExponentLimit;
  at = static_cast<std::size_t>(end - text.data());
  return negative ? -exponent : exponent;
}

}  // namespace

DecimalScan scan_decimal(std::string_view text) {
  // Longer than any number a person or a program writes; keeps the arithmetic below in range.
  constexpr std::size_t kLongestNumber = 400;
  DecimalScan scan;
  std::size_t i = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) ++i;
  DigitCollector digits;
  bool after_point = false;
  for (; i < text.size(); ++i) {
    if (text[i] == '.' && !after_point) {
      after_point = true;
    } else if (is_digit(text[i])) {
      digits.add(text[i], after_point);
    } else {
      break;
    }
    if (i > kLongestNumber) return {DecimalStatus::TooManyDigits, {}, i};
  }
  if (!digits.any()) return scan;
  scan.value = digits.finish();
  scan.value.exponent += scan_exponent(text, i);
  scan.value.negative = negative && scan.value.digits != 0;
  scan.status = digits.overflow() ? DecimalStatus::TooManyDigits : DecimalStatus::Ok;
  scan.length = i;
  return scan;
}

ScaledInteger scale_decimal(const Decimal& value, std::int64_t numerator,
                            std::int64_t denominator) {
  RINGSPAN_CHECK(!value.negative && numerator > 0 && denominator > 0, "a scale must be positive");
  // 10^19 x 2^43 < 2^107, and the loop stops growing it at 2^63 x 16 x 10.
  Wide product = static_cast<Wide>(value.digits) * static_cast<Wide>(numerator);
  Wide divisor = static_cast<Wide>(denominator);
  if (product == 0) return {true, true, 0};
  for (int e = value.exponent; e > 0; --e) {
    product *= 10;
    if (product / divisor > kMostInt64) return {};
  }
  for (int e = value.exponent; e < 0; ++e) {
    divisor *= 10;
    if (divisor / 2 > product) return {true, false, 0};  // less than a half
  }
  const Wide rounded = (product + divisor / 2) / divisor;
  if (rounded > kMostInt64) return {};
  return {true, product % divisor == 0, static_cast<std::int64_t>(rounded)};
}

}  // namespace ringspan

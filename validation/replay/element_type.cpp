#include "validation/replay/element_type.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "models/collectives/datatype.h"

namespace ringspan {

namespace {

// Sums of values up to this stay small enough for every wider type.
constexpr double kEnough = 4096;

ElementType integer(int bytes, bool is_signed) {
  const double most = std::ldexp(1.0, 8 * bytes - (is_signed ? 1 : 0)) - 1;
  return {bytes, false, is_signed, 0, 0, false, std::min(most, kEnough)};
}

ElementType floating(int exponent_bits, int mantissa_bits, bool has_infinity = true) {
  const double most = std::ldexp(1.0, mantissa_bits + 1);
  return {(1 + exponent_bits + mantissa_bits) / 8,
          true,
          true,
          exponent_bits,
          mantissa_bits,
          has_infinity,
          std::min(most, kEnough)};
}

std::uint64_t raw_bits(const std::byte* from, int bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, static_cast<std::size_t>(bytes));  // little-endian machines only
  return bits;
}

double load_float(const ElementType& type, std::uint64_t bits) {
  const int sign_at = type.exponent_bits + type.mantissa_bits;
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << type.mantissa_bits) - 1);
  const auto top = static_cast<int>((std::uint64_t{1} << type.exponent_bits) - 1);
  const auto exponent = static_cast<int>((bits >> type.mantissa_bits) & static_cast<unsigned>(top));
  const double sign = ((bits >> sign_at) & 1) != 0 ? -1 : 1;
  const int bias = (1 << (type.exponent_bits - 1)) - 1;
  const bool all_ones = mantissa == (std::uint64_t{1} << type.mantissa_bits) - 1;
  if (exponent == top && (type.has_infinity || all_ones)) {
    const bool infinite = type.has_infinity && mantissa == 0;
    return infinite ? sign * std::numeric_limits<double>::infinity()
                    : std::numeric_limits<double>::quiet_NaN();
  }
  const double fraction = std::ldexp(static_cast<double>(mantissa), -type.mantissa_bits);
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias);
  return sign * std::ldexp(1 + fraction, exponent - bias);
}

// Beyond the largest value: infinity, or not a number where there is none.
std::uint64_t store_float(const ElementType& type, double value) {
  const int bias = (1 << (type.exponent_bits - 1)) - 1;
  const std::uint64_t top = (std::uint64_t{1} << type.exponent_bits) - 1;
  const std::uint64_t sign =
      std::signbit(value) ? std::uint64_t{1} << (type.exponent_bits + type.mantissa_bits) : 0;
  const std::uint64_t special = top << type.mantissa_bits;
  const std::uint64_t ones = (std::uint64_t{1} << type.mantissa_bits) - 1;
  if (std::isnan(value)) return sign | special | ones;
  if (std::isinf(value)) return sign | special | (type.has_infinity ? 0 : ones);
  if (value == 0) return sign;
  int exponent = 0;
  std::frexp(std::abs(value), &exponent);
  const int shift = std::max(exponent - 1, 1 - bias);
  // In units of the last place; nearbyint rounds to even.
  const auto scaled = static_cast<std::uint64_t>(
      std::nearbyint(std::ldexp(std::abs(value), type.mantissa_bits - shift)));
  // A carry out of the mantissa goes on into the exponent, as it should.
  const std::uint64_t biased = static_cast<std::uint64_t>(shift + bias - 1) << type.mantissa_bits;
  const std::uint64_t bits = scaled >= (std::uint64_t{1} << type.mantissa_bits) || shift > 1 - bias
                                 ? biased + scaled
                                 : scaled;
  const std::uint64_t largest = type.has_infinity ? special - 1 : (special | ones) - 1;
  if (bits > largest) return sign | special | (type.has_infinity ? 0 : ones);
  return sign | bits;
}

}  // namespace

ElementType element_type(std::string_view dtype) {
  dtype_size(dtype);  // refuses unknown names
  static const std::array<std::pair<std::string_view, ElementType>, 12> kTypes = {{
      {"int8", integer(1, true)},
      {"uint8", integer(1, false)},
      {"int32", integer(4, true)},
      {"uint32", integer(4, false)},
      {"int64", integer(8, true)},
      {"uint64", integer(8, false)},
      {"half", floating(5, 10)},
      {"float", floating(8, 23)},
      {"double", floating(11, 52)},
      {"bfloat16", floating(8, 7)},
      {"f8e4m3", floating(4, 3, false)},
      {"f8e5m2", floating(5, 2)},
  }};
  return std::find_if(kTypes.begin(), kTypes.end(),
                      [&](const auto& entry) { return entry.first == dtype; })
      ->second;
}

double load_element(const ElementType& type, const std::byte* from) {
  const std::uint64_t bits = raw_bits(from, type.bytes);
  if (type.is_float) return load_float(type, bits);
  if (!type.is_signed) return static_cast<double>(bits);
  const int unused = 64 - 8 * type.bytes;
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

void store_element(const ElementType& type, double value, std::byte* to) {
  std::uint64_t bits = 0;
  if (type.is_float) {
    bits = store_float(type, value);
  } else {
    bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
  std::memcpy(to, &bits, static_cast<std::size_t>(type.bytes));
}

}  // namespace ringspan

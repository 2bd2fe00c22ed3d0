#pragma once

// nccl-tests' data types as bytes in memory, so that results can be checked without a GPU and
// without the compiler's own half or bfloat16.

#include <cstddef>
#include <string_view>

namespace ringspan {

struct ElementType {
  int bytes = 4;
  bool is_float = true;
  bool is_signed = true;
  // Of floating point: IEEE-like, exponent bias 2^(exponent_bits-1) - 1.
  int exponent_bits = 8;
  int mantissa_bits = 23;
  bool has_infinity = true;  // f8e4m3 has none: its largest value is 448
  // All whole numbers up to this are exact.
  double exact_up_to = 64;
};

// Throws InputError for an unknown name.
ElementType element_type(std::string_view dtype);

// The value of the element at `from`. 64-bit integers beyond 2^53 are rounded.
double load_element(const ElementType& type, const std::byte* from);
// Rounded to nearest, ties to even; integers are cut to their type.
void store_element(const ElementType& type, double value, std::byte* to);

}  // namespace ringspan

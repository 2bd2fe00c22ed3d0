#include "validation/replay/element_type.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "models/collectives/datatype.h"

namespace ringspan {
namespace {

std::uint64_t bits_of(const char* dtype, double value) {
  std::array<std::byte, 8> memory{};
  store_element(element_type(dtype), value, memory.data());
  std::uint64_t bits = 0;
  std::memcpy(&bits, memory.data(), memory.size());
  return bits;
}

double value_of(const char* dtype, std::uint64_t bits) {
  std::array<std::byte, 8> memory{};
  std::memcpy(memory.data(), &bits, memory.size());
  return load_element(element_type(dtype), memory.data());
}

// IEEE 754 binary16: 1 is 0x3c00, the largest 65504 is 0x7bff, the least 2^-24 is 0x0001.
TEST(ElementType, HalfIsIeeeBinary16) {
  EXPECT_EQ(bits_of("half", 1), 0x3c00U);
  EXPECT_EQ(bits_of("half", -2), 0xc000U);
  EXPECT_EQ(bits_of("half", 65504), 0x7bffU);
  EXPECT_EQ(bits_of("half", std::ldexp(1.0, -24)), 0x0001U);
  EXPECT_EQ(bits_of("half", 65536), 0x7c00U);  // infinity
  // 2049 lies between 2048 and 2050: to even, which is 2048; 2051 to 2052.
  EXPECT_EQ(value_of("half", bits_of("half", 2049)), 2048);
  EXPECT_EQ(value_of("half", bits_of("half", 2051)), 2052);
}

// bfloat16 is the upper half of a float: 1 is 0x3f80; 8 bits of mantissa: 257 goes to 256.
TEST(ElementType, Bfloat16IsTheUpperHalfOfAFloat) {
  EXPECT_EQ(bits_of("bfloat16", 1), 0x3f80U);
  EXPECT_EQ(bits_of("bfloat16", 3.140625), 0x4049U);
  EXPECT_EQ(value_of("bfloat16", bits_of("bfloat16", 257)), 256);
}

// OCP 8-bit floating point: E4M3 has no infinity, its largest is 448 = 0x7e; E5M2's is 57344 =
// 0x7b.
TEST(ElementType, F8IsOcps) {
  EXPECT_EQ(bits_of("f8e4m3", 1), 0x38U);
  EXPECT_EQ(bits_of("f8e4m3", 448), 0x7eU);
  EXPECT_EQ(bits_of("f8e4m3", 1000), 0x7fU);  // not a number
  EXPECT_TRUE(std::isnan(value_of("f8e4m3", 0x7f)));
  EXPECT_EQ(bits_of("f8e5m2", 1), 0x3cU);
  EXPECT_EQ(bits_of("f8e5m2", 57344), 0x7bU);
  EXPECT_EQ(bits_of("f8e5m2", 100000), 0x7cU);
}

TEST(ElementType, FloatAndDoubleAreTheMachines) {
  for (const double value : {0.1, -3.5e-12, 1e30, std::ldexp(1.0, -149)}) {
    const auto single = static_cast<float>(value);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &single, sizeof bits);
    EXPECT_EQ(bits_of("float", value), bits) << value;
    EXPECT_EQ(value_of("float", bits), single) << value;
    std::uint64_t wide = 0;
    std::memcpy(&wide, &value, sizeof wide);
    EXPECT_EQ(bits_of("double", value), wide) << value;
  }
}

TEST(ElementType, IntegersKeepTheirSign) {
  EXPECT_EQ(value_of("int8", bits_of("int8", -3)), -3);
  EXPECT_EQ(value_of("uint8", 0xfd), 253);
  EXPECT_EQ(value_of("int64", bits_of("int64", -1e15)), -1e15);
}

// Up to here sums of whole numbers are exact, in every type.
TEST(ElementType, WholeNumbersAreExactAsFarAsItSays) {
  for (const std::string& dtype : dtype_names()) {
    const ElementType type = element_type(dtype);
    EXPECT_EQ(type.bytes, dtype_size(dtype));
    for (double value = 0; value <= type.exact_up_to; ++value) {
      EXPECT_EQ(value_of(dtype.c_str(), bits_of(dtype.c_str(), value)), value) << dtype;
    }
  }
}

}  // namespace
}  // namespace ringspan

#include "sim/base/growing_array.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace ringspan {
namespace {

struct Record {
  std::uint64_t value = 7;
  std::uint32_t other = 0;
};

TEST(GrowingArray, KeepsItsElementsWhileItGrowsAndStartsOnACacheLine) {
  // 100,000 x 16 B: from a small block of the heap to one of 2 MB, past every threshold of malloc.
  GrowingArray<Record> array;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    Record* added = array.extend();
    ASSERT_EQ(added, array.data() + i);
    ASSERT_EQ(added->value, 7u);
    added->other = i;
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 64, 0u);
  }
  ASSERT_EQ(array.size(), 100'000u);
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    ASSERT_EQ(array[i].other, i);
  }
}

TEST(GrowingArray, ExtendsByMoreThanItHolds) {
  GrowingArray<Record> array;
  array.extend(3)[2].value = 1;
  array.extend(1'000);
  EXPECT_EQ(array.size(), 1'003u);
  EXPECT_EQ(array[2].value, 1u);
  EXPECT_EQ(array[1'002].value, 7u);
}

}  // namespace
}  // namespace ringspan

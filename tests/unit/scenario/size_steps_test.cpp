#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/scenario/scenario.h"
#include "models/collectives/datatype.h"
#include "sim/base/input_error.h"

namespace ringspan {
namespace {

using testing::ElementsAre;

std::vector<std::int64_t> steps(std::int64_t least, std::int64_t most, double factor) {
  std::vector<std::int64_t> counts;
  for (const Bytes size : size_steps(Bytes{least}, Bytes{most}, factor))
    counts.push_back(size.count);
  return counts;
}

TEST(SizeSteps, MultiplyUpToTheLargest) {
  EXPECT_THAT(steps(8, 64, 2), ElementsAre(8, 16, 32, 64));
  EXPECT_THAT(steps(8, 63, 2), ElementsAre(8, 16, 32));
  EXPECT_THAT(steps(100, 100, 2), ElementsAre(100));
}

TEST(SizeSteps, GoOnFromEightAfterZero) {
  EXPECT_THAT(steps(0, 32, 2), ElementsAre(0, 8, 16, 32));
  EXPECT_THAT(steps(0, 0, 2), ElementsAre(0));
  EXPECT_THAT(steps(0, 7, 2), ElementsAre(0));
}

TEST(SizeSteps, RoundFractionalFactorsAndStillAscend) {
  // 1 x 1.5 = 1.5 -> 2; 2 x 1.5 = 3; 3 x 1.5 = 4.5 -> 5.
  EXPECT_THAT(steps(1, 5, 1.5), ElementsAre(1, 2, 3, 5));
  // 1 x 1.1 rounds to 1 again: one more byte instead.
  EXPECT_THAT(steps(1, 4, 1.1), ElementsAre(1, 2, 3, 4));
}

TEST(SizeSteps, DoNotOverflowNearTheLargestSize) {
  const std::int64_t top = std::int64_t{1} << 62;
  EXPECT_THAT(steps(top / 2, top, 2), ElementsAre(top / 2, top));
  EXPECT_THAT(steps(top, top, 1e300), ElementsAre(top));
  EXPECT_THAT(steps(top, top, 1.5), ElementsAre(top));
}

TEST(SizeSteps, RefuseAHopelessNumberOfRows) {
  // One byte at a time up to 10^7, then ln(2^30 / 10^7) / ln(1.0000001), 46,762,000 more.
  try {
    size_steps(Bytes{8}, Bytes{1 << 30}, 1.0000001);
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::MatchesRegex(
                                  "error: these sizes would make about 567[0-9]{5} rows, more than "
                                  "10000\nhint: give a larger factor with -f, or a narrower range "
                                  "with -b and -e"));
  }
}

TEST(DataTypes, HaveTheSizesOfTheirNames) {
  EXPECT_EQ(dtype_size("float"), 4);
  EXPECT_EQ(dtype_size("bfloat16"), 2);
  EXPECT_EQ(dtype_size("f8e4m3"), 1);
  EXPECT_EQ(dtype_size("uint64"), 8);
  EXPECT_EQ(dtype_names().size(), 12U);
}

TEST(DataTypes, UnknownNamesAreRefusedWithTheNearest) {
  try {
    dtype_size("floot");
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "error: unknown data type 'floot'\nhint: did you mean 'float'?");
  }
}

}  // namespace
}  // namespace ringspan

#include "app/study/crossover.h"

#include <gtest/gtest.h>

#include <vector>

namespace ringspan {
namespace {

std::vector<Crossover> of(std::vector<double> sizes, std::vector<double> first,
                          std::vector<double> second) {
  return crossovers(sizes, first, second);
}

// Ratios 1/2 at 100 and 2 at 400 are equally far from 1: the middle of 100 and 400 on a
// logarithmic axis is 200.
TEST(Crossovers, AreInterpolatedOnLogarithmicAxes) {
  const auto found = of({100, 400}, {1, 4}, {2, 2});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].bytes, 200, 1e-9);
  EXPECT_EQ(found[0].below, 100);
  EXPECT_EQ(found[0].above, 400);
  EXPECT_TRUE(found[0].first_below);
}

TEST(Crossovers, EqualTimesAreNoneByThemselves) {
  EXPECT_TRUE(of({1, 2, 4}, {1, 2, 3}, {1, 2, 3}).empty());
  EXPECT_TRUE(of({1, 2, 4}, {1, 2, 3}, {2, 2, 4}).empty());
  const auto found = of({1, 2, 4}, {2, 2, 2}, {1, 2, 4});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].below, 1);
  EXPECT_EQ(found[0].above, 4);
  EXPECT_FALSE(found[0].first_below);
}

TEST(Crossovers, MayBeSeveral) {
  EXPECT_EQ(of({1, 2, 4, 8}, {1, 2, 1, 2}, {2, 1, 2, 1}).size(), 3U);
}

}  // namespace
}  // namespace ringspan

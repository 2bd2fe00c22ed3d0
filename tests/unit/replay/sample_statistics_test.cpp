#include "validation/replay/sample_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ringspan {
namespace {

// 1, 2, 3, 4: mean 2.5; squares 2.25 + 0.25 + 0.25 + 2.25 = 5, over 3; p50 halfway between 2 and 3;
// p95 at 0.95 x 3 = 2.85, that is 3 + 0.85.
TEST(SampleStatistics, OfFour) {
  const std::vector<double> samples = {4, 1, 3, 2};
  const SampleStatistics result = sample_statistics(samples);
  EXPECT_DOUBLE_EQ(result.least, 1);
  EXPECT_DOUBLE_EQ(result.most, 4);
  EXPECT_DOUBLE_EQ(result.mean, 2.5);
  EXPECT_DOUBLE_EQ(result.p50, 2.5);
  EXPECT_DOUBLE_EQ(result.p95, 3.85);
  EXPECT_DOUBLE_EQ(result.p99, 3.97);
  EXPECT_DOUBLE_EQ(result.deviation, std::sqrt(5.0 / 3.0));
}

TEST(SampleStatistics, OneSampleDeviatesFromNothing) {
  const SampleStatistics result = sample_statistics(std::vector<double>{7});
  EXPECT_EQ(result.p99, 7);
  EXPECT_EQ(result.deviation, 0);
}

}  // namespace
}  // namespace ringspan

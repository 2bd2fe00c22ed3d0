#include "validation/comparison/error_summary.h"

#include <gtest/gtest.h>

#include <array>

namespace ringspan {
namespace {

TEST(ErrorSummary, QuantilesAreInterpolatedBetweenRanks) {
  const std::array values = {1.0, 2.0, 4.0, 8.0};
  EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 8);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 3);  // rank 1.5: between 2 and 4
  // Rank 0.9 x 3 = 2.7: 4 + 0.7 x (8 - 4).
  EXPECT_DOUBLE_EQ(quantile(values, 0.9), 6.8);
  EXPECT_DOUBLE_EQ(quantile(std::span(values).first(1), 0.9), 1);
}

TEST(ErrorSummary, MagnitudesCountButTheBiasKeepsItsSign) {
  const std::array errors = {-0.3, 0.1, 0.2};
  const ErrorSummary summary = summarize_errors(errors);
  EXPECT_EQ(summary.count, 3u);
  EXPECT_DOUBLE_EQ(summary.median, 0.2);
  EXPECT_DOUBLE_EQ(summary.p90, 0.28);  // rank 1.8: 0.2 + 0.8 x 0.1
  EXPECT_DOUBLE_EQ(summary.worst, 0.3);
  EXPECT_NEAR(summary.bias, 0, 1e-15);
}

TEST(ErrorSummary, NothingIsAllZero) {
  EXPECT_EQ(summarize_errors({}).count, 0u);
  EXPECT_EQ(summarize_cases({}).median, 0);
}

TEST(ErrorSummary, EveryCaseCountsOnceWhateverItsRows) {
  // Medians 0.1, 0.4 and (of |-0.2|, |0.4|) 0.3; biases 0.1, -0.4 and 0.1.
  const std::array<std::vector<double>, 4> cases = {
      {{0.1, 0.1, 0.1, 0.1, 0.1}, {-0.4}, {-0.2, 0.4}, {}}};
  const ErrorSummary summary = summarize_cases(cases);
  EXPECT_EQ(summary.count, 3u);
  EXPECT_DOUBLE_EQ(summary.median, 0.3);
  EXPECT_DOUBLE_EQ(summary.worst, 0.4);
  EXPECT_NEAR(summary.bias, -0.2 / 3, 1e-15);
}

}  // namespace
}  // namespace ringspan

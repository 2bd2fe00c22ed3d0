#include "validation/comparison/interval_summary.h"

#include <gtest/gtest.h>

namespace ringspan {
namespace {

// Predicted at 100 us with an interval from 90 to 120 us.
ComparedRow row(FabricClass fabric_class, std::int64_t bytes, double measured, bool extrapolated) {
  ComparedRow row;
  row.fabric_class = fabric_class;
  row.row.bytes = bytes;
  row.row.time_us = measured;
  row.prediction.time = microseconds(100);
  row.prediction.interval = PredictionInterval{0.9, 1.2};
  row.prediction.extrapolated = extrapolated;
  return row;
}

TEST(IntervalSummary, CountsRowsWithinTheirIntervalsPerClassAndInAndOutsideTheFit) {
  constexpr FabricClass kNvlink = FabricClass::NvlinkDomain;
  constexpr FabricClass kPcie = FabricClass::PcieServer;
  Comparison comparison;
  comparison.rows = {row(kNvlink, 8, 91, false), row(kNvlink, 8, 119, false),
                     row(kNvlink, 8, 89, false), row(kNvlink, 8, 121, false),
                     row(kPcie, 8 << 20, 100, true)};
  ComparedRow without = row(kNvlink, 8, 100, false);
  without.prediction.interval.reset();
  comparison.rows.push_back(without);
  const std::vector<IntervalLine> lines = summarize_intervals(comparison);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].fabric_class, kNvlink);
  EXPECT_EQ(lines[0].size_class, SizeClass::Small);
  EXPECT_FALSE(lines[0].extrapolated);
  EXPECT_EQ(lines[0].rows, 4u);
  EXPECT_EQ(lines[0].coverage, 0.5);
  EXPECT_NEAR(lines[0].width, 4.0 / 3, 1e-12);
  EXPECT_EQ(lines[1].fabric_class, kPcie);
  EXPECT_TRUE(lines[1].extrapolated);
  EXPECT_EQ(lines[1].coverage, 1);
  // Over all: inside, then outside.
  EXPECT_FALSE(lines[2].fabric_class.has_value());
  EXPECT_EQ(lines[2].rows, 4u);
  EXPECT_TRUE(lines[3].extrapolated);
}

}  // namespace
}  // namespace ringspan

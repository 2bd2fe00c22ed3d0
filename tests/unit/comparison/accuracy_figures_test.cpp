// The figures of a page about accuracy: what was measured, case by case, beside a baseline on the
// same rows, and how far measurements of one thing differ.

#include <gtest/gtest.h>

#include "validation/comparison/baseline_summary.h"
#include "validation/comparison/case_summary.h"
#include "validation/comparison/repeat_spread.h"
#include "validation/comparison/row_ranges.h"

namespace ringspan {
namespace {

constexpr std::int64_t kLarge = 4 << 20;

ComparedRow row(const char* case_name, std::int64_t bytes, double measured_us, int predicted_us) {
  ComparedRow row;
  row.row.system = "a";
  row.row.gpus = 8;
  row.row.bytes = bytes;
  row.row.time_us = measured_us;
  row.row.case_name = case_name;
  row.prediction.time = microseconds(predicted_us);
  return row;
}

TEST(RowRanges, ClassesWithRowsThenAll) {
  Comparison comparison;
  comparison.rows = {row("x", 8, 10, 10), row("y", kLarge, 10, 10), row("y", 64, 10, 10)};
  comparison.rows[1].row.gpus = 16;
  comparison.rows[1].row.system = "b";
  comparison.rows[1].fabric_class = FabricClass::SeveralServers;
  const std::vector<RowRange> ranges = row_ranges(comparison);
  ASSERT_EQ(ranges.size(), 3u);
  EXPECT_EQ(ranges[0].fabric_class, FabricClass::NvlinkDomain);
  EXPECT_EQ(ranges[0].rows, 2u);
  EXPECT_EQ(ranges[0].cases, 2u);
  EXPECT_EQ(ranges[0].most_bytes, 64);
  EXPECT_EQ(ranges[1].rows, 1u);
  EXPECT_EQ(ranges[2].fabric_class, std::nullopt);
  EXPECT_EQ(ranges[2].rows, 3u);
  EXPECT_EQ(ranges[2].cases, 2u);
  EXPECT_EQ(ranges[2].systems, 2u);
  EXPECT_EQ(ranges[2].least_ranks, 8);
  EXPECT_EQ(ranges[2].most_ranks, 16);
  EXPECT_EQ(ranges[2].least_bytes, 8);
  EXPECT_EQ(ranges[2].most_bytes, kLarge);
}

TEST(BaselineSummary, OursIsTakenOnTheRowsThatTheBaselineHasATimeFor) {
  Comparison comparison;
  comparison.rows = {row("x", 8, 100, 110), row("x", 8, 100, 150)};
  comparison.rows[0].prediction.baseline = microseconds(80);
  const BaselineSummary summary = summarize_beside_baseline(comparison);
  EXPECT_EQ(summary.over_rows.back().ours.count, 1u);
  EXPECT_NEAR(summary.over_rows.back().ours.median, 0.1, 1e-9);
  EXPECT_NEAR(summary.over_rows.back().baseline.bias, -0.2, 1e-9);
  EXPECT_EQ(summary.over_cases.back().ours.count, 1u);
  comparison.rows[0].prediction.baseline.reset();
  EXPECT_TRUE(summarize_beside_baseline(comparison).over_rows.empty());
}

TEST(CaseSummary, EachCaseBySizeAndTheWorstFirst) {
  Comparison comparison;
  comparison.rows = {row("good", 8, 100, 110), row("bad", 8, 100, 150),
                     row("bad", kLarge, 100, 70)};
  const std::vector<CaseLine> lines = summarize_each_case(comparison);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].name, "bad");
  EXPECT_EQ(lines[0].all.count, 2u);
  EXPECT_NEAR(lines[0].all.median, 0.4, 1e-9);  // of 0.5 and 0.3
  EXPECT_NEAR(lines[0].all.bias, 0.1, 1e-9);    // of +0.5 and -0.3
  EXPECT_NEAR(lines[0].small.median, 0.5, 1e-9);
  EXPECT_NEAR(lines[0].large.median, 0.3, 1e-9);
  EXPECT_EQ(lines[1].large.count, 0u);
  const std::vector<CaseLine> worst = worst_cases(lines, 1);
  ASSERT_EQ(worst.size(), 1u);
  EXPECT_EQ(worst[0].name, "bad");
}

// Three cases measured 100, 110 and 200 us for one question. Predicted from the others' medians:
// 155, 150 and 105 us, off by 55 %, 36.36 % and -47.5 %.
TEST(RepeatSpread, ARowIsPredictedByTheMedianOfTheOtherCases) {
  Comparison comparison;
  comparison.rows = {row("x", 8, 100, 100), row("y", 8, 110, 100), row("z", 8, 200, 100)};
  const std::vector<RepeatLine> lines = summarize_repeats(comparison);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front().group, "nvlink-domain");
  EXPECT_EQ(lines.front().size_class, SizeClass::Small);
  EXPECT_EQ(lines.back().others.count, 3u);
  EXPECT_NEAR(lines.back().others.median, 0.475, 1e-9);
  EXPECT_NEAR(lines.back().others.worst, 0.55, 1e-9);
  EXPECT_NEAR(lines.back().ours.worst, 0.5, 1e-9);  // 100 for 200
}

TEST(RepeatSpread, WhatTheSimulatorTellsApartIsNoRepeat) {
  Comparison comparison;
  comparison.rows = {row("x", 8, 100, 100), row("y", 8, 110, 101), row("y", 16, 110, 100),
                     row("x", 8, 120, 100)};
  EXPECT_TRUE(summarize_repeats(comparison).empty());
}

}  // namespace
}  // namespace ringspan

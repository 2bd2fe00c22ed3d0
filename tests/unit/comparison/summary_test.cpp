#include "validation/comparison/summary.h"

#include <gtest/gtest.h>

#include <string>

namespace ringspan {
namespace {

// A row measured at 100 us and predicted at 100 (1 + error) us.
ComparedRow row(const std::string& system, std::int64_t bytes, double error,
                const std::string& case_name,
                FabricClass fabric_class = FabricClass::NvlinkDomain) {
  ComparedRow row;
  row.row.system = system;
  row.row.bytes = bytes;
  row.row.time_us = 100;
  row.row.case_name = case_name;
  row.fabric_class = fabric_class;
  row.prediction.time = Duration{static_cast<std::int64_t>((1 + error) * 100e6 + 0.5)};
  return row;
}

constexpr std::int64_t kSmall = (4 << 20) - 1;
constexpr std::int64_t kLarge = 4 << 20;

Comparison some() {
  Comparison comparison;
  comparison.rows = {row("b", kLarge, 0.4, "x", FabricClass::SeveralServers),
                     row("a", kSmall, 0.1, "y"), row("a", kSmall, -0.3, "y"),
                     row("a", kLarge, -0.5, "y")};
  return comparison;
}

TEST(Summary, LinesGoBySystemThenSmallBeforeLarge) {
  const ComparisonSummary summary = summarize(some(), 2);
  ASSERT_EQ(summary.by_system.size(), 3u);
  EXPECT_EQ(summary.by_system[0].group, "a");
  EXPECT_EQ(summary.by_system[0].size_class, SizeClass::Small);
  EXPECT_EQ(summary.by_system[0].ours.count, 2u);
  EXPECT_NEAR(summary.by_system[0].ours.median, 0.2, 1e-9);
  EXPECT_NEAR(summary.by_system[0].ours.bias, -0.1, 1e-9);
  EXPECT_EQ(summary.by_system[1].size_class, SizeClass::Large);
  EXPECT_EQ(summary.by_system[2].group, "b");
}

TEST(Summary, ClassesWithoutRowsAreLeftOutAndAllComesLast) {
  const ComparisonSummary summary = summarize(some(), 2);
  std::string groups;
  for (const SummaryLine& line : summary.over_rows) {
    groups += line.group + ":" +
              std::string(line.size_class ? size_class_name(*line.size_class) : "all") + " ";
  }
  EXPECT_EQ(groups,
            "nvlink-domain:small nvlink-domain:large several-servers:large all:small all:large "
            "all:all ");
  EXPECT_EQ(summary.over_rows.back().ours.count, 4u);
  EXPECT_NEAR(summary.over_rows.back().ours.median, 0.35, 1e-9);  // 0.1 0.3 0.4 0.5
  // Cases: x 0.4, y (of 0.1, 0.3, 0.5) 0.3.
  EXPECT_EQ(summary.over_cases.back().ours.count, 2u);
  EXPECT_NEAR(summary.over_cases.back().ours.median, 0.35, 1e-9);
  EXPECT_NEAR(summary.over_cases.back().ours.worst, 0.4, 1e-9);
}

TEST(Summary, TheWorstRowsComeFirst) {
  EXPECT_EQ(summarize(some(), 2).worst, (std::vector<std::size_t>{3, 0}));
}

TEST(Summary, ToleranceHoldsOverRowsAndOverCases) {
  Comparison comparison = some();
  comparison.rows.push_back(row("a", kSmall, 0.1, "y"));
  // Rows: median of 0.1 0.1 0.3 0.4 0.5 is 0.3. Cases: x 0.4 and y 0.2: 0.3, p90 0.38.
  const ComparisonSummary summary = summarize(comparison, 0);
  EXPECT_TRUE(out_of_tolerance(summary, {0.3001, 0.5}).empty());
  const auto misses = out_of_tolerance(summary, {std::nullopt, 0.4});
  ASSERT_EQ(misses.size(), 1u);  // p90 over rows: rank 3.6, 0.4 + 0.6 x 0.1
  EXPECT_EQ(misses.front(), "the p90 of |error| over rows is 0.46, above 0.4");
  EXPECT_EQ(out_of_tolerance(summary, {0.2, std::nullopt}).size(), 2u);
  EXPECT_TRUE(out_of_tolerance(summary, {}).empty());
  EXPECT_TRUE(out_of_tolerance(summarize({}, 0), {0.0, 0.0}).empty());
}

}  // namespace
}  // namespace ringspan

#include "validation/calibration/fit_summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace ringspan {
namespace {

struct Fitted {
  std::vector<MeasuredRow> rows;
  Calibration calibration;
};

void add(Fitted& fitted, const std::string& case_name, std::int64_t bytes, double left_out,
         const std::string& algorithm = "ring") {
  MeasuredRow row;
  row.file = "some/folder/" + case_name + ".csv";
  row.case_name = case_name;
  row.bytes = bytes;
  row.gpus = 8;
  fitted.rows.push_back(row);
  fitted.calibration.rows.push_back(
      {FabricClass::NvlinkDomain, algorithm, 0, 0, std::log(left_out)});
}

TEST(FitSummary, SaysWhichRowsWereFitted) {
  Fitted fitted;
  add(fitted, "a", 1024, 1);
  add(fitted, "a", 8, 1, "tree");
  add(fitted, "b", 64, 1);
  fitted.rows.back().gpus = 2;
  fitted.calibration.base = "nccl-hopper";
  CalibrationOptions options;
  options.seed = 3;
  options.date = "2026-01-31";
  const FitRecord record = fit_record(fitted.rows, fitted.calibration, options);
  EXPECT_EQ(record.sources, (std::vector<std::string>{"a.csv", "b.csv"}));
  EXPECT_EQ(record.rows, 3);
  EXPECT_EQ(record.cases, 2);
  EXPECT_EQ(record.seed, 3u);
  EXPECT_EQ(record.date, "2026-01-31");
  ASSERT_EQ(record.ranges.size(), 1u);
  EXPECT_EQ(record.ranges[0].algorithms, (std::vector<std::string>{"ring", "tree"}));
  EXPECT_EQ(record.ranges[0].least, Bytes{8});
  EXPECT_EQ(record.ranges[0].most, Bytes{1024});
  EXPECT_EQ(record.ranges[0].least_ranks, 2);
  EXPECT_EQ(record.ranges[0].most_ranks, 8);
  // Three rows say nothing about a tenth of them.
  EXPECT_TRUE(record.residuals.empty());
}

TEST(FitSummary, ResidualsAreMeasuredOverPredictedOfRowsLeftOut) {
  Fitted fitted;
  // predicted / measured from 1 / 0.90 to 1 / 1.10 in steps of 0.02: eleven rows.
  for (int i = 0; i <= 10; ++i) {
    add(fitted, i % 2 == 0 ? "a" : "b", std::int64_t{8} << 20, 1 / (0.9 + 0.02 * i));
  }
  const FitRecord record = fit_record(fitted.rows, fitted.calibration, {});
  ASSERT_EQ(record.residuals.size(), 1u);
  EXPECT_EQ(record.residuals[0].size_class, SizeClass::Large);
  EXPECT_EQ(record.residuals[0].rows, 11);
  EXPECT_EQ(record.residuals[0].cases, 2);
  EXPECT_EQ(record.residuals[0].q10, 0.92);
  EXPECT_EQ(record.residuals[0].median, 1);
  EXPECT_EQ(record.residuals[0].q90, 1.08);
}

}  // namespace
}  // namespace ringspan

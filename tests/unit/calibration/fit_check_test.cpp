#include "validation/calibration/fit_check.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/base/input_error.h"

namespace ringspan {
namespace {

// Rows that are predicted as these parts of their times, with the base and after the fit.
Calibration fit_that_leaves(const std::vector<double>& before, const std::vector<double>& after) {
  Calibration calibration;
  calibration.base = "hopper";
  for (std::size_t i = 0; i < after.size(); ++i) {
    calibration.rows.push_back(
        {FabricClass::NvlinkDomain, "ring", std::log(before[i]), std::log(after[i]), 0});
  }
  return calibration;
}

CalibratedConstant constant(const std::string& path, double value, bool at_limit) {
  CalibratedConstant constant;
  constant.parameter = {path, ParameterKind::Microseconds, 0.2, 50, {}, {}};
  constant.value = value;
  constant.fitted = true;
  constant.at_limit = at_limit;
  return constant;
}

std::string refused(const Calibration& calibration) {
  try {
    refuse_what_does_not_fit(calibration);
  } catch (const InputError& error) {
    return error.problems().front().message;
  }
  return {};
}

// Errors of 70, 60 and 10 %: the median is 60 %.
TEST(FitCheck, RefusesAMedianErrorAboveOneHalfAndCountsConstantsAtLimits) {
  Calibration calibration = fit_that_leaves({1, 1, 1}, {0.3, 1.6, 0.9});
  calibration.constants = {constant("launch.call", 50, true), constant("launch.per_gpu", 3, false),
                           constant("p2p.per_peer", 0.2, true)};
  EXPECT_EQ(refused(calibration),
            "no constants explain the rows: the fit leaves a median error of 60.0 %, and 2 of 3 "
            "constants ended at a limit of their range");
}

// Errors of 70, 49 and 10 %: the median is 49 %.
TEST(FitCheck, LetsAMedianErrorBelowOneHalfPass) {
  EXPECT_EQ(refused(fit_that_leaves({1, 1, 1}, {0.3, 1.49, 0.9})), "");
}

TEST(FitCheck, WarnsOfABaseThatWasFarOff) {
  const Calibration near = fit_that_leaves({0.51, 1.49, 1}, {1, 1, 1});
  EXPECT_TRUE(fit_warnings(std::vector<MeasuredRow>(3), near).empty());
  const Calibration far = fit_that_leaves({0.1, 0.2, 1}, {1, 1, 1});
  const std::vector<std::string> warnings = fit_warnings(std::vector<MeasuredRow>(3), far);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings[0].starts_with("with profile hopper the median error was 80.0 %, "))
      << warnings[0];
}

TEST(FitCheck, WarnsOfConstantsAtLimits) {
  Calibration calibration = fit_that_leaves({1}, {1});
  calibration.constants = {constant("launch.call", 50, true), constant("launch.per_gpu", 3, false)};
  EXPECT_EQ(fit_warnings(std::vector<MeasuredRow>(1), calibration),
            std::vector<std::string>{
                "launch.call ended at a limit of its range: 50 us (0.2 us to 50 us)"});
}

// Three small rows that fit hide two large ones that do not: the median over all is 0 %, that of
// the large ones (110 + 130) / 2.
TEST(FitCheck, WarnsOfAClassOfSizesThatIsNotExplained) {
  const Calibration calibration = fit_that_leaves({1, 1, 1, 1, 1}, {1, 1, 1, 2.1, 2.3});
  std::vector<MeasuredRow> rows(5);
  for (MeasuredRow& row : rows) row.bytes = 1024;
  rows[3].bytes = rows[4].bytes = std::int64_t{1} << 30;
  EXPECT_EQ(refused(calibration), "");
  EXPECT_EQ(fit_warnings(rows, calibration),
            std::vector<std::string>{"no constants explain the large rows (nvlink-domain): median "
                                     "error 120.0 % after the fit, 2 rows"});
}

}  // namespace
}  // namespace ringspan

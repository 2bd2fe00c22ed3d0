#include "validation/calibration/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/cost/profile.h"
#include "sim/base/input_error.h"

namespace ringspan {
namespace {

// Built-in constants, but those that small rings over NVLink hang on.
Profile truth(const Catalog& catalog) {
  Profile profile = load_profile(catalog, "nccl-hopper");
  profile.launch.call = microseconds(6);
  for (AlgorithmCost& cost : profile.algorithms) {
    if (cost.algorithm == "ring") cost.nvlink_step[0] = nanoseconds(900);
  }
  return profile;
}

// What a machine with these constants would be measured as: rings with LL on some of a DGX H100's
// GPUs.
std::vector<MeasuredRow> measured(const Profile& profile, const Catalog& catalog,
                                  const std::vector<int>& gpus) {
  std::vector<MeasuredRow> rows;
  for (const int ranks : gpus) {
    RunScenario scenario;
    scenario.collective = CollectiveKind::AllGather;
    scenario.gpus = ranks;
    scenario.algorithm = "ring";
    scenario.protocol = Protocol::LL;
    scenario.granularity = Granularity::Stream;
    scenario.profile = profile;
    for (int i = 0; i < 6; ++i) scenario.sizes.push_back(Bytes{std::int64_t{1024} << i});
    const RunReport report = run_scenario(scenario, load_system(catalog, "dgx-h100"), catalog);
    for (const RunRow& predicted : report.rows) {
      MeasuredRow row;
      row.system = "dgx-h100";
      row.gpus = ranks;
      row.collective = scenario.collective;
      row.algorithm = "ring";
      row.protocol = Protocol::LL;
      row.bytes = predicted.bytes;
      row.time_us = to_microseconds(predicted.time);
      row.case_name = "n" + std::to_string(ranks);
      row.file = "t.csv";
      row.line = row.number = static_cast<int>(rows.size()) + 1;
      rows.push_back(row);
    }
  }
  return rows;
}

const CalibratedConstant& constant(const Calibration& calibration, std::string_view path) {
  const auto found =
      std::find_if(calibration.constants.begin(), calibration.constants.end(),
                   [&](const CalibratedConstant& one) { return one.parameter.path == path; });
  if (found == calibration.constants.end()) throw std::out_of_range(std::string(path));
  return *found;
}

// The base has 6 us + 0 us where the truth has 6.6 us + 6 us, and LL steps of 0.6 us where it has
// 0.9 us. A start that is the call's and one that is the ring's cannot be told apart here: their
// sum is what the rows say.
TEST(Calibration, FindsTheConstantsThatMadeTheRows) {
  const Catalog catalog = builtin_catalog();
  const auto rows = measured(truth(catalog), catalog, {2, 3, 4, 6, 8});
  CalibrationOptions options;
  options.base = load_profile(catalog, "nccl-hopper");
  const Calibration calibration = calibrate(rows, options, catalog);
  EXPECT_EQ(calibration.base, "nccl-hopper");
  const AlgorithmCost& ring = calibration.profile.cost_of("ring");
  EXPECT_NEAR(to_microseconds(calibration.profile.launch.call + ring.base[0]), 12.6, 0.1);
  EXPECT_NEAR(to_microseconds(ring.nvlink_step[0]), 0.9, 0.02);
  EXPECT_TRUE(constant(calibration, "algorithm.ring.nvlink_step.ll").fitted);
  for (const CalibratedRow& row : calibration.rows) {
    EXPECT_LT(std::abs(row.fitted), 0.01);
    EXPECT_LT(std::abs(row.left_out), 0.02);
    EXPECT_GT(std::abs(row.before), 0.2);
  }
  EXPECT_TRUE(calibration.profile.fit.has_value());
}

TEST(Calibration, WhatTheRowsDoNotDetermineStaysAndIsNamed) {
  const Catalog catalog = builtin_catalog();
  std::vector<MeasuredRow> rows = measured(truth(catalog), catalog, {2, 4, 8});
  // Noise: of a few KiB, what a channel's rate adds is lost in it.
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].time_us *= i % 2 == 0 ? 1.1 : 1 / 1.1;
  CalibrationOptions options;
  options.base = load_profile(catalog, "nccl-hopper");
  const Calibration calibration = calibrate(rows, options, catalog);
  const CalibratedConstant& share = constant(calibration, "link_share.nvlink");
  EXPECT_FALSE(share.fitted);
  EXPECT_EQ(share.value, share.base);
  const auto& named = calibration.profile.fit->undetermined;
  EXPECT_EQ(std::find(named.begin(), named.end(), share.parameter.path) != named.end(), share.used);
  // Nothing was measured over PCIe.
  const CalibratedConstant& pcie = constant(calibration, "algorithm.ring.pcie_step.ll");
  EXPECT_FALSE(pcie.used);
  EXPECT_EQ(std::find(named.begin(), named.end(), pcie.parameter.path), named.end());
}

TEST(Calibration, IsTheSameWithAnyThreadsAndTheProfileItWritesIsTheOneItFound) {
  const Catalog catalog = builtin_catalog();
  const auto rows = measured(truth(catalog), catalog, {2, 4, 8});
  CalibrationOptions options;
  options.name = "mine";
  const std::string alone = calibrated_profile_text(calibrate(rows, options, catalog));
  options.threads = 3;
  const Calibration calibration = calibrate(rows, options, catalog);
  EXPECT_EQ(calibrated_profile_text(calibration), alone);
  ConfigDocument document = ConfigDocument::parse_text(alone, "mine.toml");
  const Profile again = read_profile(document);
  EXPECT_EQ(again.name, "mine");
  for (const CalibratedConstant& one : calibration.constants) {
    EXPECT_EQ(one.parameter.value(again), one.parameter.value(calibration.profile))
        << one.parameter.path;
  }
}

std::string refused(const std::vector<MeasuredRow>& rows, const Catalog& catalog) {
  try {
    calibrate(rows, {}, catalog);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Calibration, RefusesRowsOfSeveralGenerationsAndThoseThatCannotBeAsked) {
  const Catalog catalog = builtin_catalog();
  std::vector<MeasuredRow> rows = measured(truth(catalog), catalog, {2, 4});
  EXPECT_EQ(refused({}, catalog),
            "error: there is no measured row to fit\nhint: give at least one file");
  rows[0].system = "dgx-a100";
  EXPECT_EQ(refused(rows, catalog),
            "error: the rows are of GPUs of several generations: dgx-a100 (ampere), dgx-h100 "
            "(hopper)\n"
            "hint: one profile serves one of them: give the rows of each to a run of its own");
  rows[0].system = "dgx-h100";
  rows[0].algorithm = "nvls";
  EXPECT_NE(refused(rows, catalog).find("t.csv:1: error: row 1, column algorithm: "),
            std::string::npos);
}

// The truth's step is beyond the 50 us that a step over NVLink may take.
TEST(Calibration, AConstantThatEndsAtALimitIsToldAndMarked) {
  const Catalog catalog = builtin_catalog();
  Profile slow = truth(catalog);
  for (AlgorithmCost& cost : slow.algorithms) {
    if (cost.algorithm == "ring") cost.nvlink_step[0] = microseconds(70);
  }
  const auto rows = measured(slow, catalog, {2, 3, 4, 6, 8});
  CalibrationOptions options;
  options.base = load_profile(catalog, "nccl-hopper");
  const Calibration calibration = calibrate(rows, options, catalog);
  const CalibratedConstant& step = constant(calibration, "algorithm.ring.nvlink_step.ll");
  EXPECT_EQ(step.value, 50);
  EXPECT_TRUE(step.at_limit);
  const std::string told =
      "algorithm.ring.nvlink_step.ll ended at a limit of its range: 50 us (0.05 us to 50 us)";
  EXPECT_EQ(std::count(calibration.warnings.begin(), calibration.warnings.end(), told), 1);
  EXPECT_NE(calibrated_profile_text(calibration).find(" to 50 us; at a limit of its range"),
            std::string::npos);
}

// 1 KiB to 32 KiB in 10 ms and more, where a launch of 100 us, a start of 200 us and seven steps of
// 50 us, the largest that constants may be, make 0.65 ms, and 0.5 GB/s per channel adds less.
TEST(Calibration, RefusesTimesThatNoConstantsExplain) {
  const Catalog catalog = builtin_catalog();
  std::vector<MeasuredRow> rows = measured(truth(catalog), catalog, {2, 4, 8});
  for (MeasuredRow& row : rows) row.time_us = 10.0 * static_cast<double>(row.bytes);
  EXPECT_NE(refused(rows, catalog)
                .find("error: no constants explain the rows: the fit leaves a "
                      "median error of "),
            std::string::npos);
}

// Six sizes of one question are two constants of all that the rows depend on: calls, starts, steps
// and rates.
TEST(Calibration, ThreeRowsDetermineOneConstantAtMost) {
  const Catalog catalog = builtin_catalog();
  const auto rows = measured(truth(catalog), catalog, {8});
  const Calibration calibration = calibrate(rows, {}, catalog);
  const auto fitted = std::count_if(calibration.constants.begin(), calibration.constants.end(),
                                    [](const CalibratedConstant& one) { return one.fitted; });
  EXPECT_EQ(fitted, 2);
  EXPECT_FALSE(calibration.profile.fit->undetermined.empty());
}

TEST(Calibration, RefusesFewerRowsThanAConstantTakes) {
  const Catalog catalog = builtin_catalog();
  std::vector<MeasuredRow> rows = measured(truth(catalog), catalog, {8});
  rows.resize(2);
  rows.push_back(rows[1]);
  rows[2].case_name = "again";
  rows[2].time_us *= 1.01;
  EXPECT_EQ(
      refused(rows, catalog),
      "error: too few rows to determine a constant: 2 different ones of 3\n"
      "hint: one constant takes 3 different rows of a kind of fabric: measure at least 3 sizes "
      "(--rows-per-constant)");
}

// With the prior alone between them: the second is (0.7 / 0.4)^2, three times as dear.
TEST(Calibration, ABaseThatIsFittedItselfHoldsItsConstantsHarder) {
  const Catalog catalog = builtin_catalog();
  const auto rows = measured(truth(catalog), catalog, {2, 4, 8});
  CalibrationOptions options;
  options.base = load_profile(catalog, "nccl-hopper");
  const auto moved = [&] {
    double sum = 0;  // of squares
    for (const CalibratedConstant& one : calibrate(rows, options, catalog).constants) {
      sum += std::pow(std::log(one.value / one.base), 2);
    }
    return sum;
  };
  const double from_starting_values = moved();
  options.base->fit = FitRecord{};
  EXPECT_LT(moved(), from_starting_values);
}

TEST(Calibration, EndsWhenAskedTo) {
  const Catalog catalog = builtin_catalog();
  const auto rows = measured(truth(catalog), catalog, {2, 4, 8});
  const auto stop = [](const std::string&) { return false; };
  // Whether a first answer comes before the first question whether to go on does not matter.
  const Calibration calibration = calibrate(rows, {}, catalog, stop);
  EXPECT_TRUE(calibration.interrupted || calibration.profile.fit.has_value());
}

}  // namespace
}  // namespace ringspan

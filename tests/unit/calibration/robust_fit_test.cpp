#include "validation/calibration/robust_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace ringspan {
namespace {

// Times a + b s of sizes s = 1, 2, 4, ...; variables are log a and log b, as in a calibration.
std::vector<double> line(double a, double b) {
  std::vector<double> times;
  for (int i = 0; i < 12; ++i) times.push_back(a + b * std::pow(2, i));
  return times;
}

Residuals residuals_against(const std::vector<double>& measured) {
  return [measured](std::span<const FitQuestion> questions) {
    std::vector<std::vector<double>> answers;
    for (const FitQuestion& question : questions) {
      const std::vector<double> times = line(std::exp(question.x[0]), std::exp(question.x[1]));
      answers.emplace_back();
      for (const std::size_t row : question.rows) {
        answers.back().push_back(std::log(times[row] / measured[row]));
      }
    }
    return answers;
  };
}

constexpr std::size_t kRows = 12;

// Every variable moves all rows.
RobustFit fitted(const std::vector<FitVariable>& variables, const Residuals& residuals,
                 const RobustFitOptions& options = {}) {
  std::vector<std::size_t> all(kRows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::vector<std::vector<std::size_t>> moves(variables.size(), all);
  return fit_robustly(variables, std::vector<double>(kRows, 1), moves, residuals, options);
}

FitVariable variable(double start, double low, double high) {
  return {std::log(start), std::log(start), std::log(low), std::log(high)};
}

TEST(RobustFit, FindsTheConstantsThatMadeTheRows) {
  const std::vector<FitVariable> variables = {variable(3, 0.1, 1000), variable(5, 0.01, 1000)};
  RobustFitOptions options;
  options.prior_width = 100;
  const RobustFit fit = fitted(variables, residuals_against(line(20, 0.5)), options);
  EXPECT_NEAR(std::exp(fit.x[0]), 20, 0.02);
  EXPECT_NEAR(std::exp(fit.x[1]), 0.5, 0.0005);
}

TEST(RobustFit, RowsThatNothingExplainsDoNotPullTheOthers) {
  std::vector<double> measured = line(20, 0.5);
  measured[3] *= 4;  // least squares would take this for a 10 % slower start
  const std::vector<FitVariable> variables = {variable(15, 0.1, 1000), variable(1, 0.01, 1000)};
  const RobustFit fit = fitted(variables, residuals_against(measured));
  EXPECT_NEAR(std::exp(fit.x[0]), 20, 0.4);
  EXPECT_NEAR(fit.residuals[3], -std::log(4), 0.03);
}

TEST(RobustFit, StaysWithinBounds) {
  const std::vector<FitVariable> variables = {variable(3, 0.1, 10), variable(1, 0.01, 1000)};
  const RobustFit fit = fitted(variables, residuals_against(line(20, 0.5)));
  EXPECT_DOUBLE_EQ(std::exp(fit.x[0]), 10);
}

TEST(RobustFit, WhatNoRowDependsOnStaysWithThePriorAndIsUncertain) {
  const std::vector<FitVariable> variables = {variable(15, 0.1, 1000), variable(1, 0.01, 1000),
                                              variable(7, 1, 100)};
  // 5 % of noise, up and down in turn.
  std::vector<double> measured = line(20, 0.5);
  for (std::size_t i = 0; i < measured.size(); ++i) measured[i] *= i % 2 == 0 ? 1.05 : 1 / 1.05;
  const RobustFit fit = fitted(variables, residuals_against(measured));
  EXPECT_NEAR(std::exp(fit.x[2]), 7, 1e-6);
  EXPECT_GT(fit.standard_errors[2], 10 * fit.standard_errors[0]);
  // Half of the rows are of the start alone: some 5 % / sqrt(6).
  EXPECT_NEAR(fit.standard_errors[0], 0.02, 0.01);
}

// A question about some variable's rows is one for its derivative here: the start and the steps ask
// one question at a time.
TEST(RobustFit, KnownDerivativesAreEnoughNearTheEnd) {
  const std::vector<FitVariable> variables = {variable(19, 0.1, 1000), variable(0.52, 0.01, 1000)};
  std::size_t asked_together = 0;
  const Residuals model = residuals_against(line(20, 0.5));
  const Residuals counted = [&](std::span<const FitQuestion> questions) {
    if (questions.size() > 1) ++asked_together;
    return model(questions);
  };
  std::vector<std::size_t> all(kRows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::vector<double> weights(kRows, 1);
  RobustFitOptions options;
  options.prior_width = 100;
  options.fresh_derivatives = false;
  // A row's time is a + b s: its logarithm grows with log a by a / (a + b s), else with log b.
  Derivatives known(2);
  for (const double time : line(21, 0.45)) {
    known[0].push_back(21 / time);
    known[1].push_back(1 - 21 / time);
  }
  const RobustFit fit = fit_robustly(variables, weights, {all, all}, counted, options, known);
  EXPECT_EQ(asked_together, 0U);
  EXPECT_NEAR(std::exp(fit.x[0]), 20, 0.02);
  EXPECT_NEAR(std::exp(fit.x[1]), 0.5, 0.0005);
}

// Every row is predicted as twice its time; nothing can move.
TEST(RobustFit, WithoutVariablesTheRowsStayAsTheyAre) {
  const Residuals answer = [](std::span<const FitQuestion> questions) {
    return std::vector(questions.size(), std::vector<double>(kRows, std::log(2)));
  };
  const RobustFit fit = fitted({}, answer);
  EXPECT_FALSE(fit.interrupted);
  EXPECT_EQ(fit.residuals, std::vector<double>(kRows, std::log(2)));
}

TEST(RobustFit, EndsWhenNobodyAnswers) {
  const std::vector<FitVariable> variables = {variable(3, 0.1, 10)};
  const Residuals nobody = [](std::span<const FitQuestion>) {
    return std::vector<std::vector<double>>();
  };
  EXPECT_TRUE(fitted(variables, nobody).interrupted);
}

TEST(RobustCost, IsSquareForSmallAndLinearForLargeResiduals) {
  const std::vector<double> weights = {2};
  const RobustCost cost({}, weights, 0.05, 1);
  const auto of = [&](double residual) { return cost.of_rows(std::span(&residual, 1)); };
  // 2 (sqrt(1 + 0.01^2) - 1) = 1e-4, and 2 (sqrt(1 + 100^2) - 1) = 198.01.
  EXPECT_NEAR(of(0.0005), 1e-4, 1e-8);
  EXPECT_NEAR(of(-5), 198.01, 0.001);
  // The slope is the difference quotient.
  EXPECT_NEAR(cost.slope(0, 0.07), (of(0.07 + 1e-6) - of(0.07 - 1e-6)) / 2e-6, 1e-5);
}

}  // namespace
}  // namespace ringspan

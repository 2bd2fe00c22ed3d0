#include "validation/calibration/robust_fit.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/stop_check.h"
#include "validation/calibration/linearised_fit.h"

namespace ringspan {

namespace {

constexpr double kDerivativeStep = 0.01;
constexpr double kFirstRadius = 0.3;
constexpr double kLargestRadius = 1;
constexpr double kLeastRadius = 2e-3;
// A step that promises less than this part of the cost ends the fit.
constexpr double kLeastGain = 2e-4;
// A step is taken if the cost falls by this part of what was promised.
constexpr double kEnoughOfPromise = 0.1;

class Fitting {
 public:
  Fitting(std::span<const FitVariable> variables, std::span<const double> weights,
          const std::vector<std::vector<std::size_t>>& moves, const Residuals& residuals,
          const RobustFitOptions& options, Derivatives known)
      : cost_(variables, weights, options.loss_scale, options.prior_width),
        moves_(moves),
        residuals_(residuals),
        most_steps_(options.most_steps),
        may_refresh_(options.fresh_derivatives || known.empty()) {
    fit_.derivatives = std::move(known);
  }

  RobustFit run() {
    try {
      begin();
      while (fit_.steps < most_steps_ && !at_rest()) try_step();
      if (may_refresh_ && !fresh_) take_derivatives();
      fit_.standard_errors = linearised().standard_errors();
    } catch (const Stopped&) {
      fit_.interrupted = true;
    }
    return std::move(fit_);
  }

 private:
  std::vector<std::vector<double>> answers(std::span<const FitQuestion> questions) const {
    std::vector<std::vector<double>> answers = residuals_(questions);
    if (answers.empty() && !questions.empty()) throw Stopped();
    return answers;
  }

  std::vector<double> residuals_at(const FitPoint& x) const {
    FitQuestion all{x, std::vector<std::size_t>(cost_.weights().size())};
    std::iota(all.rows.begin(), all.rows.end(), std::size_t{0});
    return std::move(answers(std::span(&all, 1)).front());
  }

  void begin() {
    RINGSPAN_CHECK(moves_.size() == cost_.variables().size(), "every variable moves some rows");
    for (const FitVariable& variable : cost_.variables()) {
      RINGSPAN_CHECK(variable.low <= variable.start && variable.start <= variable.high,
                     "a fit starts within its bounds");
      fit_.x.push_back(variable.start);
    }
    fit_.residuals = residuals_at(fit_.x);
    fit_.cost = cost_.of(fit_.residuals, fit_.x);
    if (fit_.derivatives.empty()) take_derivatives();
  }

  LinearisedFit linearised() const { return {cost_, fit_.x, fit_.residuals, fit_.derivatives}; }

  // By differences, on the side of a bound that is open.
  void take_derivatives() {
    std::vector<FitQuestion> moved;
    std::vector<double> steps;
    for (std::size_t i = 0; i < fit_.x.size(); ++i) {
      const bool up = fit_.x[i] + kDerivativeStep <= cost_.variables()[i].high;
      steps.push_back(up ? kDerivativeStep : -kDerivativeStep);
      moved.push_back({fit_.x, moves_[i]});
      moved.back().x[i] += steps.back();
    }
    const std::vector<std::vector<double>> there = answers(moved);
    fit_.derivatives.assign(moved.size(), std::vector<double>(fit_.residuals.size(), 0));
    for (std::size_t i = 0; i < moved.size(); ++i) {
      for (std::size_t k = 0; k < moved[i].rows.size(); ++k) {
        const std::size_t row = moved[i].rows[k];
        fit_.derivatives[i][row] = (there[i][k] - fit_.residuals[row]) / steps[i];
      }
    }
    fresh_ = true;
  }

  // No step promises anything, with derivatives that can be relied on.
  bool at_rest() {
    while (true) {
      if (radius_ >= kLeastRadius) {
        const LinearisedFit here = linearised();
        step_ = here.best_step(radius_);
        promised_ = fit_.cost - here.promised(step_);
        if (promised_ >= kLeastGain * fit_.cost) return false;
      }
      if (fresh_ || !may_refresh_) return true;
      take_derivatives();
      radius_ = std::max(radius_, kFirstRadius / 4);
    }
  }

  void try_step() {
    ++fit_.steps;
    FitPoint x = fit_.x;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const FitVariable& variable = cost_.variables()[i];
      x[i] = std::clamp(x[i] + step_[i], variable.low, variable.high);
    }
    std::vector<double> residuals = residuals_at(x);
    const double cost = cost_.of(residuals, x);
    const double gain = fit_.cost - cost;
    if (gain < kEnoughOfPromise * promised_) {
      turn_down(x, residuals);
      return;
    }
    const bool disappoints = gain < promised_ / 2;
    const bool old = !fresh_;
    if (!disappoints) radius_ = std::min(2 * radius_, kLargestRadius);
    correct_derivatives(x, residuals);
    fit_.x = std::move(x);
    fit_.residuals = std::move(residuals);
    fit_.cost = cost;
    if (disappoints && old && may_refresh_) take_derivatives();
  }

  // After a step to `x` that is not taken.
  void turn_down(const FitPoint& x, std::span<const double> residuals) {
    if (!fresh_ && may_refresh_) {
      take_derivatives();
      return;
    }
    radius_ /= 4;
    if (!fresh_) correct_derivatives(x, residuals);
  }

  // So that they explain what the residuals are at `x`.
  void correct_derivatives(const FitPoint& x, std::span<const double> residuals) {
    std::vector<double> missed(residuals.begin(), residuals.end());
    std::vector<double> squares(residuals.size(), 0);
    for (std::size_t row = 0; row < missed.size(); ++row) missed[row] -= fit_.residuals[row];
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double step = x[i] - fit_.x[i];
      for (const std::size_t row : moves_[i]) {
        missed[row] -= fit_.derivatives[i][row] * step;
        squares[row] += step * step;
      }
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double step = x[i] - fit_.x[i];
      for (const std::size_t row : moves_[i]) {
        if (squares[row] > 0) fit_.derivatives[i][row] += missed[row] * step / squares[row];
      }
    }
    fresh_ = false;
  }

  RobustCost cost_;
  const std::vector<std::vector<std::size_t>>& moves_;
  const Residuals& residuals_;
  int most_steps_;
  bool may_refresh_;
  bool fresh_ = false;  // the derivatives are those at x
  double radius_ = kFirstRadius;
  FitPoint step_;  // the best from x
  double promised_ = 0;
  RobustFit fit_;
};

}  // namespace

RobustFit fit_robustly(std::span<const FitVariable> variables, std::span<const double> weights,
                       const std::vector<std::vector<std::size_t>>& moves,
                       const Residuals& residuals, const RobustFitOptions& options,
                       Derivatives known) {
  return Fitting(variables, weights, moves, residuals, options, std::move(known)).run();
}

}  // namespace ringspan

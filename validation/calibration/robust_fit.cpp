#include "validation/calibration/robust_fit.h"

#include <algorithm>
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
          const Residuals& residuals, const RobustFitOptions& options)
      : cost_(variables, weights, options.loss_scale, options.prior_width),
        residuals_(residuals),
        most_iterations_(options.most_iterations) {}

  RobustFit run() {
    try {
      begin();
      while (fit_.iterations < most_iterations_ && radius_ >= kLeastRadius) improve();
      fit_.standard_errors = linearised().standard_errors();
    } catch (const Stopped&) {
      fit_.interrupted = true;
    }
    return std::move(fit_);
  }

 private:
  std::vector<std::vector<double>> answers(std::span<const FitPoint> points) const {
    std::vector<std::vector<double>> answers = residuals_(points);
    if (answers.empty() && !points.empty()) throw Stopped();
    return answers;
  }

  void begin() {
    for (const FitVariable& variable : cost_.variables()) {
      RINGSPAN_CHECK(variable.low <= variable.start && variable.start <= variable.high,
                     "a fit starts within its bounds");
      fit_.x.push_back(variable.start);
    }
    fit_.residuals = std::move(answers(std::span(&fit_.x, 1)).front());
    fit_.cost = cost_.of(fit_.residuals, fit_.x);
  }

  // By differences, on the side of a bound that is open.
  LinearisedFit linearised() const {
    std::vector<FitPoint> points;
    std::vector<double> steps;
    for (std::size_t i = 0; i < fit_.x.size(); ++i) {
      const bool up = fit_.x[i] + kDerivativeStep <= cost_.variables()[i].high;
      steps.push_back(up ? kDerivativeStep : -kDerivativeStep);
      points.push_back(fit_.x);
      points.back()[i] += steps.back();
    }
    std::vector<std::vector<double>> derivatives = answers(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t row = 0; row < fit_.residuals.size(); ++row) {
        derivatives[i][row] = (derivatives[i][row] - fit_.residuals[row]) / steps[i];
      }
    }
    return {cost_, fit_.x, fit_.residuals, std::move(derivatives)};
  }

  // One step that is taken, or none with a radius below the least.
  void improve() {
    ++fit_.iterations;
    const LinearisedFit here = linearised();
    while (radius_ >= kLeastRadius) {
      const FitPoint step = here.best_step(radius_);
      const double promised = fit_.cost - here.promised(step);
      if (promised < kLeastGain * fit_.cost) {
        radius_ = 0;
        return;
      }
      const double before = fit_.cost;
      if (take(step, kEnoughOfPromise * promised)) {
        if (before - fit_.cost > promised / 2) radius_ = std::min(2 * radius_, kLargestRadius);
        return;
      }
      radius_ /= 4;
    }
  }

  bool take(const FitPoint& step, double least_gain) {
    FitPoint x = fit_.x;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const FitVariable& variable = cost_.variables()[i];
      x[i] = std::clamp(x[i] + step[i], variable.low, variable.high);
    }
    std::vector<double> residuals = std::move(answers(std::span(&x, 1)).front());
    const double cost = cost_.of(residuals, x);
    if (fit_.cost - cost < least_gain) return false;
    fit_.x = std::move(x);
    fit_.residuals = std::move(residuals);
    fit_.cost = cost;
    return true;
  }

  RobustCost cost_;
  const Residuals& residuals_;
  int most_iterations_;
  double radius_ = kFirstRadius;
  RobustFit fit_;
};

}  // namespace

RobustFit fit_robustly(std::span<const FitVariable> variables, std::span<const double> weights,
                       const Residuals& residuals, const RobustFitOptions& options) {
  return Fitting(variables, weights, residuals, options).run();
}

}  // namespace ringspan

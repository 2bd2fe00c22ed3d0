#include "validation/calibration/linearised_fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlopt.hpp>

#include "validation/calibration/symmetric_matrix.h"

namespace ringspan {

LinearisedFit::LinearisedFit(const RobustCost& cost, FitPoint x, std::vector<double> residuals,
                             std::vector<std::vector<double>> derivatives)
    : cost_(cost),
      x_(std::move(x)),
      residuals_(std::move(residuals)),
      derivatives_(std::move(derivatives)) {}

double LinearisedFit::promised(const FitPoint& step, std::vector<double>* slope) const {
  std::vector<double> residuals = residuals_;
  FitPoint x = x_;
  for (std::size_t i = 0; i < step.size(); ++i) {
    x[i] += step[i];
    if (step[i] == 0) continue;
    for (std::size_t row = 0; row < residuals.size(); ++row) {
      residuals[row] += derivatives_[i][row] * step[i];
    }
  }
  const double cost = cost_.of(residuals, x);
  if (slope == nullptr) return cost;
  for (std::size_t row = 0; row < residuals.size(); ++row) {
    residuals[row] = cost_.slope(row, residuals[row]);
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    double sum = cost_.prior_slope(i, x[i]);
    for (std::size_t row = 0; row < residuals.size(); ++row) {
      sum += residuals[row] * derivatives_[i][row];
    }
    (*slope)[i] = sum;
  }
  return cost;
}

// A convex problem with bounds: NLopt's sequential quadratic programming (Kraft 1994) solves it.
FitPoint LinearisedFit::best_step(double radius) const {
  if (x_.empty()) return {};
  FitPoint low;
  FitPoint high;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const FitVariable& variable = cost_.variables()[i];
    low.push_back(std::clamp(variable.low - x_[i], -radius, 0.0));
    high.push_back(std::clamp(variable.high - x_[i], 0.0, radius));
  }
  nlopt::opt optimizer(nlopt::LD_SLSQP, static_cast<unsigned>(x_.size()));
  optimizer.set_lower_bounds(low);
  optimizer.set_upper_bounds(high);
  const nlopt::vfunc objective = [](const std::vector<double>& step, std::vector<double>& slope,
                                    void* self) {
    return static_cast<const LinearisedFit*>(self)->promised(step,
                                                             slope.empty() ? nullptr : &slope);
  };
  optimizer.set_min_objective(objective, const_cast<LinearisedFit*>(this));
  constexpr double kPrecise = 1e-10;
  constexpr int kMostEvaluations = 1000;
  optimizer.set_ftol_rel(kPrecise);
  optimizer.set_maxeval(kMostEvaluations);
  FitPoint step(x_.size(), 0);
  double least = 0;
  try {
    optimizer.optimize(step, least);
  } catch (const nlopt::roundoff_limited&) {
    // As good as doubles allow.
  }
  return step;
}

std::vector<double> LinearisedFit::standard_errors() const {
  const std::size_t count = x_.size();
  const std::size_t rows = residuals_.size();
  std::vector<double> curvature(rows);
  for (std::size_t row = 0; row < rows; ++row)
    curvature[row] = cost_.curvature(row, residuals_[row]);
  SymmetricMatrix matrix(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = i == j ? cost_.prior_curvature() : 0;
      for (std::size_t row = 0; row < rows; ++row) {
        sum += curvature[row] * derivatives_[i][row] * derivatives_[j][row];
      }
      matrix.at(i, j) = sum;
    }
  }
  double weights = 0;
  double squares = 0;
  for (const double weight : cost_.weights()) {
    weights += weight;
    squares += weight * weight;
  }
  // What the loss of a row is on average, each variable having taken one row's worth away.
  const double free_rows = std::max(1.0, static_cast<double>(rows) - static_cast<double>(count));
  const double noise = 2 * cost_.of_rows(residuals_) / weights * static_cast<double>(rows) /
                       free_rows * (squares / weights);
  std::vector<double> errors = matrix.inverse_diagonal();
  for (double& error : errors) error = std::sqrt(error * noise);
  return errors;
}

}  // namespace ringspan

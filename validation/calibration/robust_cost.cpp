#include "validation/calibration/robust_cost.h"

#include <cmath>

#include "sim/base/check.h"

namespace ringspan {

double RobustCost::of_rows(std::span<const double> residuals) const {
  RINGSPAN_CHECK(residuals.size() == weights_.size(), "every row has a weight");
  double cost = 0;
  for (std::size_t row = 0; row < residuals.size(); ++row) {
    const double r = residuals[row] / scale_;
    cost += weights_[row] * (std::sqrt(1 + r * r) - 1);
  }
  return cost;
}

double RobustCost::of_prior(const FitPoint& x) const {
  double cost = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double off = (x[i] - variables_[i].prior) / prior_width_;
    cost += off * off / 2;
  }
  return cost;
}

double RobustCost::slope(std::size_t row, double residual) const {
  return curvature(row, residual) * residual;
}

double RobustCost::curvature(std::size_t row, double residual) const {
  const double r = residual / scale_;
  return weights_[row] / (scale_ * scale_ * std::sqrt(1 + r * r));
}

double RobustCost::prior_slope(std::size_t variable, double x) const {
  return (x - variables_[variable].prior) * prior_curvature();
}

}  // namespace ringspan

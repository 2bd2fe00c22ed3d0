#pragma once

// What a fit makes as small as it can:
//   sum over rows of weight x soft_l1(residual)  +  sum over variables of ((x - prior) / width)^2 /
//   2
// The soft-L1 loss is sqrt(1 + (r / scale)^2) - 1: r^2 / 2 scale^2 for small residuals and |r| /
// scale for large ones, so that rows which nothing explains do not pull the others.

#include <span>
#include <vector>

namespace ringspan {

// Of a fit's variables, in their order.
using FitPoint = std::vector<double>;

struct FitVariable {
  double start = 0;
  double prior = 0;  // where it stays if the rows say nothing
  double low = 0, high = 0;
};

class RobustCost {
 public:
  // All must outlive this.
  RobustCost(std::span<const FitVariable> variables, std::span<const double> weights, double scale,
             double prior_width)
      : variables_(variables), weights_(weights), scale_(scale), prior_width_(prior_width) {}

  std::span<const FitVariable> variables() const { return variables_; }
  std::span<const double> weights() const { return weights_; }

  double of_rows(std::span<const double> residuals) const;
  double of_prior(const FitPoint& x) const;
  double of(std::span<const double> residuals, const FitPoint& x) const {
    return of_rows(residuals) + of_prior(x);
  }
  // How the cost rises with a row's residual, and how steeply that slope grows for small ones: the
  // weight of the row in a least-squares fit that is as good near here.
  double slope(std::size_t row, double residual) const;
  double curvature(std::size_t row, double residual) const;
  double prior_slope(std::size_t variable, double x) const;
  double prior_curvature() const { return 1 / (prior_width_ * prior_width_); }

 private:
  std::span<const FitVariable> variables_;
  std::span<const double> weights_;
  double scale_, prior_width_;
};

}  // namespace ringspan

#pragma once

// Bounded robust least squares, whatever the model is. Code flow:
//   residuals at x and their numeric derivatives      (the model's answers)
//   -> linearised_fit.h  the best step within the bounds and a trust radius (NLopt)
//   -> taken if the true cost (robust_cost.h) falls as promised; else the radius shrinks.
// Deterministic: the same answers give the same fit.

#include <functional>
#include <span>
#include <vector>

#include "validation/calibration/robust_cost.h"

namespace ringspan {

struct RobustFitOptions {
  double loss_scale = 0.05;
  double prior_width = 0.7;
  int most_iterations = 30;
};

// The residuals of every row at each of the points; none at all: asked to stop.
using Residuals = std::function<std::vector<std::vector<double>>(std::span<const FitPoint> points)>;

struct RobustFit {
  FitPoint x;
  std::vector<double> residuals;
  std::vector<double> standard_errors;  // of each variable
  double cost = 0;                      // of the rows and the prior
  int iterations = 0;
  bool interrupted = false;  // the others then mean nothing
};

// Requires a weight for every row, and low <= start <= high.
RobustFit fit_robustly(std::span<const FitVariable> variables, std::span<const double> weights,
                       const Residuals& residuals, const RobustFitOptions& options = {});

}  // namespace ringspan

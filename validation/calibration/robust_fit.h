#pragma once

// Bounded robust least squares, whatever the model is. Code flow:
//   residuals at x and their numeric derivatives      (the model's answers)
//   -> linearised_fit.h  the best step within the bounds and a trust radius (NLopt)
//   -> taken if the true cost (robust_cost.h) falls as promised; else the radius shrinks.
// Derivatives cost far more answers than a step: after a step they are corrected by what it showed
// (Schubert 1970: Broyden's update, each row in the variables that move it), and asked for again
// where a step disappoints and before the fit ends. Deterministic: the same answers give the same
// fit.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "validation/calibration/robust_cost.h"

namespace ringspan {

// Where residuals are asked for, and of which rows.
struct FitQuestion {
  FitPoint x;
  std::vector<std::size_t> rows;
};
// By question, in the order of its rows; none at all: asked to stop.
using Residuals =
    std::function<std::vector<std::vector<double>>(std::span<const FitQuestion> questions)>;

// By variable, then by row.
using Derivatives = std::vector<std::vector<double>>;

struct RobustFitOptions {
  double loss_scale = 0.05;
  double prior_width = 0.7;
  int most_steps = 60;  // tried, taken or not
  // False: derivatives that are given are never asked for again. For fits that begin where a fit of
  // nearly the same rows has ended.
  bool fresh_derivatives = true;
};

struct RobustFit {
  FitPoint x;
  std::vector<double> residuals;
  Derivatives derivatives;
  std::vector<double> standard_errors;  // of each variable
  double cost = 0;                      // of the rows and the prior
  int steps = 0;
  bool interrupted = false;  // the others then mean nothing
};

// `moves`: by variable, which rows depend on it (ascending); what costs time is asked for these
// only. `known`: derivatives near the start; empty: they are asked for. Requires a weight for every
// row, and low <= start <= high.
RobustFit fit_robustly(std::span<const FitVariable> variables, std::span<const double> weights,
                       const std::vector<std::vector<std::size_t>>& moves,
                       const Residuals& residuals, const RobustFitOptions& options = {},
                       Derivatives known = {});

}  // namespace ringspan

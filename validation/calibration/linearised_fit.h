#pragma once

// A fit near one point, where residuals are taken as linear: which step is best, what it promises,
// and how well the rows determine each variable.

#include <span>
#include <vector>

#include "validation/calibration/robust_cost.h"

namespace ringspan {

class LinearisedFit {
 public:
  // `derivatives`: by variable, then by row. `cost` must outlive this.
  LinearisedFit(const RobustCost& cost, FitPoint x, std::vector<double> residuals,
                std::vector<std::vector<double>> derivatives);

  // The cost after a step, were residuals linear. `slope` is filled unless it is nullptr.
  double promised(const FitPoint& step, std::vector<double>* slope = nullptr) const;
  // The step that promises the least cost, within the variables' bounds and no further than
  // `radius` in any of them.
  FitPoint best_step(double radius) const;
  // One standard error of each variable: how far it can move, the others following, before the cost
  // rises by more than the noise of the rows.
  std::vector<double> standard_errors() const;

 private:
  const RobustCost& cost_;
  FitPoint x_;
  std::vector<double> residuals_;
  std::vector<std::vector<double>> derivatives_;
};

}  // namespace ringspan

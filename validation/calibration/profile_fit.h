#pragma once

// Some constants of a profile, fitted to some rows. Everything is in logs: a constant that is twice
// as large is as far off as one that is half as large, and a time likewise.

#include <cstddef>
#include <span>
#include <vector>

#include "models/cost/profile.h"
#include "validation/calibration/parameter_moves.h"
#include "validation/calibration/parameters.h"
#include "validation/calibration/robust_fit.h"
#include "validation/calibration/row_predictor.h"

namespace ringspan {

// Rows that are fitted together, and what each counts. Ascending; as many weights as rows.
struct WeighedRows {
  std::vector<std::size_t> rows;
  std::vector<double> weights;
};

// A case counts as the square root of its rows: more than one row, less than as many machines.
WeighedRows weigh_by_case(std::span<const MeasuredRow> all, std::vector<std::size_t> rows);

struct FittedParameter {
  OpenParameter open;
  double value = 0;           // in its unit
  double standard_error = 0;  // of its logarithm
};

struct ProfileFitResult {
  Profile profile;
  std::vector<FittedParameter> fitted;    // ascending
  std::vector<std::size_t> undetermined;  // some row depends on them, but they are as they were
  std::vector<double> residuals;          // of the rows
  Derivatives derivatives;                // of these, by fitted parameter
};

class ProfileFit {
 public:
  // All must outlive this. `base`: values that constants are drawn to, harder where they are fitted
  // ones.
  ProfileFit(const RowPredictor& predictor, std::span<const Parameter> parameters,
             const Profile& base, GoOn go_on);

  // Fits those of `parameters` (indices, ascending) that the rows determine, and no more than
  // `most`; the others keep what they have in `start`. Throws Stopped.
  ProfileFitResult fit_what_is_determined(const WeighedRows& rows, const Profile& start,
                                          const std::vector<std::size_t>& parameters,
                                          std::size_t most) const;
  // A fit of `all` once more, from `start`, which is near where it ended, to some of its rows only.
  // Throws Stopped.
  Profile fit_part(const ProfileFitResult& fit, std::span<const std::size_t> all,
                   const WeighedRows& part, const Profile& start) const;
  // log(predicted / measured). Throws Stopped.
  std::vector<double> residuals(const std::vector<std::size_t>& rows, const Profile& profile) const;

 private:
  ProfileFitResult fit(const WeighedRows& rows, const Profile& start,
                       const std::vector<OpenParameter>& open, const RobustFitOptions& options,
                       Derivatives known) const;
  // By parameter of a fit: whether the rows determine it, and no `most` others better.
  std::vector<bool> which_stay(const WeighedRows& rows, const ProfileFitResult& fit,
                               std::size_t most) const;
  // By parameter of a fit: whether the rows determine it.
  std::vector<bool> determined(const WeighedRows& rows, const ProfileFitResult& fit) const;

  const RowPredictor& predictor_;
  std::span<const Parameter> parameters_;
  const Profile& base_;
  RobustFitOptions options_;
  GoOn go_on_;
};

}  // namespace ringspan

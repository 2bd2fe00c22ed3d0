#pragma once

// From measured rows to a profile. Code flow:
//   row_predictor.h   rows as questions, asked with many profiles
//   parameters.h      the constants that the base profile has
//   calibrate()       stage after stage: rows of one domain with NVLink, of one PCIe server, of
//                     several servers; each fits what is still open (profile_fit.h) and keeps what
//                     the stages before have found
//   parameter_moves.h which rows depend on which constant
//   robust_fit.h      the fit itself
//   constant_choice.h which constants it may move: the rows bound their number
//   then the same without some of the cases, again and again: what a row's error is when its case
//   was not fitted (cross-validation); these residuals are the intervals of the profile.
//   fit_check.h       what is refused afterwards, and what is warned of
// docs/calibrate.md says what each step is for.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/scenario/scenario.h"
#include "models/cost/fabric_class.h"
#include "validation/calibration/parameters.h"
#include "validation/logs/measured_row.h"

namespace ringspan {

struct CalibrationOptions {
  // Values to start at and to stay at where the rows say nothing; absent: the built-in profile of
  // the rows' GPUs.
  std::optional<Profile> base;
  std::string name;  // of the profile that comes out; empty: the base's
  std::string date;  // for the record: "2026-01-31"
  // How many different rows of a class one constant takes, at least 1. Two rows give a start and a
  // slope exactly; the third is the first that can disagree with them.
  std::size_t rows_per_constant = 3;
  std::uint64_t seed = 0;  // which cases are left out together
  int threads = 1;         // at least 1; the result does not depend on it
};

// What became of one constant.
struct CalibratedConstant {
  Parameter parameter;
  double base = 0;
  double value = 0;
  bool fitted = false;
  bool used = false;         // some row depends on it
  bool at_limit = false;     // fitted, and no further than its range goes
  double low = 0, high = 0;  // one standard error either way; where fitted
};

struct CalibratedRow {
  FabricClass fabric_class = FabricClass::NvlinkDomain;
  std::string algorithm;  // that was predicted
  // log(predicted / measured) with the base, with the profile that comes out, and with one that was
  // fitted without the row's case.
  double before = 0, fitted = 0, left_out = 0;
};

struct Calibration {
  Profile profile;
  std::string base;  // its name
  std::vector<CalibratedConstant> constants;
  std::vector<CalibratedRow> rows;  // as given
  std::vector<std::string> warnings;
  bool interrupted = false;  // the rest then means nothing
};

// `doing`: "fitting 24 constants to 512 rows (nvlink-domain)". False asks to stop.
using CalibrationProgress = std::function<bool(const std::string& doing)>;

// The profile as text: each constant with a comment that says what the rows know of it.
std::string calibrated_profile_text(const Calibration& calibration);

// Throws InputError for rows that cannot be predicted, too few of them, of several generations,
// or that no constants explain (fit_check.h).
Calibration calibrate(std::span<const MeasuredRow> rows, const CalibrationOptions& options,
                      const Catalog& catalog, const CalibrationProgress& progress = {});

}  // namespace ringspan

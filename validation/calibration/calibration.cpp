#include "validation/calibration/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "models/cost/profile_writing.h"
#include "sim/base/check.h"
#include "sim/base/input_error.h"
#include "sim/base/stop_check.h"
#include "validation/calibration/constant_choice.h"
#include "validation/calibration/fit_check.h"
#include "validation/calibration/fit_summary.h"
#include "validation/calibration/folds.h"
#include "validation/calibration/profile_fit.h"
#include "validation/calibration/row_predictor.h"

namespace ringspan {

namespace {

// Rows of one class, and what was fitted to them.
struct Stage {
  FabricClass fabric_class = FabricClass::NvlinkDomain;
  WeighedRows rows;
  Profile start;  // what the stages before have left
  ProfileFitResult fit;
};

const Profile& profile_named(const std::vector<Profile>& profiles, const std::string& name) {
  const auto found = std::find_if(profiles.begin(), profiles.end(),
                                  [&](const Profile& profile) { return profile.name == name; });
  RINGSPAN_CHECK(found != profiles.end(), "a generation is a built-in profile");
  return *found;
}

class CalibrationRun {
 public:
  CalibrationRun(std::span<const MeasuredRow> rows, const CalibrationOptions& options,
                 const Catalog& catalog, const CalibrationProgress& progress)
      : rows_(rows),
        options_(options),
        progress_(progress),
        predictor_(rows, catalog, options.threads),
        base_(options.base ? *options.base : profile_named(catalog.profiles, generation())),
        parameters_(fitted_parameters(base_)),
        fit_(predictor_, parameters_, base_, [this] { return !progress_ || progress_(doing_); }) {}

  Calibration run() {
    result_.profile = base_;
    result_.base = base_.name;
    try {
      describe_before();
      for (const FabricClass fabric_class : kAllFabricClasses) fit_stage(fabric_class);
      refuse_too_few_rows();
      describe_after();
      refuse_what_does_not_fit(result_);
      for (const Stage& stage : stages_) cross_validate(stage);
      record();
    } catch (const Stopped&) {
      result_.interrupted = true;
    }
    return std::move(result_);
  }

 private:
  std::vector<std::size_t> all_rows() const {
    std::vector<std::size_t> all(rows_.size());
    for (std::size_t row = 0; row < all.size(); ++row) all[row] = row;
    return all;
  }

  void refuse_too_few_rows() const {
    if (may_fit_ > 0) return;
    throw InputError(
        fmt::format("too few rows to determine a constant: {} different ones of {}",
                    count_questions(rows_, all_rows()), rows_.size()),
        fmt::format("one constant takes {} different rows of a kind of fabric: measure at least {} "
                    "sizes (--rows-per-constant)",
                    options_.rows_per_constant, options_.rows_per_constant));
  }

  // Of all rows: one profile serves one.
  const std::string& generation() const {
    std::vector<std::string> found;  // "dgx-h100 (nccl-hopper)"
    std::set<std::string> names;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (!names.insert(predictor_.generation(row)).second) continue;
      found.push_back(fmt::format("{} ({})", rows_[row].system, predictor_.generation(row)));
    }
    if (found.size() == 1) return predictor_.generation(0);
    throw InputError(
        fmt::format("the rows are of GPUs of several generations: {}", fmt::join(found, ", ")),
        "one profile serves one of them: give the rows of each to a run of its own");
  }

  void describe_before() {
    doing_ = fmt::format("{} rows with profile {}", rows_.size(), base_.name);
    const std::vector<std::size_t> all = all_rows();
    const std::vector<double> before = fit_.residuals(all, base_);
    for (const std::size_t row : all) {
      result_.rows.push_back({predictor_.fabric_class(row), {}, before[row], 0, 0});
    }
    for (const Parameter& parameter : parameters_) {
      const double value = parameter.value(base_);
      result_.constants.push_back({parameter, value, value, false, false, false, 0, 0});
    }
  }

  // Those that no stage before has determined.
  std::vector<std::size_t> open_constants() const {
    std::vector<std::size_t> open;
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
      if (!result_.constants[p].fitted) open.push_back(p);
    }
    return open;
  }

  void fit_stage(FabricClass fabric_class) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (predictor_.fabric_class(row) == fabric_class) rows.push_back(row);
    }
    if (rows.empty()) return;
    doing_ = fmt::format("fitting {} rows ({})", rows.size(), fabric_class_name(fabric_class));
    Stage stage{fabric_class, weigh_by_case(rows_, std::move(rows)), result_.profile, {}};
    const std::size_t most = count_questions(rows_, stage.rows.rows) / options_.rows_per_constant;
    may_fit_ += most;
    stage.fit = fit_.fit_what_is_determined(stage.rows, stage.start, open_constants(), most);
    for (const std::size_t p : stage.fit.undetermined) result_.constants[p].used = true;
    for (const FittedParameter& fitted : stage.fit.fitted) keep(fitted);
    stages_.push_back(std::move(stage));
  }

  void keep(const FittedParameter& fitted) {
    CalibratedConstant& constant = result_.constants[fitted.open.parameter];
    constant.used = constant.fitted = true;
    constant.value = rounded_to_three_digits(fitted.value);
    constant.at_limit =
        constant.value <= constant.parameter.low || constant.value >= constant.parameter.high;
    const double factor = std::exp(fitted.standard_error);
    constant.low = std::max(constant.parameter.low, fitted.value / factor);
    constant.high = std::min(constant.parameter.high, fitted.value * factor);
    constant.parameter.set(result_.profile, constant.value);
  }

  void describe_after() {
    doing_ = fmt::format("{} rows with the fitted profile", rows_.size());
    const std::vector<std::size_t> all = all_rows();
    const std::vector<double> after = fit_.residuals(all, result_.profile);
    const std::vector<std::string> algorithms = predictor_.algorithms(result_.profile);
    for (const std::size_t row : all) {
      result_.rows[row].fitted = after[row];
      result_.rows[row].algorithm = algorithms[row];
    }
  }

  // Fits the stage's constants without some cases, from where they are, and predicts these.
  void cross_validate(const Stage& stage) {
    const std::vector<int> folds = deal_folds(rows_, stage.rows.rows, options_.seed);
    const int count = 1 + *std::max_element(folds.begin(), folds.end());
    Profile start = stage.start;
    for (const FittedParameter& fitted : stage.fit.fitted) {
      const std::size_t p = fitted.open.parameter;
      parameters_[p].set(start, result_.constants[p].value);
    }
    for (int fold = 0; fold < count; ++fold) {
      doing_ = fmt::format("cross-validating {}, {} of {}", fabric_class_name(stage.fabric_class),
                           fold + 1, count);
      std::vector<std::size_t> kept;
      std::vector<std::size_t> out;
      for (std::size_t i = 0; i < folds.size(); ++i) {
        (folds[i] == fold ? out : kept).push_back(stage.rows.rows[i]);
      }
      if (kept.empty()) kept = out;  // a single row
      const Profile fitted =
          fit_.fit_part(stage.fit, stage.rows.rows, weigh_by_case(rows_, std::move(kept)), start);
      const std::vector<double> residuals = fit_.residuals(out, fitted);
      for (std::size_t i = 0; i < out.size(); ++i) result_.rows[out[i]].left_out = residuals[i];
    }
  }

  void record() {
    Profile& profile = result_.profile;
    if (!options_.name.empty()) profile.name = options_.name;
    profile.fit = fit_record(rows_, result_, options_);
    result_.warnings = fit_warnings(rows_, result_);
    for (const CalibratedConstant& constant : result_.constants) {
      if (constant.fitted) note_fit(table_of(constant.parameter.path), profile);
    }
  }

  // "algorithm.ring.base.ll" -> "algorithm.ring"
  static std::string table_of(const std::string& path) {
    const std::size_t first = path.find('.');
    const bool of_algorithm = path.starts_with("algorithm.");
    return path.substr(0, of_algorithm ? path.find('.', first + 1) : first);
  }

  static void note_fit(const std::string& table, Profile& profile) {
    constexpr std::string_view kNote = "fitted where a comment says so; else: ";
    std::string& source = profile.sources[table];
    if (!source.starts_with(kNote)) source.insert(0, kNote);
  }

  std::span<const MeasuredRow> rows_;
  const CalibrationOptions& options_;
  const CalibrationProgress& progress_;
  RowPredictor predictor_;
  Profile base_;
  std::vector<Parameter> parameters_;
  std::string doing_;
  ProfileFit fit_;
  std::vector<Stage> stages_;
  std::size_t may_fit_ = 0;  // constants, at most
  Calibration result_;
};

}  // namespace

std::string calibrated_profile_text(const Calibration& calibration) {
  ProfileComments comments;
  for (const CalibratedConstant& constant : calibration.constants) {
    const Parameter& parameter = constant.parameter;
    std::string& comment = comments[parameter.path];
    if (constant.fitted) {
      comment = fmt::format("fitted; {} to {}{}", parameter_text(parameter, constant.low),
                            parameter_text(parameter, constant.high),
                            constant.at_limit ? "; at a limit of its range" : "");
    } else if (constant.used) {
      comment = "not determined by the rows";
    } else {
      comments.erase(parameter.path);
    }
  }
  return write_profile(calibration.profile, comments);
}

Calibration calibrate(std::span<const MeasuredRow> rows, const CalibrationOptions& options,
                      const Catalog& catalog, const CalibrationProgress& progress) {
  if (rows.empty()) throw InputError("there is no measured row to fit", "give at least one file");
  return CalibrationRun(rows, options, catalog, progress).run();
}

}  // namespace ringspan

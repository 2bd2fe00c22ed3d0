#include "validation/calibration/fit_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sim/base/input_error.h"
#include "validation/comparison/error_summary.h"

namespace ringspan {

namespace {

// Half of the rows are then predicted as half of their time or less, or as 1.5 times and more.
constexpr double kMostError = 0.5;

constexpr std::string_view kWhatToLookAt =
    "is the system right (--system, column system), are the times in microseconds, and is the "
    "launch mode that of the runs (column launch, a log's nGpus)?";

double percent(double share) { return share * 100; }

// |predicted / measured - 1|.
double median_error(const std::vector<CalibratedRow>& rows, double CalibratedRow::*residual) {
  std::vector<double> errors;
  for (const CalibratedRow& row : rows) errors.push_back(std::exp(row.*residual) - 1);
  return summarize_errors(errors).median;
}

void warn_of_base(const Calibration& calibration, std::vector<std::string>& warnings) {
  const double median = median_error(calibration.rows, &CalibratedRow::before);
  if (median <= kMostError) return;
  warnings.push_back(fmt::format(
      "with profile {} the median error was {:.1f} %, more than machines of a kind differ: {}",
      calibration.base, percent(median), kWhatToLookAt));
}

void warn_of_limits(const Calibration& calibration, std::vector<std::string>& warnings) {
  for (const CalibratedConstant& constant : calibration.constants) {
    if (!constant.at_limit) continue;
    const Parameter& parameter = constant.parameter;
    warnings.push_back(fmt::format("{} ended at a limit of its range: {} ({} to {})",
                                   parameter.path, parameter_text(parameter, constant.value),
                                   parameter_text(parameter, parameter.low),
                                   parameter_text(parameter, parameter.high)));
  }
}

void warn_of_sizes(std::span<const MeasuredRow> rows, const Calibration& calibration,
                   std::vector<std::string>& warnings) {
  std::map<std::pair<FabricClass, SizeClass>, std::vector<double>> groups;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CalibratedRow& row = calibration.rows[i];
    groups[{row.fabric_class, size_class_of(rows[i].bytes)}].push_back(std::exp(row.fitted) - 1);
  }
  for (const auto& [group, errors] : groups) {
    const double median = summarize_errors(errors).median;
    if (median <= kMostError) continue;
    warnings.push_back(fmt::format(
        "no constants explain the {} rows ({}): median error {:.1f} % after the fit, {} {}",
        size_class_name(group.second), fabric_class_name(group.first), percent(median),
        errors.size(), errors.size() == 1 ? "row" : "rows"));
  }
}

}  // namespace

void refuse_what_does_not_fit(const Calibration& calibration) {
  const double median = median_error(calibration.rows, &CalibratedRow::fitted);
  if (median <= kMostError) return;
  int fitted = 0;
  int at_limit = 0;
  for (const CalibratedConstant& constant : calibration.constants) {
    fitted += constant.fitted ? 1 : 0;
    at_limit += constant.at_limit ? 1 : 0;
  }
  throw InputError(
      fmt::format("no constants explain the rows: the fit leaves a median error of {:.1f} %, and "
                  "{} of {} constants ended at a limit of their range",
                  percent(median), at_limit, fitted),
      std::string(kWhatToLookAt));
}

std::vector<std::string> fit_warnings(std::span<const MeasuredRow> rows,
                                      const Calibration& calibration) {
  std::vector<std::string> warnings;
  warn_of_base(calibration, warnings);
  warn_of_limits(calibration, warnings);
  warn_of_sizes(rows, calibration, warnings);
  return warnings;
}

}  // namespace ringspan

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <set>
#include <vector>

#include "app/report/calibration_writer.h"
#include "sim/base/version.h"
#include "validation/comparison/error_summary.h"

namespace ringspan {

namespace {

std::string share(double value) { return fmt::format("{:.1f} %", value * 100.0); }

class CalibrationTable {
 public:
  CalibrationTable(std::span<const MeasuredRow> rows, const Calibration& calibration)
      : rows_(rows), calibration_(calibration) {}

  std::string text() {
    append_head();
    for (const FabricClass fabric_class : kAllFabricClasses) {
      for (const SizeClass size_class : kAllSizeClasses) append_errors(fabric_class, size_class);
    }
    append_constants();
    append_undetermined();
    return std::move(text_);
  }

 private:
  auto out() { return std::back_inserter(text_); }

  void append_head() {
    const FitRecord& fit = *calibration_.profile.fit;
    fmt::format_to(out(), "# ringspan {} calibrate: {} measured {}, {} {}, base {}, seed {}\n",
                   kVersion, fit.rows, fit.rows == 1 ? "row" : "rows", fit.cases,
                   fit.cases == 1 ? "case" : "cases", calibration_.base, fit.seed);
    text_ +=
        "# |predicted / measured - 1|: with the base, fitted, and fitted without the row's case\n"
        "#\n"
        "# class            size    rows  cases  base: median      p90  fitted: median      p90  "
        "left out: median      p90\n";
  }

  void append_errors(FabricClass fabric_class, SizeClass size_class) {
    std::vector<double> before;
    std::vector<double> fitted;
    std::vector<double> left_out;
    std::set<std::string> cases;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const CalibratedRow& row = calibration_.rows[i];
      if (row.fabric_class != fabric_class || size_class_of(rows_[i].bytes) != size_class) continue;
      before.push_back(std::exp(row.before) - 1);
      fitted.push_back(std::exp(row.fitted) - 1);
      left_out.push_back(std::exp(row.left_out) - 1);
      cases.insert(rows_[i].case_name);
    }
    if (before.empty()) return;
    const ErrorSummary base = summarize_errors(before);
    const ErrorSummary fit = summarize_errors(fitted);
    const ErrorSummary out_of_fit = summarize_errors(left_out);
    fmt::format_to(out(), "  {:<15}  {:<5} {:>6} {:>6} {:>13} {:>8} {:>15} {:>8} {:>17} {:>8}\n",
                   fabric_class_name(fabric_class), size_class_name(size_class), before.size(),
                   cases.size(), share(base.median), share(base.p90), share(fit.median),
                   share(fit.p90), share(out_of_fit.median), share(out_of_fit.p90));
  }

  void append_constants() {
    fmt::format_to(out(), "#\n# {:<36} {:>11} {:>11}  one standard error\n", "constant", "base",
                   "fitted");
    for (const CalibratedConstant& constant : calibration_.constants) {
      if (!constant.fitted) continue;
      const Parameter& parameter = constant.parameter;
      fmt::format_to(
          out(), "  {:<36} {:>11} {:>11}  {} to {}\n", parameter.path,
          parameter_text(parameter, constant.base), parameter_text(parameter, constant.value),
          parameter_text(parameter, constant.low), parameter_text(parameter, constant.high));
    }
  }

  // Those that no row depends on are a matter of course.
  void append_undetermined() {
    bool first = true;
    for (const CalibratedConstant& constant : calibration_.constants) {
      if (constant.fitted || !constant.used) continue;
      if (first) text_ += "#\n# not determined by these rows, as in the base:\n";
      first = false;
      fmt::format_to(out(), "  {:<36} {:>11}\n", constant.parameter.path,
                     parameter_text(constant.parameter, constant.base));
    }
  }

  std::span<const MeasuredRow> rows_;
  const Calibration& calibration_;
  std::string text_;
};

}  // namespace

std::string calibration_table(std::span<const MeasuredRow> rows, const Calibration& calibration) {
  return CalibrationTable(rows, calibration).text();
}

}  // namespace ringspan

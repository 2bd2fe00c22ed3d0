#include <fmt/format.h>

#include <iterator>

#include "app/report/comparison_writers.h"
#include "app/report/csv_field.h"
#include "app/report/number_text.h"

namespace ringspan {

namespace {

std::string error_text(double error) { return fmt::format("{:.6g}", error); }

void append_interval(const Prediction& prediction, std::string& text) {
  if (!prediction.interval) {
    text += ",,";
    return;
  }
  const double time = to_microseconds(prediction.time);
  fmt::format_to(std::back_inserter(text), ",{:.6g},{:.6g}", time * prediction.interval->low,
                 time * prediction.interval->high);
}

}  // namespace

std::string csv_text(const Comparison& comparison) {
  const bool baseline = !comparison.baseline.empty();
  std::string text = fmt::format("{},predicted_us,rel_error,lo_us,hi_us,extrapolated{}\n",
                                 fmt::join(kMeasuredColumns, ","),
                                 baseline ? ",baseline_us,baseline_rel_error" : "");
  for (const ComparedRow& row : comparison.rows) {
    for (const std::string& cell : measured_cells(row.row)) text += csv_field(cell) + ',';
    text += exact_microseconds(row.prediction.time) + ',' + error_text(row.error());
    append_interval(row.prediction, text);
    text += row.prediction.extrapolated ? ",true" : ",false";
    if (baseline) {
      const auto& time = row.prediction.baseline;
      text += time ? ',' + exact_microseconds(*time) + ',' + error_text(error_of(*time, row.row))
                   : ",,";
    }
    text += '\n';
  }
  return text;
}

}  // namespace ringspan

#include <nlohmann/json.hpp>

#include "app/report/comparison_writers.h"
#include "sim/base/version.h"

namespace ringspan {

namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json measured_json(const MeasuredRow& row) {
  return {{"system", row.system},
          {"nodes", row.nodes ? Json(*row.nodes) : Json()},
          {"gpus", row.gpus},
          {"nccl", row.nccl},
          {"collective", collective_name(row.collective)},
          {"algorithm", row.algorithm},
          {"protocol", row.protocol ? protocol_name(*row.protocol) : ""},
          {"dtype", row.dtype},
          {"bytes", row.bytes},
          {"time_us", row.time_us},
          {"launch", row.launch},
          {"env", row.env},
          {"case", row.case_name}};
}

Json row_json(const ComparedRow& row) {
  const Prediction& prediction = row.prediction;
  const double time = to_microseconds(prediction.time);
  Json json = measured_json(row.row);
  json["predicted_us"] = time;
  json["rel_error"] = row.error();
  json["lo_us"] = prediction.interval ? Json(time * prediction.interval->low) : Json();
  json["hi_us"] = prediction.interval ? Json(time * prediction.interval->high) : Json();
  json["extrapolated"] = prediction.extrapolated;
  json["class"] = fabric_class_name(row.fabric_class);
  json["picked"] = {{"algorithm", prediction.algorithm},
                    {"protocol", protocol_name(prediction.protocol)},
                    {"channels", prediction.channels},
                    {"bottleneck", prediction.bottleneck}};
  if (prediction.baseline) {
    json["baseline_us"] = to_microseconds(*prediction.baseline);
    json["baseline_rel_error"] = error_of(*prediction.baseline, row.row);
  }
  return json;
}

Json figures_json(const ErrorSummary& errors) {
  return {{"count", errors.count},
          {"median", errors.median},
          {"p90", errors.p90},
          {"worst", errors.worst},
          {"bias", errors.bias}};
}

Json lines_json(const std::vector<SummaryLine>& lines, const char* group) {
  Json list = Json::array();
  for (const SummaryLine& line : lines) {
    Json json = {{group, line.group}};
    if (!line.collective.empty()) json["collective"] = line.collective;
    json["size"] = line.size_class ? size_class_name(*line.size_class) : "all";
    json.update(figures_json(line.ours));
    if (line.baseline.count > 0) json["baseline"] = figures_json(line.baseline);
    list.push_back(std::move(json));
  }
  return list;
}

Json intervals_json(const std::vector<IntervalLine>& lines) {
  Json list = Json::array();
  for (const IntervalLine& line : lines) {
    list.push_back({{"class", line.fabric_class ? fabric_class_name(*line.fabric_class) : "all"},
                    {"size", line.size_class ? size_class_name(*line.size_class) : "all"},
                    {"extrapolated", line.extrapolated},
                    {"count", line.rows},
                    {"coverage", line.coverage},
                    {"width", line.width}});
  }
  return list;
}

}  // namespace

std::string json_text(const Comparison& comparison, const ComparisonSummary& summary) {
  Json results = Json::array();
  for (const ComparedRow& row : comparison.rows) results.push_back(row_json(row));
  const Json json = {{"version", kVersion},
                     {"profile", text_or_null(comparison.profile)},
                     {"baseline", text_or_null(comparison.baseline)},
                     {"rows_given", comparison.rows_given},
                     {"by_system", lines_json(summary.by_system, "system")},
                     {"over_rows", lines_json(summary.over_rows, "class")},
                     {"over_cases", lines_json(summary.over_cases, "class")},
                     {"intervals", intervals_json(summary.intervals)},
                     {"results", std::move(results)},
                     {"interrupted", comparison.interrupted}};
  // A name that is not UTF-8 must not lose the results.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace ringspan

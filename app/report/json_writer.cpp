#include <nlohmann/json.hpp>

#include "app/report/report_writers.h"
#include "sim/base/version.h"

namespace ringspan {

namespace {

using Json = nlohmann::ordered_json;

Json candidates_json(const RunRow& row) {
  Json list = Json::array();
  for (const Candidate& candidate : row.candidates) {
    list.push_back({{"algorithm", candidate.algorithm},
                    {"protocol", protocol_name(candidate.protocol)},
                    {"channels", candidate.channels},
                    // NCCL's own table entries and estimate: null until they are modelled.
                    {"latency_us", nullptr},
                    {"algbw_gbs", nullptr},
                    {"time_us", nullptr},
                    {"predicted_us", to_microseconds(candidate.predicted)},
                    {"picked", candidate.picked}});
  }
  return list;
}

Json row_json(const RunReport& report, const RunRow& row, bool candidates) {
  Json json = {{"system", report.system},
               {"nodes", report.nodes},
               {"gpus", report.gpus},
               {"nccl", report.nccl},
               {"collective", collective_name(report.collective)},
               {"algorithm", row.algorithm},
               {"protocol", protocol_name(row.protocol)},
               {"channels", row.channels},
               {"bytes", row.bytes},
               {"time_us", to_microseconds(row.time)},
               {"algbw_gbs", row.algbw_gbs},
               {"busbw_gbs", row.busbw_gbs},
               {"time_in_place_us", to_microseconds(row.time_in_place)},
               {"granularity", granularity_name(row.granularity)},
               {"bottleneck", row.bottleneck},
               {"lower_bound_us", to_microseconds(row.lower_bound)},
               {"interval_us", nullptr},
               // Profiles hold published constants, not fits: no measured range covers any size.
               {"extrapolated", true}};
  if (candidates) json["candidates"] = candidates_json(row);
  return json;
}

}  // namespace

std::string json_text(const RunReport& report, bool candidates) {
  Json results = Json::array();
  for (const RunRow& row : report.rows) results.push_back(row_json(report, row, candidates));
  const Json json = {{"version", kVersion},
                     {"system", report.system},
                     {"profile", report.profile},
                     {"seed", report.seed},
                     {"results", std::move(results)},
                     {"warnings", report.warnings},
                     {"interrupted", report.interrupted},
                     {"stalled", report.stalled.empty() ? Json() : Json(report.stalled)}};
  // A name that is not UTF-8 must not lose the results.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace ringspan

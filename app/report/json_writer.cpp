#include <nlohmann/json.hpp>

#include "app/report/report_writers.h"
#include "sim/base/version.h"

namespace ringspan {

namespace {

using Json = nlohmann::ordered_json;

Json of_tuner(const Candidate& candidate, double TunerEstimate::*value) {
  return candidate.tuner ? Json((*candidate.tuner).*value) : Json(nullptr);
}

Json candidates_json(const RunRow& row) {
  Json list = Json::array();
  for (const Candidate& candidate : row.candidates) {
    list.push_back({{"algorithm", candidate.algorithm},
                    {"protocol", protocol_name(candidate.protocol)},
                    {"channels", candidate.channels},
                    // NCCL's own table entries and estimate; null: its tuner does not weigh this.
                    {"latency_us", of_tuner(candidate, &TunerEstimate::latency_us)},
                    {"algbw_gbs", of_tuner(candidate, &TunerEstimate::algbw_gbs)},
                    {"time_us", of_tuner(candidate, &TunerEstimate::time_us)},
                    {"predicted_us", to_microseconds(candidate.predicted)},
                    {"picked", candidate.picked}});
  }
  return list;
}

// Between which times the measured one is expected in 80 of 100 cases; null: unknown.
Json interval_json(const RunRow& row) {
  if (!row.interval) return {};
  const double time = to_microseconds(row.time);
  return {time * row.interval->low, time * row.interval->high};
}

// What every row begins with, run alone or among others.
struct RowHead {
  const std::string& system;
  int nodes = 1, gpus = 1;
  const std::string& nccl;
  CollectiveKind collective = CollectiveKind::AllReduce;
};

Json row_json(const RowHead& head, const RunRow& row, bool candidates) {
  Json json = {{"system", head.system},
               {"nodes", head.nodes},
               {"gpus", head.gpus},
               {"nccl", head.nccl},
               {"collective", collective_name(head.collective)},
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
               {"interval_us", interval_json(row)},
               {"extrapolated", row.extrapolated}};
  if (candidates) json["candidates"] = candidates_json(row);
  return json;
}

Json job_json(const ConcurrentReport& report, const JobRow& entry, bool candidates) {
  const JobFacts& job = report.jobs[entry.job];
  Json json = row_json({report.system, job.nodes, job.gpus, report.nccl, job.collective}, entry.row,
                       candidates);
  json["job"] = job.name;
  json["ranks"] = job.ranks;
  json["start_us"] = to_microseconds(entry.start);
  json["end_us"] = to_microseconds(entry.end);
  json["alone_us"] = to_microseconds(entry.alone);
  json["slowdown"] =
      entry.alone > Duration{} ? to_seconds(entry.row.time) / to_seconds(entry.alone) : 1.0;
  Json beside = Json::array();
  for (const std::size_t other : entry.beside) beside.push_back(report.jobs[other].name);
  json["shares_bottleneck_with"] = std::move(beside);
  return json;
}

// A name that is not UTF-8 must not lose the results.
std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string json_text(const RunReport& report, bool candidates) {
  Json results = Json::array();
  const RowHead head{report.system, report.nodes, report.gpus, report.nccl, report.collective};
  for (const RunRow& row : report.rows) results.push_back(row_json(head, row, candidates));
  const Json json = {{"version", kVersion},
                     {"system", report.system},
                     {"profile", report.profile},
                     {"seed", report.seed},
                     {"results", std::move(results)},
                     {"warnings", report.warnings},
                     {"interrupted", report.interrupted},
                     {"stalled", report.stalled.empty() ? Json() : Json(report.stalled)}};
  return text_of(json);
}

std::string json_text(const ConcurrentReport& report, bool candidates) {
  Json results = Json::array();
  for (const ConcurrentRun& run : report.runs) {
    for (const JobRow& entry : run.rows) results.push_back(job_json(report, entry, candidates));
  }
  const Json json = {{"version", kVersion},
                     {"system", report.system},
                     {"profile", report.profile},
                     {"seed", report.seed},
                     {"results", std::move(results)},
                     {"warnings", report.warnings},
                     {"interrupted", report.interrupted},
                     {"stalled", report.stalled.empty() ? Json() : Json(report.stalled)}};
  return text_of(json);
}

}  // namespace ringspan

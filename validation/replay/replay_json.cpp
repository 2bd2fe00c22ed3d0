#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/input_error.h"
#include "sim/base/version.h"
#include "validation/replay/replay_writers.h"
#include "validation/replay/sample_statistics.h"

namespace ringspan {

namespace {

using Json = nlohmann::ordered_json;

Json calls_json(const ReplayHalf& half) {
  const SampleStatistics calls = sample_statistics(half.calls_us);
  return {{"skipped_iterations", 0},
          {"min_us", calls.least},
          {"max_us", calls.most},
          {"avg_us", calls.mean},
          {"p50_us", calls.p50},
          {"p95_us", calls.p95},
          {"p99_us", calls.p99},
          {"stdev_us", calls.deviation},
          {"cv_pct", calls.mean > 0 ? 100 * calls.deviation / calls.mean : 0},
          {"times_us", half.calls_us}};
}

Json half_json(const ReplayReport& report, const ReplayRow& row, const ReplayHalf& half) {
  return {{"time", half.time_us()},
          {"alg_bw", replay_algbw_gbs(row, half)},
          {"bus_bw", replay_busbw_gbs(report, row, half)},
          {"nwrong", half.wrong ? Json(*half.wrong) : Json()},
          {"repeats_us", half.repeats_us}};
}

Json row_json(const ReplayReport& report, const ReplayRow& row) {
  const PlannedCollective& item = report.plan.collectives[row.planned];
  const bool has_root = collective_has_root(item.collective);
  Json json = {{"size", row.size.bytes},
               {"count", row.size.count},
               {"type", item.dtype},
               {"redop", collective_reduces(item.collective) ? item.op : "none"},
               {"root", std::to_string(has_root ? item.root : -1)},
               {"out_of_place", half_json(report, row, row.out_of_place)}};
  if (row.in_place) json["in_place"] = half_json(report, row, *row.in_place);
  json["actual_iterations"] = item.iterations;
  json["out_of_place_per_iter"] = calls_json(row.out_of_place);
  if (row.in_place) json["in_place_per_iter"] = calls_json(*row.in_place);
  return json;
}

Json devices_json(const ReplayReport& report) {
  Json devices = Json::array();
  for (std::size_t rank = 0; rank < report.ranks.size(); ++rank) {
    const ReplayRank& place = report.ranks[rank];
    devices.push_back({{"rank", rank},
                       {"group", 0},
                       {"pid", place.process},
                       {"hostname", fmt::format("host{}", place.host)},
                       {"device", place.device},
                       {"device_hex", place.bus},
                       {"device_info", place.model}});
  }
  return devices;
}

Json config_json(const ReplayReport& report) {
  const Plan& plan = report.plan;
  const PlannedCollective& item = plan.collectives.front();
  return {{"nthreads", 1},
          {"ngpus", 1},
          {"minimum_bytes", item.size.count},
          {"maximum_bytes", plan.collectives.back().size.count},
          {"warmup_iters", item.warmup},
          {"iterations", item.iterations},
          {"aggregated_iterations", 1},
          {"validation", report.rows.empty() || !report.rows.front().out_of_place.wrong ? 0 : 1},
          {"graph", 0},
          {"per_iter_timing", 1},
          {"timing", replay_timing_name(report.timing)},
          {"repeats", plan.repeats},
          {"devices", devices_json(report)}};
}

}  // namespace

void require_one_test(const Plan& plan) {
  const PlannedCollective& first = plan.collectives.front();
  for (const PlannedCollective& item : plan.collectives) {
    if (item.collective == first.collective && item.ranks.empty() && !item.together &&
        item.algorithm == first.algorithm) {
      continue;
    }
    throw InputError("--format json: nccl-tests' JSON has one collective over all ranks",
                     "give --format csv for this plan");
  }
}

std::string replay_json(const ReplayReport& report) {
  require_one_test(report.plan);
  const CollectiveKind kind = report.plan.collectives.front().collective;
  Json results = Json::array();
  for (const ReplayRow& row : report.rows) results.push_back(row_json(report, row));
  Json facts = Json::object();
  for (const auto& [name, value] : report.facts) facts[name] = value;
  Json json = {{"version", 3},
               {"args", {fmt::format("{}_perf", collective_name(kind))}},
               {"env", report.environment}};
  if (!report.system.empty()) json["system"] = report.system;
  if (!report.nccl.empty()) json["nccl_version"] = report.nccl;
  json["program"] = fmt::format("{} {}", report.program, kVersion);
  json["library"] = report.library;
  json["facts"] = std::move(facts);
  json["config"] = config_json(report);
  json["results"] = std::move(results);
  json["out_of_bounds"] = {{"count", report.wrong()},
                           {"okay", report.wrong() == 0 ? "true" : "false"}};
  if (!report.ended_early.empty()) json["errors"] = {report.ended_early};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace ringspan

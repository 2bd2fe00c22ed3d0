#include <nlohmann/json.hpp>

#include "app/report/study_writers.h"
#include "sim/base/version.h"

namespace ringspan {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kind_name(WorkloadKind kind) {
  switch (kind) {
    case WorkloadKind::Collective:
      return "collective";
    case WorkloadKind::Mix:
      return "mix";
    case WorkloadKind::Jobs:
      return "jobs";
    case WorkloadKind::Known:
      return "known";
  }
  return "";
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json bill_json(const ComparedDesign& design) {
  Json list = Json::array();
  for (std::size_t i = 0; i < design.bill.size(); ++i) {
    const BillLine& line = design.cost ? design.cost->lines[i].line : design.bill[i];
    Json json = {{"item", bill_item_name(line.item)}, {"name", line.name}, {"count", line.count}};
    if (!line.place.empty()) json["place"] = line.place;
    if (line.item == BillItem::Switch) json["ports_used"] = line.ports;
    if (line.item == BillItem::Cable) {
      json["metres"] = line.metres > 0 ? Json(line.metres) : Json(nullptr);
      json["medium"] = line.medium.empty() ? Json(nullptr) : Json(line.medium);
    }
    if (design.cost) {
      const PricedLine& priced = design.cost->lines[i];
      json["price_each"] = or_null(priced.price);
      json["rent_each"] = or_null(priced.rent);
      json["power_each_w"] = or_null(priced.watts);
      json["source"] = priced.source;
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json cost_json(const DesignCost& cost) {
  return {{"price_book", cost.book},
          {"currency", cost.currency},
          {"rented", cost.rented},
          {"purchase", or_null(cost.purchase)},
          {"per_hour", or_null(cost.per_hour)},
          {"power_w", or_null(cost.watts)},
          {"missing", cost.missing}};
}

Json design_json(const ComparedDesign& design) {
  Json set = Json::object();
  for (const StudyOverride& one : design.overrides) set[one.key] = one.value;
  Json json = {
      {"name", design.name},       {"system", design.system}, {"description", design.description},
      {"nodes", design.nodes},     {"gpus", design.gpus},     {"gpu_model", design.gpu_model},
      {"profile", design.profile}, {"nccl", design.nccl},     {"set", set},
      {"bill", bill_json(design)}};
  if (design.cost) json["cost"] = cost_json(*design.cost);
  return json;
}

void add_point(const PointResult& point, Json& json) {
  if (!point.algorithm.empty()) {
    json["algorithm"] = point.algorithm;
    json["protocol"] = protocol_name(point.protocol);
    json["channels"] = point.channels;
    json["granularity"] = granularity_name(point.granularity);
    json["algbw_gbs"] = point.algbw_gbs;
    json["busbw_gbs"] = point.busbw_gbs;
  }
  json["bottleneck"] = {{"resource", point.bottleneck},
                        {"link_class", point.link_class},
                        {"utilisation", point.utilisation}};
  json["lower_bound_us"] = to_microseconds(point.lower_bound);
  json["interval_us"] = nullptr;
  if (point.interval) json["interval_us"] = {point.interval->low_us, point.interval->high_us};
  json["extrapolated"] = point.extrapolated;
  for (const JobResult& job : point.jobs) {
    json["jobs"].push_back({{"job", job.name},
                            {"time_us", to_microseconds(job.time)},
                            {"alone_us", to_microseconds(job.alone)},
                            {"busbw_gbs", job.busbw_gbs}});
  }
}

Json cell_json(const ComparedCell& cell, const ComparedDesign& design, bool known) {
  if (!cell.done) return {{"design", design.name}, {"time_us", nullptr}};
  Json json = {{"design", design.name}, {"time_us", cell.seconds * 1e6}};
  if (!known) add_point(cell.point, json);
  json["ratio"] = cell.ratio;
  json["speedup"] = cell.speedup;
  json["scaling_efficiency"] = cell.efficiency;
  json["gpu_hours"] = cell.gpu_hours;
  if (design.cost) {
    json["cost"] = or_null(cell.cost);
    json["cost_ratio"] = or_null(cell.cost_ratio);
  }
  return json;
}

Json rows_json(const std::vector<DesignRow>& rows, const StudyComparison& comparison, bool known) {
  Json list = Json::array();
  for (const DesignRow& row : rows) {
    Json json = {{"bytes", row.bytes}, {"designs", Json::array()}};
    for (std::size_t d = 0; d < row.cells.size(); ++d) {
      json["designs"].push_back(cell_json(row.cells[d], comparison.designs[d], known));
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json workload_json(const ComparedWorkload& work, const StudyComparison& comparison) {
  const bool known = work.kind == WorkloadKind::Known;
  Json json = {{"name", work.name},
               {"kind", kind_name(work.kind)},
               {"results", rows_json(work.rows, comparison, known)}};
  if (work.collective) json["collective"] = collective_name(*work.collective);
  for (const ComparedPart& part : work.parts) {
    json["parts"].push_back({{"collective", collective_name(part.collective)},
                             {"weight", part.weight},
                             {"results", rows_json(part.rows, comparison, false)}});
  }
  json["crossovers"] = Json::array();
  for (const DesignCrossover& crossover : work.crossovers) {
    json["crossovers"].push_back(
        {{"first", comparison.designs[crossover.first].name},
         {"second", comparison.designs[crossover.second].name},
         {"bytes", crossover.at.bytes},
         {"between", {crossover.at.below, crossover.at.above}},
         {"faster_below",
          comparison.designs[crossover.at.first_below ? crossover.first : crossover.second].name}});
  }
  return json;
}

}  // namespace

std::string study_json_text(const StudyComparison& comparison) {
  Json json = {{"version", kVersion},
               {"title", comparison.title},
               {"study", comparison.text},
               {"designs", Json::array()},
               {"workloads", Json::array()}};
  for (const ComparedDesign& design : comparison.designs) {
    json["designs"].push_back(design_json(design));
  }
  for (const ComparedWorkload& work : comparison.workloads) {
    json["workloads"].push_back(workload_json(work, comparison));
  }
  json["warnings"] = comparison.warnings;
  json["stalled"] = comparison.stalled;
  json["interrupted"] = comparison.interrupted;
  return json.dump(2) + "\n";
}

}  // namespace ringspan

#include "app/report/sweep_csv.h"

#include <fmt/format.h>

#include <iterator>

#include "app/report/csv_field.h"
#include "app/report/number_text.h"

namespace ringspan {

namespace {

constexpr std::string_view kColumns =
    ",system,nodes,gpus,nccl,collective,algorithm,protocol,channels,bytes,time_us,algbw_gbs,"
    "busbw_gbs,granularity,bottleneck,link_class,utilisation,lower_bound_us,interval_low_us,"
    "interval_high_us,extrapolated";
constexpr std::string_view kCostColumns = ",currency,cost_per_hour,cost,power_w,cost_incomplete";

std::string number(double value) { return fmt::format("{:.9g}", value); }

void append_result(const StudyCase& one, const CaseResult& result, const PointResult& point,
                   std::string& text) {
  const bool alone = one.jobs.empty();
  const auto to = std::back_inserter(text);
  fmt::format_to(
      to, ",{},{},{},{},{},{},{},{},{},{},{},{}", csv_field(one.system->info.name), result.nodes,
      result.gpus, result.nccl, alone ? collective_name(one.scenario.collective) : "",
      point.algorithm, alone ? protocol_name(point.protocol) : "",
      alone ? std::to_string(point.channels) : "", point.bytes, exact_microseconds(point.time),
      alone ? number(point.algbw_gbs) : "", alone ? number(point.busbw_gbs) : "");
  fmt::format_to(to, ",{},{},{},{},{},{},{},{}", granularity_name(point.granularity),
                 csv_field(point.bottleneck), point.link_class, number(point.utilisation),
                 alone ? exact_microseconds(point.lower_bound) : "",
                 point.interval ? number(point.interval->low_us) : "",
                 point.interval ? number(point.interval->high_us) : "", point.extrapolated);
}

void append_cost(const std::optional<DesignCost>& cost, const PointResult& point,
                 std::string& text) {
  if (!cost) {
    text += ",,,,,";
    return;
  }
  constexpr double kSecondsPerHour = 3600;
  const bool known = cost->per_hour.has_value();
  fmt::format_to(std::back_inserter(text), ",{},{},{},{},{}", cost->currency,
                 known ? number(*cost->per_hour) : "",
                 known ? number(*cost->per_hour * to_seconds(point.time) / kSecondsPerHour) : "",
                 cost->watts ? number(*cost->watts) : "",
                 cost->cost_incomplete || cost->power_incomplete);
}

}  // namespace

std::string sweep_fingerprint_text(const SweepPlan& plan) {
  return fmt::format("{:016x}", plan.fingerprint);
}

std::string sweep_csv_header(const Study& study, const SweepPlan& plan) {
  std::string text = "point,design,workload,part,weight";
  if (study.sweep) {
    for (const SweepAxis& axis : study.sweep->axes) text += ",sweep." + csv_field(axis.key);
  }
  text += kColumns;
  if (plan.priced) text += kCostColumns;
  return text + ",study\n";
}

std::string sweep_csv_line(const Study& study, const SweepPlan& plan, const SweepCase& swept,
                           const CaseResult& result, std::size_t size) {
  const StudyCase& one = swept.one;
  const StudyWorkload& work = study.workloads[one.workload];
  const bool mix = work.kind == WorkloadKind::Mix;
  std::string text =
      fmt::format("{},{},{},{},{}", swept.first_point + size,
                  csv_field(study.designs[one.design].name), csv_field(work.name),
                  mix ? std::to_string(one.part + 1) : "", number(work.parts[one.part].weight));
  for (const std::string& value : one.axis_values) text += "," + csv_field(value);
  append_result(one, result, result.points[size], text);
  if (plan.priced) append_cost(swept.cost, result.points[size], text);
  return text + "," + sweep_fingerprint_text(plan) + "\n";
}

}  // namespace ringspan

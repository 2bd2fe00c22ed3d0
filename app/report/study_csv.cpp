#include <fmt/format.h>

#include <iterator>

#include "app/report/csv_field.h"
#include "app/report/number_text.h"
#include "app/report/study_costs.h"
#include "app/report/study_writers.h"

namespace ringspan {

namespace {

constexpr std::string_view kColumns =
    "study,design,workload,part,weight,"
    "system,nodes,gpus,nccl,collective,algorithm,protocol,channels,bytes,time_us,algbw_gbs,"
    "busbw_gbs,granularity,bottleneck,link_class,utilisation,lower_bound_us,interval_low_us,"
    "interval_high_us,extrapolated,ratio,speedup,scaling_efficiency,gpu_hours";

// Only where the study names a price book.
constexpr std::string_view kCostColumns =
    ",price_book,currency,cost_per_hour,cost,cost_ratio,power_w,cost_incomplete";

// Nine digits: more than any model is worth, few enough to read.
std::string number(double value) { return fmt::format("{:.9g}", value); }

// A known time has no picoseconds.
std::string time_field(const ComparedCell& cell) {
  return cell.point.time > Duration{} ? exact_microseconds(cell.point.time)
                                      : number(cell.seconds * 1e6);
}

struct Line {
  const StudyComparison& comparison;
  const ComparedWorkload& work;
  std::string part, collective;
  double weight = 1;

  void append(const DesignRow& row, std::size_t d, std::string& text) const {
    const ComparedDesign& design = comparison.designs[d];
    const ComparedCell& cell = row.cells[d];
    const PointResult& point = cell.point;
    const bool ran = !point.algorithm.empty();
    const auto to = std::back_inserter(text);
    fmt::format_to(to, "{},{},{},{},{},", csv_field(comparison.title), csv_field(design.name),
                   csv_field(work.name), part, number(weight));
    fmt::format_to(to, "{},{},{},{},{},{},{},{},{},{},{},{},", csv_field(design.system),
                   design.nodes, design.gpus, design.nccl, collective, point.algorithm,
                   ran ? protocol_name(point.protocol) : "",
                   ran ? std::to_string(point.channels) : "", row.bytes, time_field(cell),
                   ran ? number(point.algbw_gbs) : "", ran ? number(point.busbw_gbs) : "");
    const bool known = work.kind == WorkloadKind::Known;
    fmt::format_to(to, "{},{},{},{},{},{},{},{},", ran ? granularity_name(point.granularity) : "",
                   csv_field(point.bottleneck), point.link_class,
                   known ? "" : number(point.utilisation),
                   point.lower_bound > Duration{} ? exact_microseconds(point.lower_bound) : "",
                   point.interval ? number(point.interval->low_us) : "",
                   point.interval ? number(point.interval->high_us) : "",
                   known                ? ""
                   : point.extrapolated ? "true"
                                        : "false");
    fmt::format_to(to, "{},{},{},{}", number(cell.ratio), number(cell.speedup),
                   number(cell.efficiency), number(cell.gpu_hours));
    if (has_costs(comparison)) append_cost(design, cell, text);
    text += '\n';
  }

  static std::string or_empty(const std::optional<double>& value) {
    return value ? number(*value) : std::string();
  }

  static void append_cost(const ComparedDesign& design, const ComparedCell& cell,
                          std::string& text) {
    const DesignCost none;
    const DesignCost& cost = design.cost ? *design.cost : none;
    fmt::format_to(std::back_inserter(text), ",{},{},{},{},{},{},{}", csv_field(cost.book),
                   cost.currency, or_empty(cost.per_hour), or_empty(cell.cost),
                   or_empty(cell.cost_ratio), or_empty(cost.watts),
                   cost.cost_incomplete || cost.power_incomplete ? "true" : "false");
  }

  void append_all(const std::vector<DesignRow>& rows, std::string& text) const {
    for (const DesignRow& row : rows) {
      for (std::size_t d = 0; d < row.cells.size(); ++d) {
        if (row.cells[d].done) append(row, d, text);
      }
    }
  }
};

}  // namespace

std::string study_csv_text(const StudyComparison& comparison) {
  std::string text(kColumns);
  if (has_costs(comparison)) text += kCostColumns;
  text += '\n';
  for (const ComparedWorkload& work : comparison.workloads) {
    Line line{comparison, work, {}, {}, 1};
    if (work.collective) line.collective = collective_name(*work.collective);
    line.append_all(work.rows, text);
    for (std::size_t part = 0; part < work.parts.size(); ++part) {
      line.part = std::to_string(part + 1);
      line.collective = collective_name(work.parts[part].collective);
      line.weight = work.parts[part].weight;
      line.append_all(work.parts[part].rows, text);
    }
  }
  return text;
}

}  // namespace ringspan

// What `compare` prints for people.

#include <fmt/format.h>

#include <algorithm>

#include "app/report/number_text.h"
#include "app/report/study_costs.h"
#include "app/report/study_writers.h"
#include "sim/base/quantity.h"
#include "sim/base/version.h"

namespace ringspan {

namespace {

using Cells = std::vector<std::string>;

// "8 h", "30.2 us": of any length.
std::string seconds_text(double seconds) {
  constexpr double kHour = 3600;
  if (seconds < kHour) return time_text(duration_from_seconds(seconds));
  return significant(seconds / kHour, 4) + " h";
}

// "1.53x": two decimals while that says something.
std::string ratio_text(double ratio) {
  return ratio < 100 ? fmt::format("{:.2f}x", ratio) : significant(ratio, 3) + "x";
}

std::string counted(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string size_name(const DesignRow& row) {
  return row.bytes > 0 ? format_size({row.bytes}) : std::string("-");
}

// "nvlink 92 %": the class of links or resources, and how busy it is.
std::string limit_text(const PointResult& point) {
  if (point.bottleneck.empty()) return "-";
  if (point.bottleneck == "latency") {
    if (point.link_class.empty()) return "latency";
    return fmt::format("latency ({} {} busy)", point.link_class, percent(point.utilisation));
  }
  if (point.link_class.empty()) return point.bottleneck;
  return fmt::format("{} {}: {}", point.link_class, percent(point.utilisation), point.bottleneck);
}

std::string interval_text(const PointResult& point) {
  std::string text = point.interval
                         ? fmt::format("{} .. {}", seconds_text(point.interval->low_us / 1e6),
                                       seconds_text(point.interval->high_us / 1e6))
                         : std::string("-");
  return point.extrapolated ? text + " *" : text;
}

ReportSection designs_section(const StudyComparison& comparison) {
  ReportSection section;
  section.heading = "Designs";
  section.table.columns = {{"", false}, {"design", false}, {"system", false},  {"servers"},
                           {"GPUs"},    {"GPU", false},    {"profile", false}, {"changed", false}};
  for (std::size_t d = 0; d < comparison.designs.size(); ++d) {
    const ComparedDesign& design = comparison.designs[d];
    std::string changed;
    for (const StudyOverride& one : design.overrides) {
      changed += (changed.empty() ? "" : ", ") + one.key + "=" + one.value;
    }
    section.table.rows.push_back({design_letter(d), design.name, design.system,
                                  std::to_string(design.nodes), std::to_string(design.gpus),
                                  design.gpu_model, design.profile, changed});
  }
  return section;
}

// Times of all designs, and their ratio to the first one's.
ReportSection times_section(const ComparedWorkload& work, const std::vector<DesignRow>& rows,
                            const std::string& heading) {
  ReportSection section;
  section.heading = heading + ": time, and times the first design's";
  section.table.columns = {{"size"}};
  const std::size_t designs = rows.front().cells.size();
  for (std::size_t d = 0; d < designs; ++d) {
    section.table.columns.push_back({design_letter(d)});
    if (d > 0) section.table.columns.push_back({"/A"});
  }
  for (const DesignRow& row : rows) {
    Cells cells = {size_name(row)};
    for (std::size_t d = 0; d < designs; ++d) {
      const ComparedCell& cell = row.cells[d];
      cells.push_back(cell.done ? seconds_text(cell.seconds) : "-");
      if (d > 0) cells.push_back(cell.done ? ratio_text(cell.ratio) : "-");
    }
    section.table.rows.push_back(std::move(cells));
  }
  for (const DesignCrossover& crossover : work.crossovers) {
    const std::string first = design_letter(crossover.first);
    const std::string second = design_letter(crossover.second);
    const bool first_below = crossover.at.first_below;
    section.after.push_back(fmt::format(
        "{} is faster than {} below about {}, {} above (between {} and {})",
        first_below ? first : second, first_below ? second : first,
        format_size({static_cast<std::int64_t>(crossover.at.bytes / 1024) * 1024}),
        first_below ? second : first, format_size({static_cast<std::int64_t>(crossover.at.below)}),
        format_size({static_cast<std::int64_t>(crossover.at.above)})));
  }
  return section;
}

Cells limit_cells(const DesignRow& row, std::size_t d, bool first) {
  const ComparedCell& cell = row.cells[d];
  const PointResult& point = cell.point;
  Cells cells = {first ? size_name(row) : std::string(), design_letter(d)};
  if (!cell.done) {
    cells.insert(cells.end(), 6, "-");
    return cells;
  }
  cells.push_back(point.busbw_gbs > 0 ? significant(point.busbw_gbs, 4) : "-");
  cells.push_back(point.algorithm.empty()
                      ? "-"
                      : fmt::format("{} {} x{}", point.algorithm, protocol_name(point.protocol),
                                    point.channels));
  cells.push_back(point.lower_bound > Duration{} ? time_text(point.lower_bound) : "-");
  cells.push_back(interval_text(point));
  cells.push_back(limit_text(point));
  return cells;
}

ReportSection limits_section(const std::vector<DesignRow>& rows, const std::string& heading) {
  ReportSection section;
  section.heading = heading + ": what runs, and what limits it";
  section.table.columns = {{"size"},  {"", false},       {"busbw GB/s"},       {"way", false},
                           {"bound"}, {"80 % interval"}, {"limited by", false}};
  bool extrapolated = false;
  for (const DesignRow& row : rows) {
    for (std::size_t d = 0; d < row.cells.size(); ++d) {
      Cells cells = limit_cells(row, d, d == 0);
      cells.resize(section.table.columns.size());
      section.table.rows.push_back(std::move(cells));
      extrapolated |= row.cells[d].done && row.cells[d].point.extrapolated;
    }
  }
  section.after = {"bound: no algorithm on this fabric can be faster"};
  if (extrapolated) section.after.push_back("*: outside what the profile was fitted to");
  return section;
}

ReportSection jobs_section(const ComparedWorkload& work) {
  ReportSection section;
  section.heading = work.name + ": each job beside the others";
  section.table.columns = {{"size"},  {"", false},  {"job", false}, {"time"},
                           {"alone"}, {"slowdown"}, {"busbw GB/s"}};
  for (const DesignRow& row : work.rows) {
    for (std::size_t d = 0; d < row.cells.size(); ++d) {
      for (const JobResult& job : row.cells[d].point.jobs) {
        const double alone = to_seconds(job.alone);
        section.table.rows.push_back({size_name(row), design_letter(d), job.name,
                                      time_text(job.time), time_text(job.alone),
                                      alone > 0 ? ratio_text(to_seconds(job.time) / alone) : "-",
                                      significant(job.busbw_gbs, 4)});
      }
    }
  }
  return section;
}

ReportSection parts_section(const ComparedWorkload& work) {
  ReportSection section;
  section.heading = work.name + ": its parts";
  section.table.columns = {{"part", false}, {"size"},  {"weight"},           {"", false},
                           {"time each"},   {"share"}, {"limited by", false}};
  for (const ComparedPart& part : work.parts) {
    const DesignRow& row = part.rows.front();
    for (std::size_t d = 0; d < row.cells.size(); ++d) {
      const double all = work.rows.front().cells[d].seconds;
      const ComparedCell& cell = row.cells[d];
      section.table.rows.push_back({std::string(collective_name(part.collective)), size_name(row),
                                    significant(part.weight, 6), design_letter(d),
                                    cell.done ? seconds_text(cell.seconds) : "-",
                                    all > 0 ? percent(part.weight * cell.seconds / all) : "-",
                                    limit_text(cell.point)});
    }
  }
  return section;
}

bool gpus_differ(const StudyComparison& comparison) {
  return std::any_of(
      comparison.designs.begin(), comparison.designs.end(),
      [&](const ComparedDesign& design) { return design.gpus != comparison.designs.front().gpus; });
}

// What scaling costs, where there are prices.
void append_cost_cells(const ComparedCell& cell, std::vector<std::string>& cells) {
  cells.push_back(cell.cost ? significant(*cell.cost, 4) : "-");
  cells.push_back(cell.cost_ratio ? fmt::format("{:+.0f} %", (*cell.cost_ratio - 1) * 100) : "-");
}

// By definition (docs/studies.md); of a workload with several sizes, the largest.
ReportSection scaling_section(const StudyComparison& comparison) {
  ReportSection section;
  section.heading = "Scaling, against the first design";
  section.table.columns = {{"workload", false}, {"size"},       {"", false},  {"GPUs"}, {"time"},
                           {"speedup"},         {"efficiency"}, {"GPU-hours"}};
  const std::string currency = currency_of(comparison);
  if (!currency.empty()) {
    section.table.columns.push_back({"cost " + currency});
    section.table.columns.push_back({"more cost"});
  }
  for (const ComparedWorkload& work : comparison.workloads) {
    const DesignRow& row = work.rows.back();
    for (std::size_t d = 0; d < row.cells.size(); ++d) {
      const ComparedCell& cell = row.cells[d];
      if (!cell.done) continue;
      Cells cells = {work.name,
                     size_name(row),
                     design_letter(d),
                     std::to_string(comparison.designs[d].gpus),
                     seconds_text(cell.seconds),
                     ratio_text(cell.speedup),
                     fmt::format("{:.0f} %", cell.efficiency * 100),
                     significant(cell.gpu_hours, 4)};
      if (!currency.empty()) append_cost_cells(cell, cells);
      section.table.rows.push_back(std::move(cells));
    }
  }
  return section;
}

void append_workload(const ComparedWorkload& work, ReportPage& page) {
  page.sections.push_back(times_section(work, work.rows, work.name));
  if (work.kind == WorkloadKind::Known) return;
  if (work.kind == WorkloadKind::Mix) page.sections.push_back(parts_section(work));
  page.sections.push_back(limits_section(work.rows, work.name));
  if (work.kind == WorkloadKind::Jobs) page.sections.push_back(jobs_section(work));
}

bool has_known_times(const StudyComparison& comparison) {
  return std::any_of(comparison.workloads.begin(), comparison.workloads.end(),
                     [](const ComparedWorkload& work) { return work.kind == WorkloadKind::Known; });
}

}  // namespace

std::string design_letter(std::size_t design) {
  std::string text(1, static_cast<char>('A' + design % 26));
  for (; design >= 26; text.insert(text.begin(), static_cast<char>('A' + design % 26))) {
    design = design / 26 - 1;
  }
  return text;
}

ReportPage study_page(const StudyComparison& comparison) {
  ReportPage page;
  page.title = comparison.title;
  page.lines = {
      fmt::format("ringspan {} compare {}: {}, {}", kVersion, comparison.file,
                  counted(static_cast<std::int64_t>(comparison.designs.size()), "design"),
                  counted(static_cast<std::int64_t>(comparison.workloads.size()), "workload"))};
  page.sections.push_back(designs_section(comparison));
  for (const ComparedWorkload& work : comparison.workloads) append_workload(work, page);
  if (gpus_differ(comparison) || has_known_times(comparison) || has_costs(comparison)) {
    page.sections.push_back(scaling_section(comparison));
  }
  page.sections.push_back(bill_section(comparison));
  if (has_costs(comparison)) page.sections.push_back(costs_section(comparison));
  if (comparison.interrupted) page.lines.push_back("interrupted: what is missing is shown as -");
  for (const std::string& stalled : comparison.stalled) page.lines.push_back("stalled: " + stalled);
  return page;
}

}  // namespace ringspan

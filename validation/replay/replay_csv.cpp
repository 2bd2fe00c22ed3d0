#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/report/csv_field.h"
#include "validation/logs/measured_row.h"
#include "validation/replay/replay_writers.h"

namespace ringspan {

namespace {

std::string time_cell(double microseconds) { return fmt::format("{:.6g}", microseconds); }

MeasuredRow measured_row(const ReplayReport& report, const ReplayRow& row) {
  const PlannedCollective& item = report.plan.collectives[row.planned];
  MeasuredRow measured;
  measured.system = report.system;
  // Of a part of the ranks it is not known here on how many servers they are.
  if (item.ranks.empty()) measured.nodes = replay_hosts(report);
  measured.gpus = row.ranks;
  measured.nccl = report.nccl;
  measured.collective = item.collective;
  measured.algorithm = item.algorithm.value_or("");
  measured.protocol = item.protocol;
  measured.dtype = item.dtype;
  measured.bytes = row.size.bytes;
  measured.time_us = row.out_of_place.time_us();
  measured.time_text = time_cell(measured.time_us);
  measured.launch = replay_launch(report);
  measured.case_name = report.case_name;
  return measured;
}

std::string wrong_cell(const ReplayHalf& half) {
  return half.wrong ? std::to_string(*half.wrong) : "";
}

void append_facts(const ReplayReport& report, std::string& text) {
  for (const auto& [name, value] : report.facts) text += fmt::format("# {}: {}\n", name, value);
  for (const std::string& setting : report.environment) text += fmt::format("# {}\n", setting);
  if (!report.ended_early.empty()) text += fmt::format("# ended early: {}\n", report.ended_early);
}

}  // namespace

std::string replay_csv(const ReplayReport& report) {
  std::string text;
  append_facts(report, text);
  for (const std::string_view column : kMeasuredColumns) text += fmt::format("{},", column);
  text += "in_place_us,least_us,most_us,repeats,timing,wrong\n";
  for (const ReplayRow& row : report.rows) {
    const std::vector<double>& repeats = row.out_of_place.repeats_us;
    for (const std::string& cell : measured_cells(measured_row(report, row))) {
      text += csv_field(cell) + ",";
    }
    const auto [least, most] = std::minmax_element(repeats.begin(), repeats.end());
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}\n",
                   row.in_place ? time_cell(row.in_place->time_us()) : "", time_cell(*least),
                   time_cell(*most), repeats.size(), replay_timing_name(report.timing),
                   wrong_cell(row.out_of_place));
  }
  return text;
}

}  // namespace ringspan

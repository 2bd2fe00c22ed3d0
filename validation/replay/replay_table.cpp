// The layout of nccl-tests 2.19.6, as app/report/table_writer.cpp has it for simulated times.

#include <fmt/format.h>

#include <iterator>

#include "app/report/number_text.h"
#include "sim/base/version.h"
#include "validation/replay/replay_writers.h"

namespace ringspan {

namespace {

// What stands in nccl-tests' header rather than in its rows.
bool same_section(const PlannedCollective& a, const PlannedCollective& b) {
  return a.collective == b.collective && a.ranks == b.ranks && a.algorithm == b.algorithm &&
         a.protocol == b.protocol && a.channels == b.channels && a.gap == b.gap &&
         a.warmup == b.warmup && a.iterations == b.iterations && a.together == b.together;
}

void append_ranks(const ReplayReport& report, const PlannedCollective& item, std::string& text) {
  text += "# Using devices\n";
  int number = 0;
  for (const std::int32_t rank : ranks_of(report.plan, item)) {
    if (static_cast<std::size_t>(rank) >= report.ranks.size()) continue;
    const ReplayRank& place = report.ranks[static_cast<std::size_t>(rank)];
    fmt::format_to(std::back_inserter(text),
                   "#  Rank {:2} Group {:2} Pid {:6} on {:>10} device {:2} [{}] {}\n", number++, 0,
                   place.process, fmt::format("host{}", place.host), place.device, place.bus,
                   place.model);
  }
}

void append_forced(const ReplayReport& report, const PlannedCollective& item, std::string& text) {
  text += fmt::format("# timing: {}, {} repeats", replay_timing_name(report.timing),
                      report.plan.repeats);
  if (item.algorithm) text += ", algorithm " + *item.algorithm;
  if (item.protocol) text += fmt::format(", protocol {}", protocol_name(*item.protocol));
  if (item.channels) text += fmt::format(", {} channels", *item.channels);
  if (item.gap > Duration{}) text += ", gaps of " + time_text(item.gap);
  if (item.together) text += ", with the collective before it";
  text += '\n';
}

void append_header(const ReplayReport& report, ReplaySection section, std::string& text) {
  const ReplayRow& first = report.rows[section.first];
  const PlannedCollective& item = report.plan.collectives[first.planned];
  fmt::format_to(std::back_inserter(text),
                 "# ringspan {} {} (measured) system {} library {}\n"
                 "# Collective test starting: {}_perf\n"
                 "# nThread 1 nGpus 1 minBytes {} maxBytes {} step: 1(factor) warmup iters: {} "
                 "iters: {} agg iters: 1 validation: {} graph: 0 unalign: 0\n#\n",
                 kVersion, report.program, report.system.empty() ? "-" : report.system,
                 report.library, collective_name(item.collective), first.size.bytes,
                 report.rows[section.end - 1].size.bytes, item.warmup, item.iterations,
                 first.out_of_place.wrong ? 1 : 0);
  append_ranks(report, item, text);
  append_forced(report, item, text);
  text +=
      "#\n"
      "#                                                              out-of-place               "
      "        in-place          \n"
      "#       size         count      type   redop    root     time   algbw   busbw  #wrong     "
      "time   algbw   busbw  #wrong \n"
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             "
      "(us)  (GB/s)  (GB/s)         \n";
}

std::string half_row(const ReplayReport& report, const ReplayRow& row, const ReplayHalf& half) {
  return fmt::format("  {}  {}  {}  {:>6}", column_number(half.time_us(), 7),
                     column_number(replay_algbw_gbs(row, half), 6),
                     column_number(replay_busbw_gbs(report, row, half), 6),
                     half.wrong ? std::to_string(*half.wrong) : "N/A");
}

void append_row(const ReplayReport& report, const ReplayRow& row, std::string& text) {
  const PlannedCollective& item = report.plan.collectives[row.planned];
  const bool reduces = collective_reduces(item.collective);
  fmt::format_to(std::back_inserter(text), "{:12}  {:12}  {:>8}  {:>6}  {:6}{}{}\n", row.size.bytes,
                 row.size.count, item.dtype, reduces ? item.op : "none",
                 collective_has_root(item.collective) ? item.root : -1,
                 half_row(report, row, row.out_of_place),
                 row.in_place
                     ? half_row(report, row, *row.in_place)
                     : fmt::format("  {:>7}  {:>6}  {:>6}  {:>6}", "N/A", "N/A", "N/A", "N/A"));
}

void append_end(const ReplayReport& report, ReplaySection section, std::string& text) {
  double sum = 0;
  int halves = 0;
  std::int64_t wrong = 0;
  for (std::size_t i = section.first; i < section.end; ++i) {
    const ReplayRow& row = report.rows[i];
    const auto add = [&](const ReplayHalf& half) {
      sum += replay_busbw_gbs(report, row, half);
      wrong += half.wrong.value_or(0);
      ++halves;
    };
    add(row.out_of_place);
    if (row.in_place) add(*row.in_place);
  }
  fmt::format_to(std::back_inserter(text),
                 "# Out of bounds values : {} {}\n# Avg bus bandwidth    : {:.6g} \n#\n", wrong,
                 wrong == 0 ? "OK" : "FAILED", sum / halves);
}

}  // namespace

std::vector<ReplaySection> replay_sections(const ReplayReport& report) {
  std::vector<ReplaySection> sections;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const auto planned = [&](std::size_t row) -> const PlannedCollective& {
      return report.plan.collectives[report.rows[row].planned];
    };
    if (i == 0 || !same_section(planned(i - 1), planned(i))) sections.push_back({i, i});
    sections.back().end = i + 1;
  }
  return sections;
}

std::string replay_table(const ReplayReport& report) {
  std::string text;
  for (const ReplaySection& section : replay_sections(report)) {
    append_header(report, section, text);
    for (std::size_t i = section.first; i < section.end; ++i) {
      append_row(report, report.rows[i], text);
    }
    append_end(report, section, text);
  }
  for (const auto& [name, value] : report.facts) text += fmt::format("# {}: {}\n", name, value);
  for (const std::string& setting : report.environment) text += fmt::format("# {}\n", setting);
  if (!report.ended_early.empty()) text += fmt::format("# ended early: {}\n", report.ended_early);
  return text;
}

}  // namespace ringspan

// The layout of nccl-tests 2.19.6 (src/common.cu, src/util.cu): widths 12 12 8 6 6, then twice
// 7 6 6 6, two blanks in between. Its users' scripts read these columns.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/report/explain_parts.h"
#include "app/report/number_text.h"
#include "app/report/report_writers.h"
#include "sim/base/version.h"

namespace ringspan {

namespace {

void append_devices(const RunReport& report, std::string& text) {
  text += "# Using devices\n";
  for (std::size_t rank = 0; rank < report.rank_devices.size(); ++rank) {
    // Where a real run names process and PCI bus, a simulated one has neither.
    fmt::format_to(std::back_inserter(text),
                   "#  Rank {:2} Group {:2} Pid {:6} on {:>10} device {:2} [{}] {}\n", rank, 0, 0,
                   report.system, report.rank_devices[rank].number, report.rank_devices[rank].name,
                   report.gpu_model);
  }
  const int left = report.gpus - static_cast<int>(report.rank_devices.size());
  if (left > 0) fmt::format_to(std::back_inserter(text), "#  ... {} more ranks\n", left);
}

void append_header(const RunReport& report, const SizeRange& asked, std::string& text) {
  fmt::format_to(std::back_inserter(text),
                 "# ringspan {} (simulated) system {} profile {} nccl {}\n"
                 "# Collective test starting: {}_perf\n"
                 "# nThread 1 nGpus 1 minBytes {} maxBytes {} step: {}(factor) warmup iters: 1 "
                 "iters: {} agg iters: 1 validation: 0 graph: 0 unalign: 0\n#\n",
                 kVersion, report.system, report.profile, report.nccl,
                 collective_name(report.collective), asked.least.count, asked.most.count,
                 asked.factor, report.iterations);
  append_devices(report, text);
  text +=
      "#\n"
      "#                                                              out-of-place               "
      "        in-place          \n"
      "#       size         count      type   redop    root     time   algbw   busbw  #wrong     "
      "time   algbw   busbw  #wrong \n"
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             "
      "(us)  (GB/s)  (GB/s)         \n";
}

std::string half_row(Duration time, double algbw, double busbw) {
  return fmt::format("  {}  {}  {}  {:>6}", column_number(to_microseconds(time), 7),
                     column_number(algbw, 6), column_number(busbw, 6), "N/A");
}

void append_row(const RunReport& report, const RunRow& row, std::string& text) {
  fmt::format_to(std::back_inserter(text), "{:12}  {:12}  {:>8}  {:>6}  {:6}{}{}\n", row.bytes,
                 row.count, report.dtype, report.op, report.root,
                 half_row(row.time, row.algbw_gbs, row.busbw_gbs),
                 half_row(row.time_in_place, row.algbw_in_place_gbs, row.busbw_in_place_gbs));
}

// nccl-tests' average: over all rows and both halves.
double average_busbw(const RunReport& report) {
  if (report.rows.empty()) return 0;
  double sum = 0;
  for (const RunRow& row : report.rows) sum += row.busbw_gbs + row.busbw_in_place_gbs;
  return sum / (2.0 * static_cast<double>(report.rows.size()));
}

// Bounds count bytes only: far above them, the ratio says no more than that latency rules.
std::string ratio_text(double time, double bound) {
  constexpr double kMostTold = 1000;
  if (bound <= 0) return "-";
  return time / bound > kMostTold ? ">1000" : significant(time / bound, 3);
}

void append_choices(const RunReport& report, std::string& text) {
  fmt::format_to(std::back_inserter(text),
                 "#\n# What ran, and what limits it ({} server{}, {} GPU{}, {} network):\n"
                 "#{:>11}  {:<16} {:<8} {:>8} {:<11} {:>12} {:>8}  {}\n",
                 report.nodes, report.nodes == 1 ? "" : "s", report.gpus,
                 report.gpus == 1 ? "" : "s", network_name(report.network), "size", "algorithm",
                 "protocol", "channels", "granularity", "bound(us)", "x bound", "limited by");
  for (const RunRow& row : report.rows) {
    const double bound = to_microseconds(row.lower_bound);
    fmt::format_to(std::back_inserter(text), "#{:11}  {:<16} {:<8} {:8} {:<11} {:>12} {:>8}  {}\n",
                   row.bytes, row.algorithm, protocol_name(row.protocol), row.channels,
                   granularity_name(row.granularity), significant(bound, 5),
                   ratio_text(to_microseconds(row.time), bound), limit_text(row));
  }
  text += "# bound: no algorithm on this fabric can be faster; x bound: time over bound\n";
}

void append_notes(const RunReport& report, std::string& text) {
  for (const RunRow& row : report.rows) {
    for (const std::string& note : row.notes) {
      fmt::format_to(std::back_inserter(text), "# note: {} bytes: {}\n", row.bytes, note);
    }
  }
  if (report.interrupted) text += "# interrupted: larger sizes are missing\n";
  if (!report.stalled.empty()) text += "# stalled: " + report.stalled + "\n";
}

}  // namespace

std::string nccl_tests_table(const RunReport& report, const SizeRange& asked) {
  std::string text;
  append_header(report, asked, text);
  for (const RunRow& row : report.rows) append_row(report, row, text);
  fmt::format_to(std::back_inserter(text),
                 "# Out of bounds values : N/A (simulated: no data to compare)\n"
                 "# Avg bus bandwidth    : {:.6g} \n#\n# Collective test concluded: {}_perf\n",
                 average_busbw(report), collective_name(report.collective));
  append_choices(report, text);
  append_notes(report, text);
  return text;
}

std::string commented(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    result += line.empty() ? "#" : "# ";
    result += line;
    result += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace ringspan

// Several collectives at once: the table and --explain.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "app/report/explain_parts.h"
#include "app/report/number_text.h"
#include "app/report/report_writers.h"
#include "sim/base/quantity.h"
#include "sim/base/version.h"

namespace ringspan {

namespace {

template <typename... Arguments>
void line(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
  text += '\n';
}

std::string slowdown_text(const JobRow& entry) {
  if (entry.alone <= Duration{}) return "1.000";
  return fmt::format("{:.3f}", to_seconds(entry.row.time) / to_seconds(entry.alone));
}

std::string beside_text(const ConcurrentReport& report, const JobRow& entry) {
  constexpr std::size_t kMostNamed = 6;
  if (entry.beside.empty()) return {};
  std::vector<std::string> names;
  for (const std::size_t other : entry.beside) {
    if (names.size() < kMostNamed) names.push_back(report.jobs[other].name);
  }
  std::string text = fmt::format(", shared with job{} {}", entry.beside.size() == 1 ? "" : "s",
                                 fmt::join(names, ", "));
  if (entry.beside.size() > kMostNamed) {
    text += fmt::format(" and {} more", entry.beside.size() - kMostNamed);
  }
  return text;
}

void append_header(const ConcurrentReport& report, std::string& text) {
  line(text, "# ringspan {} (simulated) system {} profile {} nccl {}", kVersion, report.system,
       report.profile, report.nccl);
  line(text, "# {} collective{} at once on {} GPU{} of {} server{}, {} network", report.jobs.size(),
       report.jobs.size() == 1 ? "" : "s", report.gpus, report.gpus == 1 ? "" : "s", report.nodes,
       report.nodes == 1 ? "" : "s", network_name(report.network));
  line(text, "#");
  line(text,
       "# {:>10} {:>12} {:<14} {:>6} {:<16} {:<8} {:>3} {:>10} {:>10} {:>10} {:>8} {:>7} {:>7}",
       "job", "size", "collective", "gpus", "algorithm", "protocol", "ch", "start", "time", "alone",
       "slowdown", "algbw", "busbw");
  line(text,
       "# {:>10} {:>12} {:<14} {:>6} {:<16} {:<8} {:>3} {:>10} {:>10} {:>10} {:>8} {:>7} {:>7}", "",
       "(B)", "", "", "", "", "", "(us)", "(us)", "(us)", "(x)", "(GB/s)", "(GB/s)");
}

void append_job(const ConcurrentReport& report, const JobRow& entry, std::string& text) {
  const JobFacts& job = report.jobs[entry.job];
  const RunRow& row = entry.row;
  line(text, "  {:>10} {:>12} {:<14} {:>6} {:<16} {:<8} {:>3} {} {} {} {:>8} {} {}", job.name,
       row.bytes, collective_name(job.collective), job.gpus, row.algorithm,
       protocol_name(row.protocol), row.channels, column_number(to_microseconds(entry.start), 10),
       column_number(to_microseconds(row.time), 10),
       column_number(to_microseconds(entry.alone), 10), slowdown_text(entry),
       column_number(row.algbw_gbs, 7), column_number(row.busbw_gbs, 7));
}

void append_limits(const ConcurrentReport& report, std::string& text) {
  text += "#\n# What limits them (utilisation by all jobs, while the job is under way):\n";
  for (const ConcurrentRun& run : report.runs) {
    line(text, "# all done after {}, granularity {}", time_text(run.time),
         granularity_name(run.granularity));
    for (const JobRow& entry : run.rows) {
      line(text, "# {:>10} {:>12}  {}{}", report.jobs[entry.job].name, entry.row.bytes,
           limit_text(entry.row), beside_text(report, entry));
    }
  }
  text += "# alone: the same job with nothing beside it; slowdown: time over alone\n";
  if (report.interrupted) text += "# interrupted: larger sizes are missing\n";
  if (!report.stalled.empty()) text += "# stalled: " + report.stalled + "\n";
}

void explain_job(const ConcurrentReport& report, const JobRow& entry, std::string& text) {
  const JobFacts& job = report.jobs[entry.job];
  const RunRow& row = entry.row;
  line(text, "\nJob {}: {} of {} ({} bytes) on ranks {}", job.name, collective_name(job.collective),
       format_size(Bytes{row.bytes}), row.bytes, job.ranks);
  line(text, "  communicator    {} rank{} on {} server{}, {}", job.gpus, job.gpus == 1 ? "" : "s",
       job.nodes, job.nodes == 1 ? "" : "s", job.gpu_model);
  line(text, "  algorithm       {}, protocol {}, {} channel{}, picked as if it were alone",
       row.algorithm, protocol_name(row.protocol), row.channels, row.channels == 1 ? "" : "s");
  line(text, "  cut             chunks up to {}, slices of {}, {} loop{}",
       format_size(Bytes{row.chunk_bytes}), format_size(Bytes{row.slice_bytes}), row.loops,
       row.loops == 1 ? "" : "s");
  line(text, "  time            {} from {} to {}; alone {}, {} times that", time_text(row.time),
       time_text(entry.start), time_text(entry.end), time_text(entry.alone), slowdown_text(entry));
  line(text, "  limited by      {}{}", limit_text(row), beside_text(report, entry));
  append_bound(row, text);
  append_loads(row, text);
  append_candidates(row, text);
}

}  // namespace

std::string concurrent_table(const ConcurrentReport& report) {
  std::string text;
  append_header(report, text);
  for (const ConcurrentRun& run : report.runs) {
    for (const JobRow& entry : run.rows) append_job(report, entry, text);
  }
  append_limits(report, text);
  return text;
}

std::string explain_text(const ConcurrentReport& report) {
  std::string text;
  line(text, "{} jobs on {} GPUs of {}, profile {} (constants of NCCL {}), {} network",
       report.jobs.size(), report.gpus, report.system, report.profile, report.nccl,
       network_name(report.network));
  for (const ConcurrentRun& run : report.runs) {
    line(text, "\nAll jobs together: {}, granularity {}, {} operations, {} events",
         time_text(run.time), granularity_name(run.granularity), run.operations, run.events);
    for (const JobRow& entry : run.rows) explain_job(report, entry, text);
  }
  return text;
}

}  // namespace ringspan

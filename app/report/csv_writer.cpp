#include <fmt/format.h>

#include <iterator>

#include "app/report/csv_field.h"
#include "app/report/number_text.h"
#include "app/report/report_writers.h"

namespace ringspan {

namespace {

// Nine digits: more than any model is worth, few enough to read.
std::string csv_rate(double gbytes_per_second) { return fmt::format("{:.9g}", gbytes_per_second); }

constexpr std::string_view kColumns =
    "system,nodes,gpus,nccl,collective,algorithm,protocol,channels,bytes,time_us,algbw_gbs,"
    "busbw_gbs,time_in_place_us,granularity,bottleneck,lower_bound_us";

// What every row begins with, run alone or among others.
struct RowHead {
  const std::string& system;
  int nodes = 1, gpus = 1;
  const std::string& nccl;
  CollectiveKind collective = CollectiveKind::AllReduce;
};

void append_row(const RowHead& head, const RunRow& row, std::string& text) {
  fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                 csv_field(head.system), head.nodes, head.gpus, csv_field(head.nccl),
                 collective_name(head.collective), csv_field(row.algorithm),
                 protocol_name(row.protocol), row.channels, row.bytes, exact_microseconds(row.time),
                 csv_rate(row.algbw_gbs), csv_rate(row.busbw_gbs),
                 exact_microseconds(row.time_in_place), granularity_name(row.granularity),
                 csv_field(row.bottleneck), exact_microseconds(row.lower_bound));
}

std::string ratio(Duration time, Duration alone) {
  return alone > Duration{} ? fmt::format("{:.6g}", to_seconds(time) / to_seconds(alone)) : "1";
}

}  // namespace

std::string csv_text(const RunReport& report) {
  std::string text = fmt::format("{}\n", kColumns);
  const RowHead head{report.system, report.nodes, report.gpus, report.nccl, report.collective};
  for (const RunRow& row : report.rows) {
    append_row(head, row, text);
    text += '\n';
  }
  return text;
}

std::string csv_text(const ConcurrentReport& report) {
  std::string text = fmt::format("{},job,ranks,start_us,alone_us,slowdown\n", kColumns);
  for (const ConcurrentRun& run : report.runs) {
    for (const JobRow& entry : run.rows) {
      const JobFacts& job = report.jobs[entry.job];
      append_row({report.system, job.nodes, job.gpus, report.nccl, job.collective}, entry.row,
                 text);
      fmt::format_to(std::back_inserter(text), ",{},{},{},{},{}\n", csv_field(job.name),
                     csv_field(job.ranks), exact_microseconds(entry.start),
                     exact_microseconds(entry.alone), ratio(entry.row.time, entry.alone));
    }
  }
  return text;
}

}  // namespace ringspan

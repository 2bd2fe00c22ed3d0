#include <fmt/format.h>

#include <iterator>

#include "app/report/number_text.h"
#include "app/report/report_writers.h"

namespace ringspan {

namespace {

// RFC 4180: a field with a separator, a quote or a line break is quoted.
std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char character : text) {
    if (character == '"') quoted += '"';
    quoted += character;
  }
  return quoted + '"';
}

// Nine digits: more than any model is worth, few enough to read.
std::string csv_rate(double gbytes_per_second) { return fmt::format("{:.9g}", gbytes_per_second); }

}  // namespace

std::string csv_text(const RunReport& report) {
  std::string text =
      "system,nodes,gpus,nccl,collective,algorithm,protocol,channels,bytes,time_us,algbw_gbs,"
      "busbw_gbs,time_in_place_us,granularity,bottleneck,lower_bound_us\n";
  for (const RunRow& row : report.rows) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                   csv_field(report.system), report.nodes, report.gpus, csv_field(report.nccl),
                   collective_name(report.collective), csv_field(row.algorithm),
                   protocol_name(row.protocol), row.channels, row.bytes,
                   exact_microseconds(row.time), csv_rate(row.algbw_gbs), csv_rate(row.busbw_gbs),
                   exact_microseconds(row.time_in_place), granularity_name(row.granularity),
                   csv_field(row.bottleneck), exact_microseconds(row.lower_bound));
  }
  return text;
}

}  // namespace ringspan

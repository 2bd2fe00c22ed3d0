#pragma once

// RunReport to text. Code flow: run_scenario() returns a RunReport, the command picks a writer, and
// writes what it returns whole. Writers only format: they compute no result.
//   nccl_tests_table()  the layout of nccl-tests 2.19, then comment lines: what was picked and why
//   csv_text()          one line per size, fixed columns
//   json_text()         one object
//   explain_text()      for people: `--explain`

#include <string>
#include <string_view>

#include "app/scenario/concurrent_scenario.h"
#include "app/scenario/run_report.h"
#include "sim/base/units.h"

namespace ringspan {

// What was asked for, for the table's header; the rows may be fewer.
struct SizeRange {
  Bytes least, most;
  std::string factor;  // as the user wrote it
};

// Rows are those of nccl-tests, field by field and column by column; every other line starts with
// '#', so that its users' scripts read the table. `#wrong` is N/A: no data exists to compare.
std::string nccl_tests_table(const RunReport& report, const SizeRange& asked);

// system,nodes,gpus,nccl,collective,algorithm,protocol,channels,bytes,time_us,algbw_gbs,busbw_gbs,
// then time_in_place_us,granularity,bottleneck,lower_bound_us. Times have picosecond digits.
std::string csv_text(const RunReport& report);

// With `candidates`, every result lists what was weighed.
std::string json_text(const RunReport& report, bool candidates);

std::string explain_text(const RunReport& report);

// The same of several collectives at once. The table has a line for each job of each size, not
// nccl-tests' columns: that tool runs one collective. The CSV's further columns are
// job,ranks,start_us,alone_us,slowdown (time_us over alone_us); the JSON's results have them too,
// and end_us and the jobs that share the bottleneck.
std::string concurrent_table(const ConcurrentReport& report);
std::string csv_text(const ConcurrentReport& report);
std::string json_text(const ConcurrentReport& report, bool candidates);
std::string explain_text(const ConcurrentReport& report);

// Every line with "# " in front, so that it can follow a table.
std::string commented(std::string_view text);

}  // namespace ringspan

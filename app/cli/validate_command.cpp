#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/problems.h"
#include "app/cli/progress_line.h"
#include "app/cli/validate_options.h"
#include "app/report/comparison_writers.h"
#include "sim/base/input_error.h"
#include "validation/comparison/comparison.h"
#include "validation/logs/read_log.h"

namespace ringspan {

namespace {

constexpr std::size_t kWorstRows = 10;
// Each holds a run in memory.
constexpr unsigned kMostThreads = 8;

// Bad rows end the command, unless they are to be passed over: then they are told and that is kept.
void report_problems(std::vector<InputProblem> problems, bool keep_going) {
  if (problems.empty()) return;
  write_problems(std::move(problems));
  if (!keep_going) {
    write_message("nothing was evaluated: --keep-going passes over what cannot be used");
  }
}

// All at once, so that a file need not be mended twice.
void add_problems_of_rows(std::span<const std::string> files, LogContents& logs,
                          const ComparisonOptions& options, const Catalog& catalog) {
  MeasuredCheck check = check_measured(logs.rows, options, catalog);
  std::move(check.problems.begin(), check.problems.end(), std::back_inserter(logs.problems));
  sort_by_place(files, logs.problems);
}

void note_unused_system(const ValidateRequest& request, const std::vector<MeasuredRow>& rows) {
  const std::string& system = request.logs.system;
  if (system.empty() || rows.empty()) return;
  const bool used = std::any_of(rows.begin(), rows.end(),
                                [&](const MeasuredRow& row) { return row.system == system; });
  if (!used) write_message("note: --system is not used: every row names its own");
}

Comparison compare_with_progress(const std::vector<MeasuredRow>& rows,
                                 const ComparisonOptions& options, const Catalog& catalog,
                                 const InterruptWatch& watch) {
  ProgressLine line;
  return compare_measured(rows, options, catalog, [&](std::size_t done, std::size_t all) {
    if (line.due()) line.show(fmt::format("{} of {} rows", done, all));
    return !watch.interrupted();
  });
}

std::string results_text(const ValidateRequest& request, const Comparison& comparison,
                         const ComparisonSummary& summary, std::span<const Profile> profiles) {
  switch (request.format) {
    case OutputFormat::Csv:
      return csv_text(comparison);
    case OutputFormat::Json:
      return json_text(comparison, summary);
    case OutputFormat::Markdown:
      return markdown_text(comparison, summary, profiles);
    case OutputFormat::Table:
      break;
  }
  return comparison_table(comparison, summary);
}

ComparisonOptions comparison_options(const ValidateRequest& request, const Catalog& catalog) {
  ComparisonOptions options;
  if (request.profile) options.profile = load_profile(catalog, *request.profile);
  options.baseline = request.baseline;
  options.keep_going = request.keep_going;
  options.threads =
      static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads));
  return options;
}

// What is worse wins: bad input, then what did not go on or is too far off.
int exit_status(const Comparison& comparison, const ComparisonSummary& summary,
                const ValidateRequest& request, bool problems) {
  if (comparison.interrupted) {
    write_message(fmt::format("interrupted: {} of {} rows are done", comparison.rows.size(),
                              comparison.rows_given));
    return kExitInterrupted;
  }
  for (const std::string& waiting : comparison.stalled) {
    write_message("error: stalled: " + waiting);
  }
  const std::vector<std::string> misses = out_of_tolerance(summary, request.tolerance);
  for (const std::string& miss : misses) write_message("out of tolerance: " + miss);
  if (problems) return kExitUser;
  return comparison.stalled.empty() && misses.empty() ? kExitDone : kExitStalled;
}

int run(std::span<const std::string> arguments) {
  const ValidateRequest request = read_validate_request(arguments);
  const Output output(request.output);
  const Catalog catalog = builtin_catalog();
  const ComparisonOptions options = comparison_options(request, catalog);

  LogContents logs = read_logs(request.files, request.logs);
  for (const std::string& note : logs.notes) write_message(note);
  note_unused_system(request, logs.rows);
  bool problems = !logs.problems.empty();
  if (problems && !request.keep_going) add_problems_of_rows(request.files, logs, options, catalog);
  report_problems(std::move(logs.problems), request.keep_going);
  if (problems && (!request.keep_going || logs.rows.empty())) return kExitUser;

  const InterruptWatch watch;
  Comparison comparison = compare_with_progress(logs.rows, options, catalog, watch);
  comparison.rows_given += logs.refused;
  for (const std::string& note : comparison.notes) write_message(note);
  sort_by_place(request.files, comparison.problems);
  problems = problems || !comparison.problems.empty();
  const bool refused = !comparison.problems.empty() && !request.keep_going;
  report_problems(std::move(comparison.problems), request.keep_going);
  if (refused) return kExitUser;
  const ComparisonSummary summary = summarize(comparison, kWorstRows);
  if (!comparison.rows.empty()) {
    const std::vector<Profile> asked =
        options.profile ? std::vector{*options.profile} : catalog.profiles;
    output.write(results_text(request, comparison, summary, asked));
  }
  return exit_status(comparison, summary, request, problems);
}

}  // namespace

Command validate_command() {
  return {
      "validate",
      "how far predictions are from measured times",
      "validate FILE... [OPTIONS]",
      "FILE is a table of measured times (CSV with the columns system, nodes, gpus, nccl,\n"
      "collective, algorithm, protocol, dtype, bytes, time_us, launch, env, case), a log of\n"
      "nccl-tests (text, also from mpirun and with NCCL's INFO lines in between, or its JSON),\n"
      "or - for standard input. What it is, is found by what is in it (docs/validate.md).\n\n"
      "Predicts every row as 'ringspan run' does and prints error = predicted / measured - 1:\n"
      "per system and collective, below 4 MiB and from 4 MiB on; over all rows and over all\n"
      "cases; and the worst rows with what the simulator believed.",
      validate_option_specs(),
      "ringspan validate measured.csv\n"
      "ringspan validate --system dgx-h100 all_reduce.log --max-median 0.1\n"
      "mpirun -np 16 ./all_reduce_perf -b 8 -e 8G -f 2 | ringspan validate --system dgx-a100 -\n"
      "ringspan validate *.csv --format csv -o errors.csv",
      run};
}

}  // namespace ringspan

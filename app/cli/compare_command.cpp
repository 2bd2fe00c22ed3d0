#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/compare_options.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/report/study_writers.h"
#include "app/study/study_comparison.h"
#include "app/study/study_reading.h"
#include "app/study/study_run.h"
#include "sim/base/input_error.h"

namespace ringspan {

namespace {

std::vector<CaseResult> run_with_progress(const StudyPlan& plan, const Catalog& catalog,
                                          int threads) {
  const InterruptWatch watch;
  ProgressLine line;
  return run_study(plan.cases, catalog, threads, [&](std::size_t done, std::size_t all) {
    if (line.due()) line.show(fmt::format("{} of {} points", done, all));
    return !watch.interrupted();
  });
}

std::string results_text(OutputFormat format, const StudyComparison& comparison) {
  switch (format) {
    case OutputFormat::Csv:
      return study_csv_text(comparison);
    case OutputFormat::Json:
      return study_json_text(comparison);
    case OutputFormat::Markdown:
      return page_markdown(study_page(comparison));
    case OutputFormat::Table:
      break;
  }
  return page_text(study_page(comparison));
}

// Every combination beside every other one would be no comparison.
void require_no_sweep(const Study& study) {
  if (!study.sweep) return;
  throw InputError(study.sweep->axes.front().where, "the study has a [sweep]",
                   "use 'ringspan sweep', or leave the [sweep] out");
}

int run(std::span<const std::string> arguments) {
  const CompareRequest request = read_compare_request(arguments);
  const Output output(request.output);
  const Study study = read_study(request.study);
  require_no_sweep(study);
  const Catalog catalog = builtin_catalog();
  const StudyPlan plan = plan_study(study, catalog);
  const StudyComparison comparison =
      compare_designs(study, plan, run_with_progress(plan, catalog, request.threads));
  for (const std::string& warning : comparison.warnings) write_message("warning: " + warning);
  output.write(results_text(request.format, comparison));
  for (const std::string& stalled : comparison.stalled) write_message("error: stalled: " + stalled);
  if (comparison.interrupted) {
    write_message("interrupted: what is done is printed");
    return kExitInterrupted;
  }
  return comparison.stalled.empty() ? kExitDone : kExitStalled;
}

}  // namespace

Command compare_command() {
  return {
      "compare",
      "designs side by side: time, what limits each, scaling",
      "compare STUDY [OPTIONS]",
      "STUDY is a TOML file with [[design]]s (a system, how much of it, what is changed) and\n"
      "[[workload]]s (a collective with sizes, a mix, several at once), or - for standard input\n"
      "(docs/studies.md). Prints for each workload the time of every design and its ratio to\n"
      "the first design's, the sizes where one overtakes another, and what limits each.",
      compare_option_specs(),
      "ringspan compare examples/rack-vs-scaleout.toml\n"
      "ringspan compare study.toml --format md -o comparison.md\n"
      "ringspan compare study.toml --format csv --threads 4",
      run};
}

}  // namespace ringspan

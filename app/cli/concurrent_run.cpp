#include "app/cli/concurrent_run.h"

#include <optional>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress_line.h"
#include "app/report/jobs_trace.h"
#include "app/report/run_plan.h"
#include "app/scenario/concurrent_scenario.h"
#include "sim/base/quantity.h"
#include "sim/base/version.h"
#include "validation/plan/plan_writing.h"

namespace ringspan {

namespace {

ConcurrentReport run_with_progress(const ConcurrentScenario& scenario, const System& system,
                                   const Catalog& catalog) {
  const InterruptWatch watch;
  ProgressLine line;
  return run_concurrent(scenario, system, catalog, [&](const Progress& progress) {
    if (line.due()) {
      line.show(fmt::format("{} jobs {} (size {} of {}) {:.0f} %", scenario.jobs.size(),
                            format_size(progress.size), progress.sizes_done + 1,
                            progress.sizes_total, progress.fraction * 100.0));
    }
    return !watch.interrupted();
  });
}

std::string results_text(const RunRequest& request, const ConcurrentReport& report) {
  const bool explain = request.scenario.explain;
  if (request.format == OutputFormat::Csv) return csv_text(report);
  if (request.format == OutputFormat::Json) return json_text(report, explain);
  std::string text = concurrent_table(report);
  if (explain) text += "#\n" + commented(explain_text(report));
  return text;
}

void write_trace(const Output& output, const JobsTrace& trace, const ConcurrentReport& report) {
  const RunTrace::Facts facts = {{"program", fmt::format("ringspan {}", kVersion)},
                                 {"system", report.system},
                                 {"ranks", std::to_string(report.gpus)},
                                 {"jobs", std::to_string(report.jobs.size())}};
  output.write_pieces([&](const Output::Sink& sink) { trace.write(facts, sink); });
  if (trace.events_left_out() == 0) return;
  write_message(
      fmt::format("warning: the trace has the first {} events of all jobs; {} are left out",
                  RunTrace::kMostEvents, trace.events_left_out()));
}

// Only of a whole run: what is missing would be measured all the same.
void write_plan(const Output& output, const RunRequest& request, const ConcurrentScenario& scenario,
                const ConcurrentReport& report) {
  if (report.interrupted || !report.stalled.empty()) {
    write_message("note: not all sizes are done: --emit-plan writes nothing");
    return;
  }
  output.write(plan_text(plan_of(request.system, scenario, report)));
}

}  // namespace

int run_jobs(const RunRequest& request, const System& system, const Catalog& catalog,
             const Output& output) {
  JobsTrace trace;
  std::optional<Output> trace_output;
  if (request.trace) trace_output.emplace(*request.trace);
  std::optional<Output> plan_output;
  if (request.plan) plan_output.emplace(*request.plan);
  const ConcurrentScenario scenario{request.scenario, request.jobs,
                                    request.trace ? &trace : nullptr};
  const ConcurrentReport report = run_with_progress(scenario, system, catalog);
  for (const std::string& warning : report.warnings) write_message("warning: " + warning);
  if (report.interrupted && report.runs.empty()) {
    write_message("interrupted before the first size was done: nothing to print");
    return kExitInterrupted;
  }
  output.write(results_text(request, report));
  if (trace_output) write_trace(*trace_output, trace, report);
  if (plan_output) write_plan(*plan_output, request, scenario, report);
  if (request.scenario.explain && request.format == OutputFormat::Csv) {
    write_message(explain_text(report));
  }
  if (!report.stalled.empty()) {
    write_message(
        fmt::format("error: stalled after {} sizes: {}", report.runs.size(), report.stalled));
    return kExitStalled;
  }
  if (!report.interrupted) return kExitDone;
  write_message(fmt::format("interrupted: {} of {} sizes are done", report.runs.size(),
                            request.scenario.sizes.size()));
  return kExitInterrupted;
}

}  // namespace ringspan

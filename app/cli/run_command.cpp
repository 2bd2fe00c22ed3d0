#include <algorithm>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/concurrent_run.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/run_options.h"
#include "app/report/run_plan.h"
#include "app/report/run_trace.h"
#include "app/report/tuner_config.h"
#include "app/scenario/rank_places.h"
#include "sim/base/input_error.h"
#include "sim/base/quantity.h"
#include "sim/base/version.h"
#include "validation/plan/plan_writing.h"

namespace ringspan {

namespace {

std::string progress_text(std::string_view collective, const Progress& progress) {
  std::string text =
      fmt::format("{} {} (size {} of {})", collective, format_size(progress.size),
                  std::min(progress.sizes_done + 1, progress.sizes_total), progress.sizes_total);
  if (progress.fraction > 0) text += fmt::format(" {:.0f} %", progress.fraction * 100.0);
  return text;
}

RunReport run_with_progress(const RunScenario& scenario, const System& system,
                            const Catalog& catalog, const InterruptWatch& watch) {
  ProgressLine line;
  return run_scenario(scenario, system, catalog, [&](const Progress& progress) {
    if (line.due()) line.show(progress_text(collective_name(scenario.collective), progress));
    return !watch.interrupted();
  });
}

std::string results_text(const RunRequest& request, const RunReport& report) {
  const bool explain = request.scenario.explain;
  switch (request.format) {
    case OutputFormat::Csv:
      return csv_text(report);
    case OutputFormat::Json:
      return json_text(report, explain);
    case OutputFormat::Table:
    case OutputFormat::Markdown:  // not offered
      break;
  }
  std::string text = nccl_tests_table(report, request.sizes);
  if (explain) text += "#\n" + commented(explain_text(report));
  return text;
}

// The row's own facts, for the trace's metadata.
RunTrace::Facts facts_of(const RunReport& report) {
  RunTrace::Facts facts = {{"program", fmt::format("ringspan {}", kVersion)},
                           {"system", report.system},
                           {"ranks", std::to_string(report.gpus)},
                           {"collective", std::string(collective_name(report.collective))}};
  if (report.rows.empty()) return facts;
  const RunRow& row = report.rows.front();
  facts.emplace_back("bytes", std::to_string(row.bytes));
  facts.emplace_back("algorithm", row.algorithm);
  facts.emplace_back("protocol", protocol_name(row.protocol));
  facts.emplace_back("channels", std::to_string(row.channels));
  facts.emplace_back("granularity", granularity_name(row.granularity));
  return facts;
}

void write_trace(const Output& output, const RunTrace& trace, const RunReport& report) {
  output.write_pieces([&](const Output::Sink& sink) { trace.write(facts_of(report), sink); });
  if (trace.events_left_out() == 0) return;
  write_message(fmt::format("warning: the trace has the first {} events; {} are left out",
                            RunTrace::kMostEvents, trace.events_left_out()));
}

// Only of a whole run: what is missing would be left to the sizes before it.
std::string tuner_text(const RunReport& report) {
  if (!report.interrupted && report.stalled.empty()) return tuner_config_text(report);
  write_message("note: not all sizes are done: --emit-tuner writes nothing");
  return {};
}

std::string plan_file_text(const RunRequest& request, const RunReport& report) {
  if (!report.interrupted && report.stalled.empty()) {
    return plan_text(plan_of(request.system, request.scenario, report));
  }
  write_message("note: not all sizes are done: --emit-plan writes nothing");
  return {};
}

// Jobs reach as far as their last rank.
SystemSize size_of(const RunRequest& request) {
  SystemSize size{request.scenario.nodes, request.scenario.gpus, request.scenario.seed};
  if (size.servers) size.asked_at.file = fmt::format("--nodes {}", *size.servers);
  if (size.gpus && !size.servers) size.asked_at.file = fmt::format("--gpus {}", *size.gpus);
  if (size.servers || size.gpus) return size;
  for (const JobSpec& job : request.jobs) {
    const int last = *std::max_element(job.ranks.begin(), job.ranks.end());
    if (size.gpus && last < *size.gpus) continue;
    size.gpus = last + 1;
    size.asked_at = job.ranks_at;
    if (size.asked_at.file.empty()) size.asked_at.file = "--concurrent";
  }
  return size;
}

// Faults that the run does not meet are said, not passed over. Ranks fill the first servers.
void write_fault_notes(const System& system, int servers) {
  for (const SystemFault& fault : system.faults) {
    std::string reason = fault.left_out;
    if (reason.empty() && fault.server >= servers) {
      reason = fmt::format("the run uses {} of {} servers", servers, system.cluster.server_count());
    }
    if (reason.empty()) continue;
    std::string place = fault.where.file;
    if (fault.where.line > 0) place += fmt::format(":{}", fault.where.line);
    write_message(fmt::format("note: {}: fault left out: {} ({})", place, fault.text, reason));
  }
}

int run(std::span<const std::string> arguments) {
  RunRequest request = read_run_request(arguments);
  const Output output(request.output);
  RunTrace trace;
  std::optional<Output> trace_output;
  if (request.trace && request.jobs.empty()) {
    trace_output.emplace(*request.trace);
    request.scenario.observer = &trace;
  }
  std::optional<Output> tuner_output;
  if (request.tuner_config) tuner_output.emplace(*request.tuner_config);
  std::optional<Output> plan_output;
  if (request.plan && request.jobs.empty()) plan_output.emplace(*request.plan);
  for (const std::string& note : request.notes) write_message(note);

  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, request.system, request.overrides, size_of(request));
  const RankPlaces places = choose_ranks(system, request.scenario.nodes, request.scenario.gpus);
  write_fault_notes(system, places.servers);
  if (request.profile) request.scenario.profile = load_profile(catalog, *request.profile);
  if (!request.jobs.empty()) return run_jobs(request, system, catalog, output);

  // From here on only: a file that does not come must still be given up with one Ctrl-C.
  const InterruptWatch watch;
  RunScenario scenario = request.scenario;
  scenario.explain |= tuner_output.has_value();  // only then all ways are weighed
  const RunReport report = run_with_progress(scenario, system, catalog, watch);
  for (const std::string& warning : report.warnings) write_message("warning: " + warning);
  if (report.interrupted && report.rows.empty()) {
    write_message("interrupted before the first size was done: nothing to print");
    return kExitInterrupted;
  }
  const std::string tuner = tuner_output ? tuner_text(report) : std::string{};
  output.write(results_text(request, report));
  if (trace_output) write_trace(*trace_output, trace, report);
  if (!tuner.empty()) tuner_output->write(tuner);
  if (plan_output) {
    const std::string plan = plan_file_text(request, report);
    if (!plan.empty()) plan_output->write(plan);
  }
  if (request.scenario.explain && request.format == OutputFormat::Csv) {
    write_message(explain_text(report));
  }
  if (!report.stalled.empty()) {
    write_message(fmt::format("error: stalled after {} of {} sizes: {}", report.rows.size(),
                              request.scenario.sizes.size(), report.stalled));
    return kExitStalled;
  }
  if (!report.interrupted) return kExitDone;
  write_message(fmt::format("interrupted: {} of {} sizes are done", report.rows.size(),
                            request.scenario.sizes.size()));
  return kExitInterrupted;
}

}  // namespace

Command run_command() {
  return {
      "run",
      "how long one collective takes on a system, size by size",
      "run SYSTEM COLLECTIVE [OPTIONS]",
      "SYSTEM is a name of the catalogue ('ringspan list systems'), a path to a TOML file (with\n"
      "a '/' in it, or ending in .toml), or - for standard input. COLLECTIVE is one of\n"
      "all_reduce, all_gather, reduce_scatter, alltoall, broadcast, reduce, gather, scatter,\n"
      "sendrecv; with --concurrent it may be left out.\n\n"
      "Prints nccl-tests' table: time, algorithm bandwidth and bus bandwidth per size, out of\n"
      "place and in place (without the local copy), then per size what was picked and what\n"
      "limits it. A size larger than a GPU's memory is computed, with a warning.",
      run_option_specs(),
      "ringspan run dgx-h100 all_reduce -b 8 -e 8G -f 2\n"
      "ringspan run dgx-a100 alltoall -b 1G -e 1G --explain\n"
      "ringspan run rtx-4090-8x-shm all_gather --gpus 4 --algo ring --format csv -o out.csv\n"
      "ringspan run dgx-h100 --concurrent \"all_reduce@0-7,all_gather@8-15\" -b 64M -e 64M\n"
      "ringspan run dgx-b200 all_reduce --emit-tuner nccl_tuner.conf\n"
      "ringspan run ./my-server.toml broadcast --root 3 -b 64M -e 64M --granularity stream",
      run};
}

}  // namespace ringspan

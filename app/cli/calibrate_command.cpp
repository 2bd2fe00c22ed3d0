#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

#include "app/cli/build_date.h"
#include "app/cli/calibrate_options.h"
#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/problems.h"
#include "app/cli/progress_line.h"
#include "app/report/calibration_writer.h"
#include "validation/calibration/calibration.h"
#include "validation/comparison/comparison.h"
#include "validation/logs/read_log.h"

namespace ringspan {

namespace {

// "runs/my-machine.toml" -> "my-machine"
std::string profile_name(const std::string& path) {
  const std::size_t begin = path.find_last_of('/') + 1;
  const std::size_t end = path.ends_with(".toml") ? path.size() - 5 : path.size();
  const std::string name = path.substr(begin, end - begin);
  return name == "-" ? "calibrated" : name;
}

Calibration calibrate_with_progress(const std::vector<MeasuredRow>& rows,
                                    const CalibrationOptions& options, const Catalog& catalog) {
  const InterruptWatch watch;
  ProgressLine line;
  return calibrate(rows, options, catalog, [&](const std::string& doing) {
    if (line.due()) line.show(doing);
    return !watch.interrupted();
  });
}

// Tells what is wrong with the files and their rows, and leaves those that can be asked. Whether
// anything was wrong.
bool take_out_bad_rows(std::span<const std::string> files, LogContents& logs,
                       const Catalog& catalog) {
  MeasuredCheck check = check_measured(logs.rows, {}, catalog);
  std::move(check.problems.begin(), check.problems.end(), std::back_inserter(logs.problems));
  sort_by_place(files, logs.problems);
  logs.rows = std::move(check.rows);
  write_problems(logs.problems);
  return !logs.problems.empty();
}

int run(std::span<const std::string> arguments) {
  const CalibrateRequest request = read_calibrate_request(arguments);
  const Output output(request.output);
  const Catalog catalog = builtin_catalog();
  CalibrationOptions options;
  if (request.profile) options.base = load_profile(catalog, *request.profile);
  options.name = profile_name(request.output);
  options.date = build_date();
  options.rows_per_constant = request.rows_per_constant;
  options.seed = request.seed;
  constexpr unsigned kMostThreads = 8;
  options.threads =
      static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads));

  LogContents logs = read_logs(request.files, request.logs);
  for (const std::string& note : logs.notes) write_message(note);
  const bool problems = take_out_bad_rows(request.files, logs, catalog);
  if (problems && !request.keep_going) {
    write_message("nothing was fitted: --keep-going passes over what cannot be used");
  }
  if (problems && (!request.keep_going || logs.rows.empty())) return kExitUser;
  const Calibration calibration = calibrate_with_progress(logs.rows, options, catalog);
  if (calibration.interrupted) {
    write_message("interrupted: nothing is written");
    return kExitInterrupted;
  }
  for (const std::string& warning : calibration.warnings) write_message("warning: " + warning);
  output.write(calibrated_profile_text(calibration));
  const std::string table = calibration_table(logs.rows, calibration);
  if (request.output == "-") {
    write_message(table);
  } else {
    Output("").write(table);
  }
  return problems ? kExitUser : kExitDone;
}

}  // namespace

Command calibrate_command() {
  return {
      "calibrate",
      "fit a profile's constants to measured times",
      "calibrate FILE... -o PROFILE [OPTIONS]",
      "FILE is a table of measured times or a log of nccl-tests, as 'validate' reads them.\n\n"
      "Fits what launches, steps and copies cost so that predictions come close to the measured\n"
      "times, and writes a profile for --profile. Constants that the rows do not determine stay "
      "as\n"
      "they are in the base, and are named. Prints errors before and after, and with each case\n"
      "left out of the fit (docs/calibrate.md).",
      calibrate_option_specs(),
      "ringspan calibrate --system dgx-h100 all_reduce.log -o my-machine.toml\n"
      "ringspan calibrate h100.csv -o my-h100.toml --seed 7\n"
      "ringspan run dgx-h100 all_reduce --profile my-machine.toml",
      run};
}

}  // namespace ringspan

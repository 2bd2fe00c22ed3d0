#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>

#include "app/cli/command.h"
#include "app/cli/compare_options.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/sweep_file.h"
#include "app/report/sweep_csv.h"
#include "app/study/study_reading.h"
#include "app/study/sweep_plan.h"
#include "sim/base/input_error.h"
#include "sim/base/side_by_side.h"

namespace ringspan {

namespace {

constexpr std::array kOptions = {
    OptionSpec{"--output", "FILE",
               "CSV that finished points are appended to; at the end it is put in order. A file\n"
               "that exists is refused without --resume. Default: none, it must be given.\n"
               "Example: -o sweep.csv",
               'o'},
    OptionSpec{"--resume", "",
               "Goes on with a file that an earlier run of the same study left: what is in it is\n"
               "not done again. Default: off. Example: --resume"},
    OptionSpec{"--jobs", "N",
               "Runs that are under way at once; each holds a run in memory. The sorted file is\n"
               "the same for any number. Default: one for each core. Example: --jobs 4"}};

// Everything that the threads of a sweep share.
class SweepRun {
 public:
  SweepRun(const Study& study, const SweepPlan& plan, const Catalog& catalog, SweepFile& file)
      : study_(study), plan_(plan), catalog_(catalog), file_(file), done_(file.done().size()) {}

  // Whether all points are done.
  bool run(int threads, const InterruptWatch& watch) {
    ProgressLine line;
    const auto begin = std::chrono::steady_clock::now();
    const std::size_t before = done_.load();
    const auto go_on = [&] {
      if (line.due()) line.show(progress_text(before, std::chrono::steady_clock::now() - begin));
      if (watch.interrupted()) stop_ = true;
      return !stop_.load();
    };
    run_side_by_side(
        plan_.cases.size(), threads, [this](std::size_t i) { run_one(plan_.cases[i]); }, go_on);
    return done_.load() == plan_.points;
  }

  std::size_t done() const { return done_.load(); }
  const std::vector<std::string>& stalled() const { return stalled_; }

 private:
  std::string progress_text(std::size_t before, std::chrono::duration<double> passed) const {
    const std::size_t done = done_.load();
    std::string text = fmt::format("{} of {} points", done, plan_.points);
    if (done == before) return text;
    const double each = passed.count() / static_cast<double>(done - before);
    return text + fmt::format(", {:.0f} s left", each * static_cast<double>(plan_.points - done));
  }

  // The sizes that are not in the file.
  void run_one(const SweepCase& swept) {
    SweepCase left = swept;
    std::vector<std::size_t> numbers;
    left.one.scenario.sizes.clear();
    for (std::size_t s = 0; s < swept.one.scenario.sizes.size(); ++s) {
      if (file_.done().contains(swept.first_point + s)) continue;
      numbers.push_back(swept.first_point + s);
      left.one.scenario.sizes.push_back(swept.one.scenario.sizes[s]);
    }
    if (numbers.empty() || stop_.load()) return;
    const CaseResult result = run_case(left.one, catalog_, [this] { return !stop_.load(); });
    std::string lines;
    for (std::size_t s = 0; s < result.points.size(); ++s) {
      left.first_point = numbers[s] - s;
      lines += sweep_csv_line(study_, plan_, left, result, s);
    }
    const std::scoped_lock lock(mutex_);
    if (!result.stalled.empty()) {
      stalled_.push_back(
          fmt::format("point {}: {}", numbers[result.points.size()], result.stalled));
    }
    file_.append(lines);
    done_ += result.points.size();
  }

  const Study& study_;
  const SweepPlan& plan_;
  const Catalog& catalog_;
  SweepFile& file_;
  std::mutex mutex_;  // of file_ and stalled_
  std::vector<std::string> stalled_;
  std::atomic<std::size_t> done_;
  std::atomic<bool> stop_ = false;
};

std::string read_file(const ParsedOptions& options) {
  std::string path = options.value("--output").value_or("");
  if (!path.empty() && path != "-") return path;
  throw InputError("no file is given for the results", "for example: -o sweep.csv");
}

int end(const SweepRun& swept, const SweepPlan& plan, bool complete) {
  for (const std::string& stalled : swept.stalled()) write_message("error: stalled: " + stalled);
  if (complete) return kExitDone;
  if (!swept.stalled().empty()) return kExitStalled;
  write_message(fmt::format("interrupted: {} of {} points are done; --resume goes on", swept.done(),
                            plan.points));
  return kExitInterrupted;
}

int run(std::span<const std::string> arguments) {
  const ParsedOptions options = parse_options("sweep", kOptions, arguments);
  const std::string path = read_study_path(options, "sweep");
  const std::string output = read_file(options);
  const int threads = read_threads(options, "--jobs");
  const Study study = read_study(path);
  const Catalog catalog = builtin_catalog();
  const SweepPlan plan = plan_sweep(study, catalog);
  SweepFile file(output, sweep_csv_header(study, plan), sweep_fingerprint_text(plan),
                 options.has("--resume"));
  const InterruptWatch watch;
  SweepRun swept(study, plan, catalog, file);
  const bool complete = swept.run(threads, watch);
  if (complete) file.sort();
  return end(swept, plan, complete);
}

}  // namespace

Command sweep_command() {
  return {
      "sweep",
      "thousands of points into a file that can be gone on with",
      "sweep STUDY -o FILE [OPTIONS]",
      "STUDY is a TOML file as for 'compare', with a [sweep]: keys of the system or of the run\n"
      "with lists or ranges of values, in every combination or side by side (docs/studies.md).\n"
      "Runs every point on all cores and appends it to FILE, a CSV, as soon as it is done. What\n"
      "was ended by Ctrl-C, by a full disk or in any other way goes on with --resume.",
      kOptions,
      "ringspan sweep examples/oversubscription-sweep.toml -o sweep.csv\n"
      "ringspan sweep study.toml -o sweep.csv --resume",
      run};
}

}  // namespace ringspan

#include "app/cli/side_files.h"

#include <fmt/format.h>

#include "app/report/tuner_config.h"
#include "sim/base/input_error.h"

namespace ringspan {

namespace {

// A file of its own: neither standard output nor the file of another option.
std::optional<std::string> read_file(const ParsedOptions& options, const std::string& option) {
  std::optional<std::string> path = options.value(option);
  if (!path) return path;
  const auto refuse = [&](std::string_view what, std::string hint) {
    throw InputError(fmt::format("{}: '{}' is {}", option, *path, what), std::move(hint));
  };
  if (path->empty() || *path == "-") {
    refuse("not a file", "results go to standard output: give a file's name");
  }
  for (const std::string other : {"--output", "--trace", "--emit-tuner"}) {
    if (other == option) break;  // those behind it are compared with this one
    if (path != options.value(other)) continue;
    refuse(fmt::format("the file of {} too", other == "--output" ? "-o" : other),
           "give each a file of its own");
  }
  return path;
}

}  // namespace

std::optional<std::string> read_trace_path(const ParsedOptions& options, std::size_t sizes) {
  std::optional<std::string> path = read_file(options, "--trace");
  if (path && sizes > 1) {
    throw InputError(fmt::format("--trace shows one size, and {} are asked for", sizes),
                     "give -b and -e the same size, for example: -b 64M -e 64M");
  }
  return path;
}

std::optional<std::string> read_tuner_path(const ParsedOptions& options, CollectiveKind kind) {
  std::optional<std::string> path = read_file(options, "--emit-tuner");
  if (!path) return path;
  if (options.has("--concurrent")) {
    throw InputError(
        "--emit-tuner does not go with --concurrent: NCCL's tuner chooses for one "
        "collective",
        "give one COLLECTIVE");
  }
  require_tuner_collective(kind);
  return path;
}

std::optional<std::string> read_plan_path(const ParsedOptions& options,
                                          std::span<const JobSpec> jobs) {
  std::optional<std::string> path = read_file(options, "--emit-plan");
  if (!path) return path;
  for (const JobSpec& job : jobs) {
    if (job.start == Duration{} && job.after.empty()) continue;
    throw InputError(fmt::format("--emit-plan: job '{}' starts later than others", job.name),
                     "in a plan collectives begin together or one after the other: leave out "
                     "`start` and `after`");
  }
  return path;
}

}  // namespace ringspan

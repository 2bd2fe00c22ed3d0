#include "validation/logs/nccl_tests_setup.h"

#include <algorithm>
#include <filesystem>

#include "models/cost/launch_mode.h"

namespace ringspan {

std::string collective_of_program(std::string_view program) {
  program = program.substr(program.find_last_of('/') + 1);
  const std::size_t end = program.find("_perf");
  if (end == std::string_view::npos) return {};
  const std::string_view name = program.substr(0, end);
  const bool known =
      name == "hypercube" || name == "alltoallv" ||
      std::any_of(kAllCollectives.begin(), kAllCollectives.end(),
                  [&](CollectiveKind kind) { return collective_name(kind) == name; });
  return known ? std::string(name) : std::string();
}

std::string nccl_version_of_code(std::int64_t code) {
  // nccl.h.in: X * 1000 + Y * 100 + Z up to 2.8, X * 10000 + Y * 100 + Z from 2.9 on.
  const bool old = code < 10'000;
  const std::int64_t major = code / (old ? 1'000 : 10'000);
  if (code < 1'000 || major > 99) return {};
  const std::int64_t minor = code / 100 % (old ? 10 : 100);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(code % 100);
}

std::string file_stem(const std::string& file) {
  return std::filesystem::path(file).stem().string();
}

int ranks_of(const NcclTestsSetup& setup) {
  // A build without MPI lists one device of each process.
  const std::int64_t by_options =
      std::int64_t{std::max(setup.processes, 1)} * setup.threads * setup.gpus;
  return static_cast<int>(std::clamp<std::int64_t>(by_options, setup.ranks, 1'000'000'000));
}

std::string launch_of(const NcclTestsSetup& setup) {
  LaunchMode mode = LaunchMode::Processes;
  if (setup.gpus > 1) {
    mode = LaunchMode::SingleProcess;
  } else if (setup.threads > 1) {
    mode = LaunchMode::Threads;
  }
  return std::string(launch_mode_name(mode));
}

MeasuredRow row_of(const NcclTestsSetup& setup, const LogOptions& options,
                   const std::string& file) {
  MeasuredRow row;
  row.system = options.system;
  if (setup.hosts > 0) row.nodes = setup.hosts;
  row.gpus = ranks_of(setup);
  row.nccl = setup.nccl;
  row.collective = setup.collective.value_or(CollectiveKind::AllReduce);
  row.launch = launch_of(setup);
  row.env = setup.env;
  row.case_name = setup.case_name;
  row.file = file;
  return row;
}

InputProblem system_missing(SourcePosition where) {
  return {std::move(where), "nccl-tests does not say on which system it ran",
          "give --system NAME ('ringspan list systems' shows the catalogue)"};
}

}  // namespace ringspan

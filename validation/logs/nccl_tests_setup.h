#pragma once

// What the text and the JSON of nccl-tests have in common: how a test was set up, and how its
// results become rows of a measured table.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "validation/logs/log_format.h"

namespace ringspan {

struct NcclTestsSetup {
  std::optional<CollectiveKind> collective;
  int ranks = 0;      // 0: unknown
  int hosts = 0;      // 0: unknown
  int processes = 0;  // 0: unknown
  int threads = 1;    // -t: threads per process
  int gpus = 1;       // -g: GPUs per thread
  std::string nccl;   // "2.28.9"; empty: not shown
  std::string env;    // "NCCL_ALGO=Ring", blank-separated
  std::string case_name;
};

// "/opt/all_reduce_perf_mpi" -> "all_reduce"; empty for what is no program of nccl-tests. Two of
// them run what is no collective of ours: "hypercube" and "alltoallv".
std::string collective_of_program(std::string_view program);

// NCCL_VERSION_CODE as text: 22809 -> "2.28.9", 2708 -> "2.7.8" (before 2.9 the minor version had
// one digit); empty for what is no such code.
std::string nccl_version_of_code(std::int64_t code);

// "dir/run-7.log" -> "run-7"
std::string file_stem(const std::string& file);

// The ranks and how they were launched: -g and -t say how many GPUs a process and a thread have.
int ranks_of(const NcclTestsSetup& setup);
std::string launch_of(const NcclTestsSetup& setup);  // a name of LaunchMode

// A row with all but dtype, bytes, time and place.
MeasuredRow row_of(const NcclTestsSetup& setup, const LogOptions& options, const std::string& file);

// Where a log names no system and the options neither.
InputProblem system_missing(SourcePosition where);

}  // namespace ringspan

#pragma once

// How the ranks of a server are run, which sets what a launch costs on the host. nccl-tests: -g is
// GPUs per thread, -t threads per process, and one process per GPU comes from mpirun.

#include <array>
#include <string_view>

namespace ringspan {

enum class LaunchMode {
  Processes,      // one process per GPU
  Threads,        // one process per server, one thread per GPU
  SingleProcess,  // one thread drives all GPUs of a server: its launches are serial
};

inline constexpr std::array kAllLaunchModes = {LaunchMode::Processes, LaunchMode::Threads,
                                               LaunchMode::SingleProcess};

// "processes", "threads", "single-process".
std::string_view launch_mode_name(LaunchMode mode);
LaunchMode launch_mode_from_name(std::string_view name);  // throws InputError

}  // namespace ringspan

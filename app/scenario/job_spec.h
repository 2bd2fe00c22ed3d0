#pragma once

// Several collectives at once, as the user writes them: the text of --concurrent, or a TOML file.
//   "all_reduce@0-7,all_gather:64M@8-15"
// is COLLECTIVE[:SIZE]@RANKS, with commas in between. RANKS are ranks of the run, counted from 0
// over all GPUs that take part: 3, 0-7, 0-56/8 (every 8th), and several of these joined by +. They
// are the job's ranks in that order. A file says more of each: docs/jobs.md.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/collectives/collective.h"
#include "models/collectives/protocol.h"
#include "sim/base/input_error.h"
#include "sim/base/units.h"

namespace ringspan {

struct JobSpec {
  std::string name;  // "1", "2", ... where the user gives none
  CollectiveKind collective = CollectiveKind::AllReduce;
  std::string rank_text;            // as written
  std::vector<std::int32_t> ranks;  // of the run; each once
  std::optional<Bytes> size;        // absent: the run's sizes, one after the other
  Duration start{};                 // from the beginning of the run
  std::vector<std::size_t> after;   // jobs that end before it starts; no circle
  Duration delay{};                 // from the last of their ends
  std::optional<std::string> algorithm;
  std::optional<Protocol> protocol;
  std::optional<int> channels;
  int root = 0;                    // of the job's ranks
  SourcePosition where, ranks_at;  // for messages; no file: the option
};

inline constexpr std::size_t kMostJobs = 10'000;

// `spec`: the text above (it contains '@'), or a path to a TOML file, or "-" for standard input.
// `collective`: of jobs that name none ("@0-7"). Throws InputError.
std::vector<JobSpec> read_jobs(std::string_view spec, std::optional<CollectiveKind> collective);

// The same from texts; `name` stands for the file in messages.
std::vector<JobSpec> parse_jobs(std::string_view text, std::optional<CollectiveKind> collective);
std::vector<JobSpec> parse_job_file(std::string_view text, const std::string& name,
                                    std::optional<CollectiveKind> collective);

}  // namespace ringspan

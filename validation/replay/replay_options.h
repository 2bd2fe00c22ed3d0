#pragma once

// The options of ringspan-replay and ringspan-replay-hosts.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validation/plan/plan.h"
#include "validation/replay/replay_run.h"

namespace ringspan {

enum class ReplayFormat { Table, Csv, Json };

struct ReplayRequest {
  bool help = false;  // then nothing else counts
  Plan plan;          // its `ranks` are those that run
  std::string system;
  std::string case_name;
  ReplaySettings settings;
  ReplayFormat format = ReplayFormat::Table;
  std::string output;  // empty: standard output
  // Without the end of a group for so long, a rank counts as lost.
  std::chrono::duration<double> timeout{300};
  std::vector<std::string> notes;
};

// `ranks`: how many run; a plan for another number is refused. `devices`: they are GPUs, of which
// -g takes fewer.
// Throws InputError.
ReplayRequest read_replay_request(std::span<const std::string> arguments, int ranks, bool devices);

std::string replay_help(std::string_view program, bool devices);

}  // namespace ringspan

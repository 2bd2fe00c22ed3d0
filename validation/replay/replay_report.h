#pragma once

// What a replay measured, as plain data. Code flow of this module:
//   replay_options.h   arguments -> ReplayRequest: a Plan and how it is measured
//   replay_run.h       plan + backend (NCCL, MPI) -> ReplayReport, group after group
//   reference_data.h   what every rank must get
//   replay_writers.h   ReplayReport -> nccl-tests' table, nccl-tests' JSON, measured table

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/collectives/rounded_size.h"
#include "validation/plan/plan.h"

namespace ringspan {

enum class ReplayTiming {
  BackToBack,  // nccl-tests' way: calls in a row, one clock around all of them
  Isolated,    // a barrier before every call, and a clock of its own
};

// "back-to-back", "isolated".
std::string_view replay_timing_name(ReplayTiming timing);

// Out of place, or in place.
struct ReplayHalf {
  // A time per repeat: elapsed / calls less the gap, mean of the ranks (back-to-back); or the mean
  // over the calls of what the slowest rank took (isolated).
  std::vector<double> repeats_us;
  // Every timed call of every repeat: what the slowest rank took, without the gap. One after the
  // other they may overlap between ranks.
  std::vector<double> calls_us;
  std::optional<std::int64_t> wrong;  // elements, over all ranks; absent: not checked

  double time_us() const;  // the median of the repeats
};

struct ReplayRow {
  std::size_t planned = 0;  // of Plan::collectives
  int ranks = 1;            // of its communicator
  RoundedSize size;
  ReplayHalf out_of_place;
  std::optional<ReplayHalf> in_place;
};

struct ReplayRank {
  int host = 0;     // hosts are numbered from 0; their names are left out
  int process = 0;  // its id
  int device = 0;   // on its host
  std::string bus;  // "0000:1b:00"; "-" where there is none
  std::string model;
};

struct ReplayReport {
  std::string program;  // "ringspan-replay-hosts"
  std::string library;  // "Open MPI 4.1.4"
  std::string nccl;     // "2.28.9"; empty: not NCCL
  std::string system;   // may be empty
  std::string case_name;
  Plan plan;
  ReplayTiming timing = ReplayTiming::BackToBack;
  std::vector<ReplayRank> ranks;
  // Beside the numbers, in order: date, versions, settings.
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<std::string> environment;  // NAME=value, of a fixed list
  std::vector<ReplayRow> rows;           // measured at least once, in the plan's order
  std::string ended_early;               // why; empty: all is there

  std::int64_t wrong() const;  // elements in all
};

double replay_algbw_gbs(const ReplayRow& row, const ReplayHalf& half);
double replay_busbw_gbs(const ReplayReport& report, const ReplayRow& row, const ReplayHalf& half);

// How many servers and how they were launched (a name of LaunchMode), from the ranks.
int replay_hosts(const ReplayReport& report);
std::string replay_launch(const ReplayReport& report);

}  // namespace ringspan

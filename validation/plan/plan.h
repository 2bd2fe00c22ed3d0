#pragma once

// A plan: the collectives that are both simulated and measured. Code flow of this module:
//   plan_writing.h   a Plan as a file (`ringspan run --emit-plan`)
//   plan_reading.h   the file back to a Plan, every mistake with its place (the replays' --plan)
// docs/plans.md has every key.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/collectives/collective.h"
#include "models/collectives/protocol.h"
#include "sim/base/units.h"

namespace ringspan {

inline constexpr int kPlanVersion = 1;
inline constexpr std::size_t kMostPlanned = 10'000;
inline constexpr int kMostPlannedRanks = 1 << 20;
inline constexpr std::size_t kMostListedRanks = 1 << 24;  // of all communicators
inline constexpr int kMostPlannedCalls = 1'000'000;

struct PlannedCollective {
  CollectiveKind collective = CollectiveKind::AllReduce;
  Bytes size;  // nccl-tests' size column
  std::string dtype = "float";
  std::string op = "sum";  // only where it reduces
  int root = 0;            // of its own ranks; only where it has one
  // Of the plan, each once: its communicator, in rank order; empty: all.
  std::vector<std::int32_t> ranks;
  // Forced ones; absent: whoever runs it chooses.
  std::optional<std::string> algorithm;
  std::optional<Protocol> protocol;
  std::optional<int> channels;
  // Begins with the collective before it, not after it.
  bool together = false;
  Duration gap{};  // computing between two calls, on every rank
  int warmup = 1;
  int iterations = 20;  // calls in a row that a time is the mean of
};

struct Plan {
  std::string system;        // a name of the catalogue or a path; may be empty
  std::optional<int> nodes;  // servers
  int ranks = 1;             // in all
  std::string nccl;          // the version that was simulated; may be empty
  std::string launch;        // launch_mode_name(); may be empty
  int repeats = 1;           // how often the whole list is run
  std::vector<PlannedCollective> collectives;
};

// Those that run at once, one group after the other: [first, end) of the plan's collectives.
struct PlanGroup {
  std::size_t first = 0, end = 0;
};
std::vector<PlanGroup> plan_groups(const Plan& plan);

// Its communicator, written out.
std::vector<std::int32_t> ranks_of(const Plan& plan, const PlannedCollective& item);

}  // namespace ringspan

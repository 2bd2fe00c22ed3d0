#pragma once

// Finds operations that touch one block of one rank without being ordered by dependencies.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/collectives/schedule.h"

namespace ringspan {

enum class BlockAccess {
  Read,
  Add,    // a one-source Reduce: commutes with others of its kind
  Write,  // everything else that changes the block
};

struct Race {
  OperationId earlier = 0;
  OperationId later = 0;
  std::int32_t rank = 0;
  std::int64_t block = 0;
};

// Operations are fed in order of their numbers: touch() each block once, then end_operation().
class RaceFinder {
 public:
  explicit RaceFinder(const Schedule& schedule);

  void touch(std::int32_t rank, std::int64_t block, BlockAccess access);
  // Adds to `races` every earlier operation that `operation` conflicts with and does not follow.
  void end_operation(OperationId operation, std::vector<Race>& races);

 private:
  // Accesses to one block fall in eras of operations that do not conflict among each other. One
  // that follows all of the era before follows, by transitivity, everything earlier.
  struct History {
    BlockAccess kind = BlockAccess::Read;
    std::vector<OperationId> era;
    std::vector<OperationId> era_before;
  };
  struct Touched {
    std::int32_t rank;
    std::int64_t block;
    BlockAccess access;
  };

  void record(OperationId operation, const Touched& touched);
  void mark_predecessors(OperationId operation, OperationId oldest);

  const Schedule& schedule_;
  std::int64_t blocks_;
  std::unordered_map<std::int64_t, History> histories_;  // looked up only, never walked
  std::vector<Touched> touched_;
  std::vector<Race> required_;     // orders to be proven for the operation at hand
  std::vector<OperationId> mark_;  // operation -> the last operation found to follow it
  std::vector<OperationId> to_visit_;
  std::vector<OperationId> dependencies_;
};

}  // namespace ringspan

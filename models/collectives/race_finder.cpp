#include "models/collectives/race_finder.h"

#include <algorithm>
#include <cstddef>

namespace ringspan {

RaceFinder::RaceFinder(const Schedule& schedule)
    : schedule_(schedule),
      blocks_(schedule.block_count()),
      mark_(static_cast<std::size_t>(schedule.operation_count()), OperationId{-1}) {}

void RaceFinder::touch(std::int32_t rank, std::int64_t block, BlockAccess access) {
  touched_.push_back({rank, block, access});
}

void RaceFinder::end_operation(OperationId operation, std::vector<Race>& races) {
  required_.clear();
  for (const Touched& touched : touched_) record(operation, touched);
  touched_.clear();
  if (required_.empty()) return;
  OperationId oldest = operation;
  for (const Race& race : required_) oldest = std::min(oldest, race.earlier);
  mark_predecessors(operation, oldest);
  for (const Race& race : required_) {
    if (mark_[static_cast<std::size_t>(race.earlier)] != operation) races.push_back(race);
  }
}

void RaceFinder::record(OperationId operation, const Touched& touched) {
  History& history = histories_[touched.rank * blocks_ + touched.block];
  const bool conflicts = touched.access != history.kind || touched.access == BlockAccess::Write;
  if (history.era.empty()) {
    history.kind = touched.access;
  } else if (conflicts) {
    history.era_before.swap(history.era);
    history.era.clear();
    history.kind = touched.access;
  }
  for (const OperationId earlier : history.era_before) {
    required_.push_back({earlier, operation, touched.rank, touched.block});
  }
  history.era.push_back(operation);
}

// Marks all operations from `oldest` on that `operation` follows. Dependencies have smaller
// numbers, so nothing older than `oldest` can lead to it.
void RaceFinder::mark_predecessors(OperationId operation, OperationId oldest) {
  to_visit_.assign(1, operation);
  while (!to_visit_.empty()) {
    const OperationId next = to_visit_.back();
    to_visit_.pop_back();
    schedule_.dependencies(next, dependencies_);
    for (const OperationId dependency : dependencies_) {
      OperationId& mark = mark_[static_cast<std::size_t>(dependency)];
      if (dependency < oldest || mark == operation) continue;
      mark = operation;
      to_visit_.push_back(dependency);
    }
  }
}

}  // namespace ringspan

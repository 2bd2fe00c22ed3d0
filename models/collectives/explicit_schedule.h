#pragma once

// A schedule held in arrays, for patterns that are no formula of the operation's number: trees, and
// whatever is imported. 32 bytes per operation and 4 or 8 per rank, block and dependency it names.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "models/collectives/schedule.h"

namespace ringspan {

class ScheduleBuilder {
 public:
  struct Shape {
    std::int64_t block_count = 1;
    std::int64_t block_divisor = 1;
    Pacing pacing = Pacing::Messages;
    RoundOverlap overlap = RoundOverlap::Sequential;
  };

  ScheduleBuilder(const CollectiveSpec& spec, const Shape& shape);
  ~ScheduleBuilder();
  ScheduleBuilder(const ScheduleBuilder&) = delete;
  ScheduleBuilder& operator=(const ScheduleBuilder&) = delete;

  // Appends an operation and returns its number. `after` names earlier ones, in any order.
  OperationId add(const Transfer& transfer, std::span<const OperationId> after);
  void add_round(Round round);

  // Leaves the builder empty.
  std::unique_ptr<Schedule> build();

 private:
  class ExplicitSchedule;
  std::unique_ptr<ExplicitSchedule> schedule_;
};

}  // namespace ringspan

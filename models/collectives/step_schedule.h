#pragma once

// The base of schedules in which all ranks take steps together, each sending one message a step and
// receiving one. A rank takes a step once its send and its receive of the step before are complete.

#include <cstdint>
#include <vector>

#include "models/collectives/schedule.h"

namespace ringspan {

// Operation step * n + p is the send of the rank at position p.
class StepSchedule : public Schedule {
 public:
  OperationId operation_count() const final { return steps_ * n_; }
  void transfer(OperationId operation, Transfer& out) const final;
  void dependencies(OperationId operation, std::vector<OperationId>& out) const final;
  void dependents(OperationId operation, std::vector<OperationId>& out) const final;
  Pacing pacing() const final { return Pacing::Messages; }
  RoundOverlap overlap() const final { return RoundOverlap::Sequential; }
  std::vector<Round> rounds() const final;

 protected:
  StepSchedule(const CollectiveSpec& spec, TransferAction action, std::vector<std::int32_t> order,
               std::int64_t steps);

  // In `step` position p sends to p + shift(step), wrapping round; 1 <= shift < n.
  virtual std::int64_t shift(std::int64_t step) const = 0;
  // Appends what it sends; every position sends equally many.
  virtual void append_blocks(std::int64_t step, std::int64_t position,
                             std::vector<std::int64_t>& blocks) const = 0;

  std::int64_t positions() const { return n_; }
  // Any number of times round the ring, in either direction up to once.
  std::int32_t rank_at(std::int64_t position) const {
    return order_[static_cast<std::size_t>((position + n_) % n_)];
  }

 private:
  TransferAction action_;
  std::vector<std::int32_t> order_;
  std::int64_t n_;
  std::int64_t steps_;
};

}  // namespace ringspan

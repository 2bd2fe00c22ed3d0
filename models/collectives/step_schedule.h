#pragma once

// The base of schedules in which all ranks take steps together, each sending one message a step and
// receiving one. A rank takes a step once its send and its receive of the step before are complete.

#include <cstdint>
#include <vector>

#include "models/collectives/schedule.h"

namespace ringspan {

// Where everybody sends in a step. Positions are cut in runs of stride x length; position p sends
// to the one `shift` strides on, round the run: {1, n, s} is p + s modulo n. 1 <= shift < length.
struct Rotation {
  std::int64_t stride = 1;
  std::int64_t length = 1;
  std::int64_t shift = 1;
};

// Operation step * n + p is the send of the rank at position p.
class StepSchedule : public Schedule {
 public:
  OperationId operation_count() const final { return steps_ * n_; }
  void transfer(OperationId operation, Transfer& out) const final;
  void dependencies(OperationId operation, std::vector<OperationId>& out) const final;
  void dependents(OperationId operation, std::vector<OperationId>& out) const final;
  Pacing pacing() const final { return pacing_; }
  RoundOverlap overlap() const final {
    return pacing_ == Pacing::Slices ? RoundOverlap::Pipelined : RoundOverlap::Sequential;
  }
  std::vector<Round> rounds() const final;
  std::int64_t listed_edges() const final;

 protected:
  // Slices: every step uses connections of its own.
  StepSchedule(const CollectiveSpec& spec, std::vector<std::int32_t> order, std::int64_t steps,
               Pacing pacing = Pacing::Messages);

  virtual Rotation rotation(std::int64_t step) const = 0;
  // Appends what a position sends; every position sends equally many.
  virtual void append_blocks(std::int64_t step, std::int64_t position,
                             std::vector<std::int64_t>& blocks) const = 0;
  // Reduce where the collective reduces, unless overridden.
  virtual TransferAction action(std::int64_t step) const;
  // How many steps from this one on have one rotation and send equally many blocks.
  virtual std::int64_t steps_alike(std::int64_t /*step*/) const { return 1; }

  std::int64_t positions() const { return n_; }
  // Any number of times round the ring, in either direction up to once.
  std::int32_t rank_at(std::int64_t position) const {
    return order_[static_cast<std::size_t>((position + n_) % n_)];
  }

 private:
  std::vector<std::int32_t> order_;
  std::int64_t n_;
  std::int64_t steps_;
  Pacing pacing_;
};

}  // namespace ringspan

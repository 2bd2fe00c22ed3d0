#pragma once

// Told what a run does, as it does it: for traces. A run without an observer pays one test of a
// pointer per slice.

#include <cstddef>
#include <cstdint>

#include "models/collectives/schedule.h"
#include "sim/base/units.h"

namespace ringspan {

struct CollectivePlan;
struct PlanInput;
struct PlanOutline;
struct StreamLoads;

class RunObserver {
 public:
  virtual ~RunObserver() = default;

  // Before anything else; all that is handed over outlives run_ends() and may be gone after it.
  virtual void run_begins(const PlanInput& input, const PlanOutline& outline) = 0;
  virtual void run_ends() = 0;

  // `chunk`. A connection is an edge of a channel class; it sends one slice after the other, and
  // they arrive in that order.
  struct Slice {
    std::uint32_t class_index = 0;
    std::uint32_t edge = 0;  // of CollectivePlan::classes[class_index]
    OperationId operation = 0;
    std::int64_t loop = 0;
    int slice = 0;
    std::int64_t payload = 0;  // bytes on one channel
    Bytes wire;                // the same with the protocol's flags
  };
  // `connections` are numbered class by class, edge by edge.
  virtual void slices_begin(const CollectivePlan& plan, std::size_t connections) = 0;
  virtual void slice_starts(Time now, std::uint32_t connection, const Slice& slice) = 0;
  virtual void slice_sent(Time now, std::uint32_t connection) = 0;
  virtual void slice_arrived(Time now, std::uint32_t connection) = 0;

  // `stream`. What a channel class does from `begin` to `end`: `steps` steps that each move
  // `step_wire` bytes of a block.
  struct Phase {
    std::size_t class_index = 0;
    Time begin = kTimeZero, end = kTimeZero;
    double steps = 0;
    double step_wire = 0;
  };
  virtual void phases_begin(const StreamLoads& loads) = 0;
  virtual void phase_done(const Phase& phase) = 0;
};

}  // namespace ringspan

#pragma once

// Events ordered by (time, sequence number). An event is a plain record: no callable is stored.
// Structure: a heap of runs. A push at the time last pushed extends that run; runs of equal time
// merge, in sequence order, when popped. Measured best or near best for lockstep collectives.

#include <cstdint>
#include <vector>

#include "sim/base/units.h"

namespace ringspan {

struct Event {
  std::uint32_t kind = 0;  // the owner's meaning
  std::uint32_t index = 0;
};

class EventQueue {
 public:
  void push(Time time, Event event);
  bool empty() const { return heap_.empty(); }
  // kNever when empty.
  Time next_time() const { return heap_.empty() ? kNever : heap_.front().time; }
  // Removes all events of next_time() and appends them in the order pushed.
  void pop_all(std::vector<Event>& events);
  std::int64_t pushed() const { return pushed_; }

 private:
  // Events of a run are chained through `next`; a run keeps its place in the heap while it grows.
  struct Cell {
    Event event;
    std::uint32_t next;
  };
  struct Run {
    Time time;
    std::uint64_t sequence;
    std::uint32_t first;  // cell
  };
  static bool later(const Run& a, const Run& b) {
    return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
  }
  std::uint32_t take_cell(Event event);

  std::vector<Run> heap_;
  std::vector<Cell> cells_;
  std::uint32_t free_ = kNoCell;       // chain of unused cells
  Time last_time_ = kNever;            // kNever: no run can be extended
  std::uint32_t last_cell_ = kNoCell;  // the end of the run pushed last
  std::uint64_t sequence_ = 0;
  std::int64_t pushed_ = 0;

  static constexpr std::uint32_t kNoCell = 0xffffffffU;
};

}  // namespace ringspan

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
  bool empty() const;
  Time next_time() const;  // kNever when empty
  // Removes all events of next_time() and appends them in the order pushed.
  void pop_all(std::vector<Event>& events);
  std::int64_t pushed() const { return pushed_; }

 private:
  // The implementation's own; see event_queue.cpp.
  struct Run {
    Time time;
    std::uint64_t sequence = 0;
    std::uint32_t events = 0;  // index of the run's vector in pool_
  };
  std::vector<Run> heap_;
  std::vector<std::vector<Event>> pool_;
  std::vector<std::uint32_t> free_;
  Time last_time_ = kNever;
  std::uint32_t last_run_ = 0;
  std::uint64_t sequence_ = 0;
  std::int64_t pushed_ = 0;
};

}  // namespace ringspan

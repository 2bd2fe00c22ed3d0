#include "sim/engine/event_queue.h"

#include <algorithm>

#include "sim/base/check.h"

namespace ringspan {

std::uint32_t EventQueue::take_cell(Event event) {
  if (free_ == kNoCell) {
    cells_.push_back({event, kNoCell});
    return static_cast<std::uint32_t>(cells_.size() - 1);
  }
  const std::uint32_t cell = free_;
  free_ = cells_[cell].next;
  cells_[cell] = {event, kNoCell};
  return cell;
}

void EventQueue::push(Time time, Event event) {
  RINGSPAN_CHECK(time != kNever, "an event needs a time that can come");
  const std::uint32_t cell = take_cell(event);
  ++pushed_;
  if (time == last_time_) {
    cells_[last_cell_].next = cell;
  } else {
    heap_.push_back({time, sequence_++, cell});
    std::push_heap(heap_.begin(), heap_.end(), later);
    last_time_ = time;
  }
  last_cell_ = cell;
}

void EventQueue::pop_all(std::vector<Event>& events) {
  if (heap_.empty()) {
    return;
  }
  const Time time = heap_.front().time;
  while (!heap_.empty() && heap_.front().time == time) {
    std::uint32_t cell = heap_.front().first;
    std::pop_heap(heap_.begin(), heap_.end(), later);
    heap_.pop_back();
    while (cell != kNoCell) {
      const std::uint32_t next = cells_[cell].next;
      events.push_back(cells_[cell].event);
      cells_[cell].next = free_;
      free_ = cell;
      cell = next;
    }
  }
  // A push at the same instant, after this, makes a run of its own.
  if (time == last_time_) {
    last_time_ = kNever;
  }
}

}  // namespace ringspan

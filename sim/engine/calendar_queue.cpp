#include "sim/engine/calendar_queue.h"

#include <algorithm>
#include <bit>

#include "sim/base/check.h"

namespace ringspan {

CalendarQueue::CalendarQueue() : wheels_(kWheels) {}

void CalendarQueue::push(Time time, Event event) {
  const std::int64_t at = time.time_since_epoch().count();
  RINGSPAN_CHECK(at >= 0, "an event needs a time that is not negative");
  ++size_;
  if (static_cast<std::uint64_t>(at) >> kTickBits <= tick_) {
    put_due({at, event});
    return;
  }
  std::uint32_t cell = free_;
  if (cell == kNone) {
    cell = static_cast<std::uint32_t>(cells_.size());
    cells_.push_back({at, event, kNone});
  } else {
    free_ = cells_[cell].next;
    cells_[cell] = {at, event, kNone};
  }
  put(cell);
  if (ahead_ >= 0) {
    ahead_ = std::min(ahead_, at);
  }
}

// An event goes to the finest wheel whose present turn still reaches it.
void CalendarQueue::put(std::uint32_t cell) {
  const std::uint64_t tick = static_cast<std::uint64_t>(cells_[cell].time) >> kTickBits;
  const int wheel =
      tick == tick_ ? 0 : (static_cast<int>(std::bit_width(tick ^ tick_)) - 1) / kWheelBits;
  const auto index = static_cast<std::uint32_t>(tick >> (wheel * kWheelBits)) & (kBuckets - 1);
  Wheel& target = wheels_[wheel];
  Bucket& bucket = target.buckets[index];
  cells_[cell].next = kNone;
  if (bucket.first == kNone) {
    bucket.first = cell;
    target.filled[index / 64] |= std::uint64_t{1} << (index % 64);
  } else {
    cells_[bucket.last].next = cell;
  }
  bucket.last = cell;
}

// Into the bucket being consumed, behind all that is not later.
void CalendarQueue::put_due(Due due) {
  auto place = due_.end();
  const auto begin = due_.begin() + static_cast<std::ptrdiff_t>(due_begin_);
  if (place != begin && (place - 1)->time > due.time) {
    place = std::upper_bound(begin, place, due.time,
                             [](std::int64_t time, const Due& other) { return time < other.time; });
  }
  due_.insert(place, due);
}

bool CalendarQueue::find_first(int& wheel, std::uint32_t& bucket) const {
  for (wheel = 0; wheel < kWheels; ++wheel) {
    const auto& filled = wheels_[wheel].filled;
    const auto from = static_cast<std::uint32_t>(tick_ >> (wheel * kWheelBits)) & (kBuckets - 1);
    std::uint64_t bits = filled[from / 64] >> (from % 64) << (from % 64);
    for (std::uint32_t word = from / 64;;) {
      if (bits != 0) {
        bucket = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
        return true;
      }
      if (++word == filled.size()) {
        break;
      }
      bits = filled[word];
    }
  }
  return false;
}

std::uint32_t CalendarQueue::take_bucket(int wheel, std::uint32_t bucket) {
  const std::uint32_t first = wheels_[wheel].buckets[bucket].first;
  wheels_[wheel].buckets[bucket] = {};
  wheels_[wheel].filled[bucket / 64] &= ~(std::uint64_t{1} << (bucket % 64));
  return first;
}

// Moves on to the first bucket in use and makes it due.
void CalendarQueue::load_first() {
  due_.clear();
  due_begin_ = 0;
  ahead_ = -1;
  int wheel = 0;
  std::uint32_t bucket = 0;
  while (find_first(wheel, bucket)) {
    const int shift = wheel * kWheelBits;
    const std::uint64_t turn = tick_ >> (shift + kWheelBits);
    tick_ = ((turn << kWheelBits) | bucket) << shift;
    std::uint32_t cell = take_bucket(wheel, bucket);
    if (wheel > 0) {
      while (cell != kNone) {
        const std::uint32_t next = cells_[cell].next;
        put(cell);
        cell = next;
      }
      continue;
    }
    while (cell != kNone) {
      const std::uint32_t next = cells_[cell].next;
      due_.push_back({cells_[cell].time, cells_[cell].event});
      cells_[cell].next = free_;
      free_ = cell;
      cell = next;
    }
    const auto earlier = [](const Due& a, const Due& b) { return a.time < b.time; };
    if (!std::is_sorted(due_.begin(), due_.end(), earlier)) {
      std::stable_sort(due_.begin(), due_.end(), earlier);
    }
    return;
  }
}

Time CalendarQueue::next_time() {
  if (size_ == 0) {
    return kNever;
  }
  if (due_begin_ < due_.size()) {
    return Time{Duration{due_[due_begin_].time}};
  }
  if (ahead_ < 0) {
    int wheel = 0;
    std::uint32_t bucket = 0;
    RINGSPAN_CHECK(find_first(wheel, bucket), "events are counted but not there");
    std::uint32_t cell = wheels_[wheel].buckets[bucket].first;
    ahead_ = cells_[cell].time;
    for (; cell != kNone; cell = cells_[cell].next) {
      ahead_ = std::min(ahead_, cells_[cell].time);
    }
  }
  return Time{Duration{ahead_}};
}

bool CalendarQueue::pop(Time until, Time& time, Event& event) {
  if (due_begin_ == due_.size()) {
    if (next_time() > until || size_ == 0) {
      return false;
    }
    load_first();
  }
  const Due& next = due_[due_begin_];
  time = Time{Duration{next.time}};
  if (time > until) {
    return false;
  }
  event = next.event;
  ++due_begin_;
  --size_;
  return true;
}

}  // namespace ringspan

#pragma once

// Events ordered by (time, order pushed), for a great many events at many different instants:
// segments. Lockstep traffic is better served by EventQueue.
// Structure: wheels of 4,096 buckets, the finest with buckets of 2^14 ps (16 ns), each further one
// 4,096 times as coarse. A bucket of the finest wheel is sorted when it is reached; a bucket of a
// coarser one is dealt out to the finer wheels. So an event costs the same however far it lies
// ahead and however many there are. Buckets are chains of cells from one pool.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/event_queue.h"

namespace ringspan {

class CalendarQueue {
 public:
  CalendarQueue();

  // Not before the event popped last.
  void push(Time time, Event event);
  bool empty() const { return size_ == 0; }
  // kNever when empty. Asking does not move the queue on: earlier events may still be pushed.
  Time next_time();
  // Removes the next event if it is not later than `until`.
  bool pop(Time until, Time& time, Event& event);

 private:
  static constexpr int kTickBits = 14;
  static constexpr int kWheelBits = 12;
  static constexpr int kWheels = 5;  // 14 + 5 x 12 bits cover all of int64
  static constexpr std::uint32_t kBuckets = 1U << kWheelBits;
  static constexpr std::uint32_t kNone = 0xffffffffU;

  struct Cell {
    std::int64_t time;
    Event event;
    std::uint32_t next;
  };
  struct Bucket {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };
  struct Wheel {
    std::array<Bucket, kBuckets> buckets;
    std::array<std::uint64_t, kBuckets / 64> filled{};  // one bit per bucket
  };
  struct Due {
    std::int64_t time;
    Event event;
  };

  void put(std::uint32_t cell);
  void put_due(Due due);
  // The first bucket in use, of the finest wheel that has one. Only when nothing is due.
  bool find_first(int& wheel, std::uint32_t& bucket) const;
  void load_first();
  std::uint32_t take_bucket(int wheel, std::uint32_t bucket);

  std::vector<Wheel> wheels_;
  std::vector<Cell> cells_;
  std::uint32_t free_ = kNone;
  std::uint64_t tick_ = 0;  // of the bucket loaded last
  std::vector<Due> due_;    // that bucket, sorted; consumed from due_begin_ on
  std::size_t due_begin_ = 0;
  std::size_t size_ = 0;
  std::int64_t ahead_ = -1;  // next_time() when nothing is due; -1: not known
};

}  // namespace ringspan

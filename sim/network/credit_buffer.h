#pragma once

// The places in the buffer at the end of a link, and the segments that wait for one.
// A credit is known as soon as the segment that gives it back has its start on the next link, so
// a segment takes the earliest known credit even if that lies ahead.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "sim/base/check.h"

namespace ringspan {

class CreditBuffer {
 public:
  struct Waiting {
    std::uint32_t passage;  // of the segment, see queueing_network.cpp
    std::uint32_t hop;
    std::int64_t arrival;
  };

  explicit CreditBuffer(std::uint32_t places) : times_(places, 0) {}

  bool has_credit() const { return !times_.empty() && waiting_.empty(); }
  bool somebody_can_go() const { return !times_.empty() && !waiting_.empty(); }
  bool somebody_waits() const { return !waiting_.empty(); }
  const Waiting& first_waiting() const { return waiting_.front(); }

  void give(std::int64_t time) {
    times_.push_back(time);
    std::push_heap(times_.begin(), times_.end(), std::greater<>{});
  }
  std::int64_t take() {
    RINGSPAN_CHECK(!times_.empty(), "no credit to take");
    std::pop_heap(times_.begin(), times_.end(), std::greater<>{});
    const std::int64_t time = times_.back();
    times_.pop_back();
    return time;
  }
  void wait(Waiting segment) { waiting_.push_back(segment); }
  Waiting next_waiting() {
    const Waiting first = waiting_.front();
    waiting_.pop_front();
    return first;
  }

 private:
  std::vector<std::int64_t> times_;  // heap, the earliest first
  std::deque<Waiting> waiting_;
};

}  // namespace ringspan

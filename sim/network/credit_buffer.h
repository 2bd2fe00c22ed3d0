#pragma once

// The places in the buffer at the end of a link, and the segments that wait for one.
// A credit is known as soon as the segment that gives it back has its start on the next link, so
// a segment takes the earliest known credit even if that lies ahead.

#include <cstddef>
#include <cstdint>
#include <deque>
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

  explicit CreditBuffer(std::uint32_t places) : times_(places, 0), known_(places) {}

  bool has_credit() const { return known_ > 0 && waiting_.empty(); }
  bool somebody_can_go() const { return known_ > 0 && !waiting_.empty(); }
  bool somebody_waits() const { return !waiting_.empty(); }
  const Waiting& first_waiting() const { return waiting_.front(); }

  // Credits mostly come in the order of their times: the place is found from the end.
  void give(std::int64_t time) {
    RINGSPAN_CHECK(known_ < times_.size(), "a credit that nobody held");
    std::size_t place = at(known_);
    for (std::size_t i = known_; i > 0 && times_[at(i - 1)] > time; --i) {
      times_[place] = times_[at(i - 1)];
      place = at(i - 1);
    }
    times_[place] = time;
    ++known_;
  }
  std::int64_t take() {
    RINGSPAN_CHECK(known_ > 0, "no credit to take");
    const std::int64_t time = times_[first_];
    first_ = at(1);
    --known_;
    return time;
  }
  void wait(Waiting segment) { waiting_.push_back(segment); }
  Waiting next_waiting() {
    const Waiting first = waiting_.front();
    waiting_.pop_front();
    return first;
  }

 private:
  std::size_t at(std::size_t index) const {
    const std::size_t place = first_ + index;
    return place < times_.size() ? place : place - times_.size();
  }

  std::vector<std::int64_t> times_;  // of the known credits: a ring, the earliest at first_
  std::size_t first_ = 0;
  std::size_t known_ = 0;
  std::deque<Waiting> waiting_;
};

}  // namespace ringspan

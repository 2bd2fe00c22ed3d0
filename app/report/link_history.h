#pragma once

// How busy links are over the course of a run whose length is not known beforehand.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/units.h"

namespace ringspan {

// Bytes per link and interval. Intervals have one length, which doubles when the run outgrows them.
class LinkHistory {
 public:
  explicit LinkHistory(std::size_t links);

  // `bytes` cross the link evenly between `begin` and `end`; both at once where these are equal.
  void add(std::size_t link, Time begin, Time end, double bytes);

  std::size_t links() const { return totals_.size(); }
  double total(std::size_t link) const { return totals_[link]; }
  // Up to the last one that holds anything.
  std::size_t intervals() const { return used_; }
  Duration interval() const { return Duration{length_}; }
  double bytes(std::size_t link, std::size_t interval) const {
    return bytes_[link * intervals_ + interval];
  }

 private:
  void grow_to(std::int64_t end);
  void join_neighbours();

  std::size_t intervals_;        // per link
  std::int64_t length_ = 1'000;  // ps
  std::size_t used_ = 0;
  std::vector<double> bytes_;  // by link, then interval
  std::vector<double> totals_;
};

}  // namespace ringspan

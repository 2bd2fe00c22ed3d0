#include "app/report/link_history.h"

#include <algorithm>

namespace ringspan {

namespace {

// 32 MiB of intervals for all links together, within bounds that keep curves useful.
std::size_t intervals_for(std::size_t links) {
  constexpr std::size_t kNumbers = std::size_t{1} << 22;
  constexpr std::size_t kFewest = 32, kMost = 1024;
  return std::clamp(kNumbers / std::max<std::size_t>(links, 1) / 2 * 2, kFewest, kMost);
}

}  // namespace

LinkHistory::LinkHistory(std::size_t links)
    : intervals_(intervals_for(links)), bytes_(links * intervals_, 0), totals_(links, 0) {}

void LinkHistory::add(std::size_t link, Time begin, Time end, double bytes) {
  const std::int64_t first_instant = (begin - kTimeZero).count();
  const std::int64_t last_instant = std::max(first_instant + 1, (end - kTimeZero).count());
  grow_to(last_instant);
  totals_[link] += bytes;
  double* row = bytes_.data() + link * intervals_;
  const double per_instant = bytes / static_cast<double>(last_instant - first_instant);
  for (std::int64_t i = first_instant / length_; i * length_ < last_instant; ++i) {
    const std::int64_t from = std::max(first_instant, i * length_);
    const std::int64_t to = std::min(last_instant, (i + 1) * length_);
    row[i] += per_instant * static_cast<double>(to - from);
  }
}

void LinkHistory::grow_to(std::int64_t end) {
  while (end > length_ * static_cast<std::int64_t>(intervals_)) join_neighbours();
  used_ = std::max(used_, static_cast<std::size_t>((end + length_ - 1) / length_));
}

void LinkHistory::join_neighbours() {
  for (std::size_t link = 0; link < links(); ++link) {
    double* row = bytes_.data() + link * intervals_;
    for (std::size_t i = 0; i < intervals_ / 2; ++i) row[i] = row[2 * i] + row[2 * i + 1];
    std::fill(row + intervals_ / 2, row + intervals_, 0.0);
  }
  length_ *= 2;
  used_ = (used_ + 1) / 2;
}

}  // namespace ringspan

#pragma once

// The cut that bounds a collective most. What must cross a cut is a share of the size, so the same
// cut is the tightest one at every size.

#include <string>
#include <string_view>

#include "sim/base/units.h"

namespace ringspan {

struct LowerBound {
  Duration time{};
  std::string reason;  // "gpu0 must send 1 GiB through 450 GB/s"
};

class TightestCut {
 public:
  // `who` must "send" or "receive" `share` x size bytes through `rate` bits/s. Kept where no cut
  // before takes as long; a rate or a share of 0 says nothing. The label is only asked for then.
  template <typename Label>
  void consider(Label label, std::string_view verb, double share, double rate) {
    if (share <= 0 || rate <= 0 || share * rate_ <= share_ * rate) return;
    share_ = share;
    rate_ = rate;
    who_ = label();
    verb_ = verb;
  }

  // The tightest cut of another part of the system.
  void consider(const TightestCut& other) {
    consider([&] { return other.who_; }, other.verb_, other.share_, other.rate_);
  }

  // Rounded down: a bound must not exceed a time by a picosecond.
  LowerBound of(Bytes size) const;

 private:
  double share_ = 0;
  double rate_ = 1;
  std::string who_;
  std::string verb_;
};

}  // namespace ringspan

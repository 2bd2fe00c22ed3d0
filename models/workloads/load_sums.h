#pragma once

// Sums of loads by link: dense, with a list of those that are not zero. For large clusters they do
// not fit in caches, so what is the same is kept once: bytes only from the first load on that is
// not its bytes (staging).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/workloads/load_partition.h"

namespace ringspan {

class LoadSums {
 public:
  explicit LoadSums(std::size_t links = 0) : loads_(links, 0) {}

  void add(std::uint32_t link, double load, double bytes) {
    if (load != bytes && bytes_.empty()) bytes_ = loads_;
    double& sum = loads_[link];
    if (sum == 0) touched_.push_back(link);
    sum += load;
    if (!bytes_.empty()) bytes_[link] += bytes;
  }
  LinkLoad operator[](std::size_t link) const {
    return {loads_[link], bytes_.empty() ? loads_[link] : bytes_[link]};
  }
  double load(std::size_t link) const { return loads_[link]; }
  // Those with a load, in the order in which they got it.
  const std::vector<std::uint32_t>& touched() const { return touched_; }

  // Calls visit(link, sum) for each of them and makes it zero.
  template <typename Visit>
  void take(Visit visit) {
    for (const std::uint32_t link : touched_) {
      visit(link, (*this)[link]);
      loads_[link] = 0;
      if (!bytes_.empty()) bytes_[link] = 0;
    }
    touched_.clear();
  }
  // Makes touched() ascend.
  void sort() {
    // Many are found faster by looking at all than by sorting.
    constexpr std::size_t kFew = 16;
    if (touched_.size() < loads_.size() / kFew) {
      std::sort(touched_.begin(), touched_.end());
      return;
    }
    touched_.clear();
    for (std::uint32_t link = 0; link < loads_.size(); ++link) {
      if (loads_[link] != 0) touched_.push_back(link);
    }
  }

 private:
  std::vector<double> loads_, bytes_;  // bytes_: empty while they are the loads
  std::vector<std::uint32_t> touched_;
};

}  // namespace ringspan

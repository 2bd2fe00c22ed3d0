#pragma once

// Sums of loads by link: dense, with a list of those that are not zero.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/workloads/load_partition.h"

namespace ringspan {

struct LoadSums {
  std::vector<LinkLoad> of;
  std::vector<std::uint32_t> touched;

  explicit LoadSums(std::size_t links = 0) : of(links) {}

  void add(std::uint32_t link, double load, double bytes) {
    LinkLoad& sum = of[link];
    if (sum.load == 0) touched.push_back(link);
    sum.load += load;
    sum.bytes += bytes;
  }
  void clear() {
    for (const std::uint32_t link : touched) of[link] = {};
    touched.clear();
  }
};

}  // namespace ringspan

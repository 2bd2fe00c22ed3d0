#pragma once

// The paths of flows under way, in one array. Strips have room for a power of two of hops and are
// used again, so memory follows the flows under way.

#include <array>
#include <cstdint>
#include <vector>

#include "sim/network/network_model.h"

namespace ringspan {

struct SegmentHop {
  std::uint32_t link : 31;
  std::uint32_t ends_stage : 1;  // the last link of those crossed side by side
  float weight;
};

struct PathStrip {
  std::uint32_t first = 0;  // hop
  std::uint32_t hops = 0;
};

class SegmentPaths {
 public:
  // Checks the path against the contract of FlowStart and copies it.
  PathStrip add(const FlowStart& flow, std::size_t links);
  void remove(PathStrip strip);

  const SegmentHop& operator[](std::uint32_t hop) const { return hops_[hop]; }

 private:
  std::vector<SegmentHop> hops_;
  std::array<std::vector<std::uint32_t>, 32> free_;  // by the logarithm of the strip's room
};

}  // namespace ringspan

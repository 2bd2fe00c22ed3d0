#include "sim/network/segment_paths.h"

#include <bit>

#include "sim/base/check.h"

namespace ringspan {
namespace {

std::size_t size_class(std::size_t hops) {
  return hops <= 1 ? 0 : static_cast<std::size_t>(std::bit_width(hops - 1));
}

}  // namespace

PathStrip SegmentPaths::add(const FlowStart& flow, std::size_t links) {
  const std::size_t count = flow.links.size();
  RINGSPAN_CHECK(count > 0 && count < (1U << 28), "a flow needs a path");
  RINGSPAN_CHECK(flow.weights.empty() || flow.weights.size() == count, "one weight per link");
  RINGSPAN_CHECK(flow.stages.empty() || flow.stages.size() == count, "one stage per link");

  PathStrip strip;
  strip.hops = static_cast<std::uint32_t>(count);
  std::vector<std::uint32_t>& free = free_[size_class(count)];
  if (free.empty()) {
    strip.first = static_cast<std::uint32_t>(hops_.size());
    hops_.resize(hops_.size() + (std::size_t{1} << size_class(count)));
  } else {
    strip.first = free.back();
    free.pop_back();
  }
  for (std::size_t i = 0; i < count; ++i) {
    RINGSPAN_CHECK(flow.links[i] < links, "a path names a link that is not there");
    const bool last = i + 1 == count;
    RINGSPAN_CHECK(flow.stages.empty() || last || flow.stages[i] <= flow.stages[i + 1],
                   "stages must ascend");
    SegmentHop& hop = hops_[strip.first + i];
    hop.link = flow.links[i] & 0x7fffffffU;
    hop.ends_stage = flow.stages.empty() || last || flow.stages[i] != flow.stages[i + 1] ? 1 : 0;
    hop.weight = flow.weights.empty() ? 1.0F : flow.weights[i];
    RINGSPAN_CHECK(hop.weight > 0, "a weight must be positive");
  }
  return strip;
}

void SegmentPaths::remove(PathStrip strip) { free_[size_class(strip.hops)].push_back(strip.first); }

}  // namespace ringspan

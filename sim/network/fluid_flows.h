#pragma once

// The flows of a FluidNetwork: records in one flat array, named by slot, their paths in another.
// A slot keeps its block of hops when it is released and serves the next path of that size class.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/base/check.h"
#include "sim/network/network_model.h"

namespace ringspan::fluid {

inline constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::max();

enum class Phase : std::uint8_t {
  Free,
  Waiting,   // its latency comes first and is not over
  Sharing,   // on its links
  Filling,   // on its links, and its rate is being solved
  Arriving,  // transmitted; its latency comes last and is not over
};

// What bounds a flow, instead of the index of a link.
inline constexpr std::uint32_t kUnsolved = 0xffffffffU;  // no rate yet
inline constexpr std::uint32_t kAlone = 0xfffffffeU;     // no other flow on any of its links

// One cache line. Times are picoseconds since the start, rates bytes per picosecond. Rate,
// `updated` and finish are those of a flow that runs alone; otherwise its group knows them.
struct Flow {
  double remaining = 0;  // bytes, at `updated`; in a group, the progress at which the flow ends
  double rate = 0;
  std::int64_t updated = 0;
  std::int64_t finish = kNoTime;
  std::uint64_t number = 0;  // order of start
  std::int64_t latency = 0;
  FlowTag tag = 0;
  std::uint32_t first_hop = 0;
  std::uint32_t held_by = kUnsolved;
  std::uint16_t hop_count = 0;
  Phase phase = Phase::Free;
  bool notify_sent = false;
};
static_assert(sizeof(Flow) == 64);

struct Hop {
  std::uint32_t link = 0;
  std::uint32_t position = 0;  // in the link's strip
  std::uint32_t cell = 0;      // of its group, on this link
};

class FlowTable {
 public:
  Flow& operator[](std::uint32_t slot) { return flows_[slot]; }
  const Flow& operator[](std::uint32_t slot) const { return flows_[slot]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(flows_.size()); }

  Hop* hops(const Flow& flow) { return hops_.data() + flow.first_hop; }
  const Hop* hops(const Flow& flow) const { return hops_.data() + flow.first_hop; }
  Hop& hop(std::uint32_t index) { return hops_[index]; }

  // True once a flow with weights has come; before that, weights need not be asked for.
  bool weighted() const { return !weights_.empty(); }
  double weight(std::uint32_t hop) const { return static_cast<double>(weights_[hop]); }

  // A slot for a path of `links`; the hops' links and weights are set, their positions are not.
  std::uint32_t take(const FlowStart& start) {
    RINGSPAN_CHECK(start.links.size() <= kLongestPath, "a path has too many links");
    const std::size_t size_class = class_of(start.links.size());
    const std::uint32_t slot = free_[size_class].empty() ? add_slot(size_class) : reuse(size_class);
    Flow& flow = flows_[slot];
    flow.hop_count = static_cast<std::uint16_t>(start.links.size());
    for (std::size_t i = 0; i < start.links.size(); ++i) {
      hops_[flow.first_hop + i].link = start.links[i];
    }
    if (!start.weights.empty() || weighted()) {
      set_weights(flow, start);
    }
    return slot;
  }

  void release(std::uint32_t slot) {
    Flow& flow = flows_[slot];
    flow.phase = Phase::Free;
    free_[class_of(flow.hop_count)].push_back(slot);
  }

  static constexpr std::size_t kLongestPath = 0xffff;

 private:
  // Class c holds paths of up to 2 x 2^c links.
  static std::size_t class_of(std::size_t links) {
    return static_cast<std::size_t>(std::bit_width((links - 1) >> 1));
  }

  std::uint32_t reuse(std::size_t size_class) {
    const std::uint32_t slot = free_[size_class].back();
    free_[size_class].pop_back();
    return slot;
  }

  std::uint32_t add_slot(std::size_t size_class) {
    const auto slot = static_cast<std::uint32_t>(flows_.size());
    RINGSPAN_CHECK(slot < kAlone, "too many flows at once");
    flows_.emplace_back();
    flows_.back().first_hop = static_cast<std::uint32_t>(hops_.size());
    hops_.resize(hops_.size() + (std::size_t{2} << size_class));
    return slot;
  }

  void set_weights(const Flow& flow, const FlowStart& start) {
    if (weights_.size() < hops_.size()) {
      weights_.resize(hops_.size(), 1.0F);
    }
    float* weights = weights_.data() + flow.first_hop;
    if (start.weights.empty()) {
      std::fill(weights, weights + flow.hop_count, 1.0F);
    } else {
      std::copy(start.weights.begin(), start.weights.end(), weights);
    }
  }

  std::vector<Flow> flows_;
  std::vector<Hop> hops_;
  std::vector<float> weights_;  // parallel to hops_, once needed
  std::array<std::vector<std::uint32_t>, 16> free_;
};

}  // namespace ringspan::fluid

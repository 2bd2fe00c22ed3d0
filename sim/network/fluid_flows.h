#pragma once

// The flows of a FluidNetwork: records in one flat array, named by slot, their paths in another.
// A slot keeps its block of hops when it is released and serves the next path of that size class.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/growing_array.h"
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
inline constexpr std::uint32_t kNoSlot = 0xffffffffU;
inline constexpr std::uint32_t kAlone = 0xfffffffeU;  // no other flow on any of its links

// Half a cache line: a burst visits a million of these in the order of the links. What only a flow
// that runs alone has, is in Lone (fluid_links.h).
struct Flow {
  double remaining = 0;      // bytes; in a group, the progress at which the flow ends
  std::uint64_t number = 0;  // order of start
  FlowTag tag = 0;
  std::uint32_t first_hop = 0;
  // What bounds it. Of the first of a run of waiting flows: the slot behind the run's last; of a
  // free slot: the next free one.
  std::uint32_t held_by = kUnsolved;
  std::uint16_t hop_count = 0;
  Phase phase = Phase::Free;
  bool notify_sent = false;
};
static_assert(sizeof(Flow) == 32);

struct Hop {
  std::uint32_t link = 0;
  std::uint32_t position = 0;  // in the link's strip
  std::uint32_t cell = 0;      // of its group, on this link
};

class FlowTable {
 public:
  FlowTable() { free_.fill(kNoSlot); }

  Flow& operator[](std::uint32_t slot) { return flows_[slot]; }
  const Flow& operator[](std::uint32_t slot) const { return flows_[slot]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(flows_.size()); }

  Hop* hops(const Flow& flow) { return hops_.data() + flow.first_hop; }
  const Hop* hops(const Flow& flow) const { return hops_.data() + flow.first_hop; }
  Hop& hop(std::uint32_t index) { return hops_[index]; }

  // For walks over records that name slots in the order of a link: fetches the flows that come soon
  // after `at`, or their hops too. Without, a burst of 1,024 hosts on a 4:1 leaf-spine takes 0.41 s
  // instead of 0.31 s. Inline by force: g++ 12 drops calls that do nothing but prefetch.
  template <typename Iterator>
  [[gnu::always_inline]] void prefetch_flows(Iterator at, Iterator end) const {
    constexpr std::ptrdiff_t kAhead = 36;
    if (end - at > kAhead) {
      __builtin_prefetch(&flows_[at[kAhead].slot], 1);
    }
  }
  template <typename Iterator>
  [[gnu::always_inline]] void prefetch_paths(Iterator at, Iterator end) const {
    prefetch_flows(at, end);
    constexpr std::ptrdiff_t kAhead = 12;  // the flow is there by now
    if (end - at > kAhead) {
      const Flow& flow = flows_[at[kAhead].slot];
      __builtin_prefetch(hops(flow), 1);
      __builtin_prefetch(hops(flow) + flow.hop_count - 1, 1);
    }
  }

  // What a flow waits between its last byte's leaving and its arrival, ps. Kept only if ever set.
  void set_latency(std::uint32_t slot, std::int64_t latency) {
    if (latencies_.size() < flows_.size()) {
      latencies_.resize(flows_.size());
    }
    latencies_[slot] = latency;
  }
  std::int64_t latency(std::uint32_t slot) const { return latencies_[slot]; }

  // True once a flow with weights has come; before that, weights need not be asked for.
  bool weighted() const { return !weights_.empty(); }
  double weight(std::uint32_t hop) const { return static_cast<double>(weights_[hop]); }

  // A slot for a path of `links`; the hops' links and weights are set, their positions are not.
  std::uint32_t take(const FlowStart& start) {
    RINGSPAN_CHECK(start.links.size() <= kLongestPath, "a path has too many links");
    const std::size_t size_class = class_of(start.links.size());
    const std::uint32_t slot =
        free_[size_class] == kNoSlot ? add_slot(size_class) : free_[size_class];
    Flow& flow = flows_[slot];
    free_[size_class] = flow.held_by;  // kNoSlot for an added slot
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
    flow.held_by = std::exchange(free_[class_of(flow.hop_count)], slot);
  }

  static constexpr std::size_t kLongestPath = 0xffff;

 private:
  // Class c holds paths of up to 2 x 2^c links.
  static std::size_t class_of(std::size_t links) {
    return static_cast<std::size_t>(std::bit_width((links - 1) >> 1));
  }

  std::uint32_t add_slot(std::size_t size_class) {
    const auto slot = static_cast<std::uint32_t>(flows_.size());
    RINGSPAN_CHECK(slot < kAlone, "too many flows at once");
    Flow& flow = *flows_.extend();
    flow.first_hop = static_cast<std::uint32_t>(hops_.size());
    flow.held_by = kNoSlot;
    hops_.extend(std::size_t{2} << size_class);
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

  GrowingArray<Flow> flows_;
  GrowingArray<Hop> hops_;
  std::vector<std::int64_t> latencies_;  // by slot
  std::vector<float> weights_;           // parallel to hops_, once needed
  std::array<std::uint32_t, 16> free_;   // by size class, the first free slot
};

}  // namespace ringspan::fluid

#pragma once

// The links of a FluidNetwork, each with the strip of the flows on it. Removal swaps with the last
// entry, so it costs the same however many flows share the link.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sim/network/fluid_flows.h"
#include "sim/network/network_model.h"

namespace ringspan::fluid {

struct StripEntry {
  std::uint32_t slot = 0;
  std::uint32_t hop = 0;  // index of the flow's hop over this link
};

// Two entries lie in the strip itself: a link of a ring never has more.
class Strip {
 public:
  std::uint32_t size() const { return size_; }
  StripEntry* begin() { return many_ ? many_.get() : few_; }
  StripEntry* end() { return begin() + size_; }
  const StripEntry* begin() const { return many_ ? many_.get() : few_; }
  const StripEntry* end() const { return begin() + size_; }

  std::uint32_t push(StripEntry entry) {
    if (size_ == capacity_) {
      grow();
    }
    begin()[size_] = entry;
    return size_++;
  }

  // Removes the entry at `position`; the last entry takes its place.
  void remove(std::uint32_t position, FlowTable& flows) {
    StripEntry* entries = begin();
    --size_;
    if (position != size_) {
      entries[position] = entries[size_];
      flows.hop(entries[position].hop).position = position;
    }
  }

 private:
  void grow() {
    auto larger = std::make_unique<StripEntry[]>(std::size_t{capacity_} * 2);
    std::copy(begin(), end(), larger.get());
    many_ = std::move(larger);
    capacity_ *= 2;
  }

  StripEntry few_[2];
  std::unique_ptr<StripEntry[]> many_;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 2;
};

struct Link {
  double capacity = 0;  // bytes per picosecond
  Strip strip;
  std::int64_t latency = 0;

  // The flows this link holds, its group: they have one rate and share one event.
  double level = 0;                     // their rate
  std::int64_t group_finish = kNoTime;  // when the first of them ends
  std::int64_t event_time = kNoTime;    // when the event queued for the group fires

  // While rates are solved.
  double residual = 0;         // capacity not given away yet
  double open_weight = 0;      // bytes on this link per byte of all its flows without a rate
  std::uint32_t open = 0;      // how many they are
  std::uint32_t solve = 0;     // the solve that met this link last
  bool departed_from = false;  // a flow has left since the last solve
};

std::vector<Link> make_links(std::span<const NetworkLink> links);

}  // namespace ringspan::fluid

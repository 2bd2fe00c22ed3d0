#pragma once

// The links of a FluidNetwork: the strip of flows on each, and the group of flows that it holds.

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
  std::uint32_t slot;
  std::uint32_t hop;  // index of the flow's hop over this link
};

// The flows on a link. Removal swaps with the last entry, so it costs the same however many flows
// share the link. Two entries lie in the strip itself: a link of a ring never has more.
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

  void clear() { size_ = 0; }

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
    auto larger = std::make_unique_for_overwrite<StripEntry[]>(std::size_t{capacity_} * 2);
    std::copy(begin(), end(), larger.get());
    many_ = std::move(larger);
    capacity_ *= 2;
  }

  StripEntry few_[2] = {};
  std::unique_ptr<StripEntry[]> many_;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 2;
};

// A flow that shares none of its links; `updated` and `finish` are ps, `rate` bytes per ps.
struct Lone {
  double rate = 0;
  std::int64_t updated = 0;
  std::int64_t finish = kNoTime;
};

// A flow of a group ends when the group's progress reaches its goal.
struct Member {
  double goal = 0;
  std::uint32_t slot = 0;
};

// How a group loads one link: by `count` flows. Cells without flows stay for the next that come.
struct Cell {
  std::uint32_t link = 0;
  std::uint32_t count = 0;
  std::uint32_t row_position = 0;  // in the link's row, while count > 0
};

// The flows that one link holds. They have one rate, so that a change of it is one change for all
// of them: `progress` is how far a flow has come that has been in the group since it was empty.
// What a solve reads of all groups lies in the first cache line.
struct alignas(64) Group {
  double level = 0;         // bytes per picosecond
  std::vector<Cell> cells;  // a flow's hop knows the cell it counts in
  std::uint32_t members = 0;
  std::uint32_t opened = 0;           // the solve that looks for a new level for it
  bool open = false;                  // and has not found it yet
  bool changed = false;               // in members or level, since `finish` was computed
  double progress = 0;                // bytes, at `settled`
  std::int64_t settled = 0;           // ps
  std::int64_t finish = kNoTime;      // when the first member ends
  std::int64_t event_time = kNoTime;  // when the event queued for that fires
  std::uint32_t unused_cells = 0;
  std::vector<Member> heap;   // smallest goal first; may hold members that have left
  std::vector<double> bytes;  // per cell, on its link per byte of all its flows; if weights occur
};

struct RowEntry {
  std::uint32_t group = 0;
  std::uint32_t cell = 0;
};

// What coming and going flows need of a link: one cache line, apart from what solving needs, so
// that steps of flows that run alone pass over few pages.
struct alignas(64) Link {
  Strip strip;
  double capacity = 0;  // bytes per picosecond
  std::int64_t latency = 0;
  std::uint32_t alone = kNoSlot;  // the flow that has this link to itself and runs alone
  std::uint32_t seeded = 0;       // the round of seeds that this link was in last
  std::uint32_t leaving = 0;      // flows of groups that end as a whole now
  bool departed_from = false;     // a flow has left since the last solve
};
static_assert(sizeof(Link) == 64);

// What solving needs of a link: one cache line, then the group that it holds.
struct alignas(64) LinkShare {
  double residual = 0;        // capacity not given away yet
  double open_bytes = 0;      // on this link per byte of all its flows without a rate
  std::uint32_t open = 0;     // flows without a rate
  std::uint32_t solve = 0;    // the solve that met this link last
  std::vector<RowEntry> row;  // the groups with flows on this link

  Group group;
};

std::vector<Link> make_links(std::span<const NetworkLink> links);

}  // namespace ringspan::fluid

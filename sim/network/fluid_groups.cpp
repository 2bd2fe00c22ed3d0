#include "sim/network/fluid_groups.h"

#include <algorithm>

namespace ringspan::fluid {
namespace {

constexpr double kTimeSlack = 1.0 / 1024;
// Goals lose precision with progress; 2^36 bytes leave 2^-17 bytes of it.
constexpr double kLargestProgress = 68'719'476'736.0;

// The heap's order: smallest goal first. Equal goals end together, in whatever order.
bool later(const Member& a, const Member& b) { return a.goal > b.goal; }

// Whether the member ends at `now` or earlier, if the group's level stays.
bool ends(const Group& group, const Member& member, std::int64_t now) {
  return finish_time(group.settled, member.goal - group.progress, group.level) <= now;
}

// As push_back() would, but in one step.
template <typename T>
void make_room(std::vector<T>& values, std::size_t more) {
  if (values.capacity() - values.size() < more) {
    values.reserve(std::max(values.size() + more, 2 * values.capacity()));
  }
}

}  // namespace

std::int64_t finish_time(std::int64_t now, double remaining, double rate) {
  const double wait = remaining / rate - kTimeSlack;
  if (wait >= static_cast<double>(kNoTime - 1 - now)) {
    return kNoTime - 1;
  }
  auto whole = static_cast<std::int64_t>(wait);
  whole += static_cast<double>(whole) < wait ? 1 : 0;
  return now + std::max<std::int64_t>(whole, 1);
}

void Groups::settle(Group& group, std::int64_t now) const {
  group.progress += group.level * static_cast<double>(now - group.settled);
  group.settled = now;
}

void Groups::prepare(std::uint32_t index, std::int64_t now, std::uint32_t joining) {
  Group& group = shares_[index].group;
  if (group.members == 0) {
    group.cells.clear();
    group.bytes.clear();
    group.heap.clear();
    group.unused_cells = 0;
    group.progress = 0;
    group.settled = now;
  } else if (group.unused_cells > 32 && group.unused_cells > group.cells.size() / 2) {
    compact(index);
  }
  settle(group, now);
  if (group.progress > kLargestProgress) {
    rebase(index);
  }
  make_room(group.heap, joining);
  prepared_ = index;
  ++round_;
  for (std::uint32_t i = 0; i < group.cells.size(); ++i) {
    column_[group.cells[i].link] = {round_, i};
  }
}

void Groups::join(std::uint32_t slot, double remaining) {
  Group& group = shares_[prepared_].group;
  Flow& flow = flows_[slot];
  flow.held_by = prepared_;
  flow.remaining = group.progress + remaining;  // the goal
  group.heap.push_back({flow.remaining, slot});
  std::push_heap(group.heap.begin(), group.heap.end(), later);
  ++group.members;
  group.changed = true;
  Hop* hops = flows_.hops(flow);
  for (std::uint32_t i = 0; i < flow.hop_count; ++i) {
    const std::uint32_t index = cell_for(group, hops[i].link);
    hops[i].cell = index;
    if (++group.cells[index].count == 1) {
      show_in_row(prepared_, index);
    }
    if (weighted_) {
      group.bytes[index] += flows_.weight(flow.first_hop + i);
    }
  }
}

std::uint32_t Groups::cell_for(Group& group, std::uint32_t link) {
  ColumnEntry& entry = column_[link];
  if (entry.round != round_) {
    entry = {round_, static_cast<std::uint32_t>(group.cells.size())};
    group.cells.push_back({link, 0, 0});
    if (weighted_) {
      group.bytes.push_back(0);
    }
  } else if (group.cells[entry.cell].count == 0) {
    --group.unused_cells;
  }
  return entry.cell;
}

double Groups::leave(std::uint32_t slot, std::int64_t now) {
  Flow& flow = flows_[slot];
  Group& group = shares_[flow.held_by].group;
  const double ahead = group.level * static_cast<double>(now - group.settled);
  const double remaining = std::max(flow.remaining - group.progress - ahead, 0.0);
  const Hop* hops = flows_.hops(flow);
  for (std::uint32_t i = 0; i < flow.hop_count; ++i) {
    Cell& cell = group.cells[hops[i].cell];
    if (weighted_) {
      group.bytes[hops[i].cell] -= flows_.weight(flow.first_hop + i);
    }
    if (--cell.count == 0) {
      hide_from_row(cell);
      ++group.unused_cells;
      if (weighted_) {
        group.bytes[hops[i].cell] = 0;  // exactly
      }
    }
  }
  group.changed = true;
  if (--group.members == 0) {
    group.finish = kNoTime;
    group.heap.clear();
  }
  flow.held_by = kUnsolved;
  return remaining;
}

void Groups::take_all(std::uint32_t index, std::vector<std::uint32_t>& slots) {
  Group& group = shares_[index].group;
  for (auto member = group.heap.cbegin(); member != group.heap.cend(); ++member) {
    flows_.prefetch_flows(member, group.heap.cend());
    if (present(index, *member)) {
      flows_[member->slot].held_by = kUnsolved;
      slots.push_back(member->slot);
    }
  }
  for (const Cell& cell : group.cells) {
    if (cell.count > 0) {
      hide_from_row(cell);
    }
  }
  group.cells.clear();
  group.bytes.clear();
  group.heap.clear();
  group.unused_cells = 0;
  group.members = 0;
  group.finish = kNoTime;
}

void Groups::set_level(std::uint32_t index, double level, std::int64_t now) {
  Group& group = shares_[index].group;
  if (level == group.level) {
    return;
  }
  settle(group, now);
  group.level = level;
  group.changed = true;
}

void Groups::update_finish(std::uint32_t index) {
  Group& group = shares_[index].group;
  if (!group.changed) {
    return;
  }
  group.changed = false;
  if (group.members == 0) {
    return;
  }
  if (group.heap.size() > 2 * std::size_t{group.members} + 16) {
    std::erase_if(group.heap, [&](const Member& member) { return !present(index, member); });
    std::make_heap(group.heap.begin(), group.heap.end(), later);
  }
  while (!present(index, group.heap.front())) {
    std::pop_heap(group.heap.begin(), group.heap.end(), later);
    group.heap.pop_back();
  }
  group.finish = finish_time(group.settled, group.heap.front().goal - group.progress, group.level);
}

bool Groups::present(std::uint32_t group, const Member& member) const {
  const Flow& flow = flows_[member.slot];
  return flow.held_by == group && flow.phase == Phase::Sharing && flow.remaining == member.goal;
}

// Equal flows end together: then one sweep over the heap serves them all.
bool Groups::all_end(std::uint32_t index, std::int64_t now) const {
  const Group& group = shares_[index].group;
  return std::all_of(group.heap.begin(), group.heap.end(),
                     [&](const Member& member) { return ends(group, member, now); });
}

void Groups::find_ending(std::uint32_t index, std::int64_t now, std::vector<std::uint32_t>& slots) {
  Group& group = shares_[index].group;
  while (ends(group, group.heap.front(), now)) {
    if (present(index, group.heap.front())) {
      slots.push_back(group.heap.front().slot);
    }
    std::pop_heap(group.heap.begin(), group.heap.end(), later);
    group.heap.pop_back();
  }
}

// Goals and progress start again from zero.
void Groups::rebase(std::uint32_t index) {
  Group& group = shares_[index].group;
  std::erase_if(group.heap, [&](const Member& member) { return !present(index, member); });
  for (Member& member : group.heap) {
    member.goal -= group.progress;
    flows_[member.slot].remaining = member.goal;
  }
  std::make_heap(group.heap.begin(), group.heap.end(), later);
  group.progress = 0;
}

void Groups::compact(std::uint32_t index) {
  Group& group = shares_[index].group;
  std::vector<std::uint32_t> moved(group.cells.size());
  std::uint32_t used = 0;
  for (std::uint32_t i = 0; i < group.cells.size(); ++i) {
    if (group.cells[i].count == 0) {
      continue;
    }
    moved[i] = used;
    group.cells[used] = group.cells[i];
    shares_[group.cells[used].link].row[group.cells[used].row_position].cell = used;
    if (weighted_) {
      group.bytes[used] = group.bytes[i];
    }
    ++used;
  }
  group.cells.resize(used);
  group.bytes.resize(weighted_ ? used : 0);
  group.unused_cells = 0;
  for (const StripEntry& entry : links_[index].strip) {
    if (flows_[entry.slot].held_by == index) {
      Hop& own = flows_.hop(entry.hop);
      // A path may cross the link twice; the first of its hops moves them all.
      Hop* hops = flows_.hops(flows_[entry.slot]);
      const std::uint32_t count = flows_[entry.slot].hop_count;
      if (&own == std::find_if(hops, hops + count, [&](const Hop& h) { return h.link == index; })) {
        std::for_each(hops, hops + count, [&](Hop& hop) { hop.cell = moved[hop.cell]; });
      }
    }
  }
}

void Groups::show_in_row(std::uint32_t group, std::uint32_t index) {
  Cell& cell = shares_[group].group.cells[index];
  std::vector<RowEntry>& row = shares_[cell.link].row;
  cell.row_position = static_cast<std::uint32_t>(row.size());
  row.push_back({group, index});
}

void Groups::hide_from_row(const Cell& cell) {
  std::vector<RowEntry>& row = shares_[cell.link].row;
  if (cell.row_position + 1 != row.size()) {
    const RowEntry last = row.back();
    row[cell.row_position] = last;
    shares_[last.group].group.cells[last.cell].row_position = cell.row_position;
  }
  row.pop_back();
}

void Groups::use_weights() {
  weighted_ = true;
  for (LinkShare& share : shares_) {
    share.group.bytes.clear();
    for (const Cell& cell : share.group.cells) {
      share.group.bytes.push_back(static_cast<double>(cell.count));
    }
  }
}

}  // namespace ringspan::fluid

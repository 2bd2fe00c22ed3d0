#include "sim/network/fluid_filling.h"

#include <algorithm>

#include "sim/base/check.h"

namespace ringspan::fluid {
namespace {

// Shares this near to the level being filled are that level: the residual of a link after a
// thousand subtractions is off by more than 1e-12, and a level split in two costs an event each.
constexpr double kSnap = 1 + 1e-9;
// Wide enough for the cut to take in a whole snapped level.
constexpr double kCutSlack = 1 - 4e-9;

}  // namespace

void Filling::solve(std::int64_t now, std::span<const std::uint32_t> seeds,
                    std::span<const std::uint32_t> arrived, double cut) {
  now_ = now;
  ++solve_;
  met_.clear();
  solved_.clear();
  open_ = 0;
  for (const std::uint32_t link : seeds) {
    meet(link);
  }
  for (std::size_t i = 0; i < met_.size(); ++i) {
    open_groups(met_[i], cut * kCutSlack);
  }
  open_arrived(arrived);
  fill();
}

void Filling::meet(std::uint32_t index) {
  LinkShare& link = shares_[index];
  if (link.solve == solve_) {
    return;
  }
  link.solve = solve_;
  link.residual = links_[index].capacity;
  link.open_bytes = 0;
  link.open = 0;
  met_.push_back(index);
}

void Filling::open_groups(std::uint32_t index, double cut) {
  LinkShare& link = shares_[index];
  for (const RowEntry& entry : link.row) {
    Group& group = shares_[entry.group].group;
    const double bytes = groups_.bytes(group, entry.cell);
    if (group.level < cut) {
      link.residual -= bytes * group.level;
      continue;
    }
    link.open += group.cells[entry.cell].count;
    link.open_bytes += bytes;
    if (group.opened != solve_) {
      group.opened = solve_;
      group.open = true;
      open_ += group.members;
      solved_.push_back(entry.group);
      for (const Cell& cell : group.cells) {
        if (cell.count > 0) {
          meet(cell.link);
        }
      }
    }
  }
}

void Filling::open_arrived(std::span<const std::uint32_t> arrived) {
  for (const std::uint32_t slot : arrived) {
    const Flow& flow = flows_[slot];
    const Hop* hops = flows_.hops(flow);
    for (std::uint32_t i = 0; i < flow.hop_count; ++i) {
      ++shares_[hops[i].link].open;
      shares_[hops[i].link].open_bytes += weight(flow.first_hop + i);
    }
  }
  open_ += static_cast<std::int64_t>(arrived.size());
}

void Filling::push(std::uint32_t index) {
  const LinkShare& link = shares_[index];
  heap_.push_back({link.residual / link.open_bytes, index});
  std::push_heap(heap_.begin(), heap_.end(), worse);
}

void Filling::fill() {
  heap_.clear();
  for (const std::uint32_t index : met_) {
    if (shares_[index].open > 0) {
      heap_.push_back({shares_[index].residual / shares_[index].open_bytes, index});
    }
  }
  std::make_heap(heap_.begin(), heap_.end(), worse);
  double level = 0;
  while (open_ > 0) {
    level = next_full_links(level);
    // Groups stay with their links where these fill, so that ties move no flow.
    for (const std::uint32_t link : full_) {
      if (open(shares_[link].group) && full(link, level)) {
        fix_group(link, level);
      }
    }
    for (const std::uint32_t link : full_) {
      if (full(link, level)) {
        take_over(link, level);
      } else if (shares_[link].open > 0) {
        push(link);
      }
    }
  }
}

bool Filling::full(std::uint32_t index, double level) {
  const LinkShare& link = shares_[index];
  return link.open > 0 && link.residual <= level * kSnap * link.open_bytes;
}

// Fills full_ with all links that are full at the next level, and returns the level. Shares only
// grow while others are fixed: a key that is too small goes back with its new value.
double Filling::next_full_links(double level) {
  full_.clear();
  while (!heap_.empty()) {
    const Candidate candidate = heap_.front();
    const LinkShare& link = shares_[candidate.link];
    if (!full_.empty() && candidate.share > level * kSnap) {
      break;
    }
    std::pop_heap(heap_.begin(), heap_.end(), worse);
    heap_.pop_back();
    if (link.open == 0) {
      continue;
    }
    const double share = link.residual / link.open_bytes;
    const double limit = full_.empty() && !heap_.empty() ? heap_.front().share : level * kSnap;
    if (share > candidate.share && share > limit && share > level * kSnap) {
      push(candidate.link);
      continue;
    }
    if (full_.empty() && share > level * kSnap) {
      level = share;
    }
    full_.push_back(candidate.link);
  }
  RINGSPAN_CHECK(!full_.empty(), "a flow is held by no link");
  RINGSPAN_CHECK(level > 0, "a flow has no share");
  return level;
}

void Filling::fix_group(std::uint32_t index, double level) {
  Group& group = shares_[index].group;
  for (std::size_t i = 0; i < group.cells.size(); ++i) {
    LinkShare& crossed = shares_[group.cells[i].link];
    const double bytes = groups_.bytes(group, i);
    crossed.open -= group.cells[i].count;
    crossed.open_bytes -= bytes;
    crossed.residual -= bytes * level;
  }
  open_ -= group.members;
  group.open = false;
  groups_.set_level(index, level, now_);
}

// The flows without a rate on a full link become its group's.
void Filling::take_over(std::uint32_t index, double level) {
  Group& own = shares_[index].group;
  if (open(own)) {
    fix_group(index, level);
  }
  if (shares_[index].open == 0) {
    return;
  }
  if (own.opened != solve_) {
    RINGSPAN_CHECK(own.members == 0, "a full link holds flows below the cut");
    own.opened = solve_;
    own.open = false;
    own.level = level;
    solved_.push_back(index);
  }
  groups_.prepare(index, now_, shares_[index].open);
  groups_.set_level(index, level, now_);
  const Strip& strip = links_[index].strip;
  for (const StripEntry* it = strip.begin(); it != strip.end(); ++it) {
    flows_.prefetch_paths(it, strip.end());
    const StripEntry& entry = *it;
    const Flow& flow = flows_[entry.slot];
    if (flow.held_by == index) {
      continue;
    }
    double remaining = flow.remaining;
    if (flow.held_by != kUnsolved) {
      if (!open(shares_[flow.held_by].group)) {
        continue;
      }
      remaining = groups_.leave(entry.slot, now_);
    }
    groups_.join(entry.slot, remaining);
    --open_;
    const Hop* hops = flows_.hops(flow);
    for (std::uint32_t i = 0; i < flow.hop_count; ++i) {
      LinkShare& crossed = shares_[hops[i].link];
      const double bytes = weight(flow.first_hop + i);
      --crossed.open;
      crossed.open_bytes -= bytes;
      crossed.residual -= bytes * level;
    }
  }
}

}  // namespace ringspan::fluid

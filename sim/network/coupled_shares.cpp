#include "sim/network/coupled_shares.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "sim/base/check.h"

namespace ringspan {
namespace {

// Shares within this ratio of the present level count as the level: what rounding leaves after
// a thousand subtractions must not split flows that are held alike.
constexpr double kSnap = 1e-9;
// Below this part of the load it began with, what subtractions left of a link's load is noise.
constexpr double kNoise = 1e-9;
// The cut lies this part below what was computed, for the same reason.
constexpr double kCutMargin = 1e-6;
// Up to so many flows, looking at all links for each of them costs less than a heap of the links.
constexpr std::size_t kFewFlows = 64;

}  // namespace

CoupledShares::CoupledShares(std::span<const NetworkLink> links)
    : links_(links.size()), filling_(links.size()) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    links_[i].capacity = to_bytes_per_picosecond(links[i].rate);
    RINGSPAN_CHECK(links_[i].capacity > 0, "a link needs a rate");
  }
}

void CoupledShares::attach(std::uint32_t slot, std::vector<SharedRow> rows, double limit) {
  if (slot >= flows_.size()) {
    flows_.resize(slot + 1);
  }
  Flow& flow = flows_[slot];
  RINGSPAN_CHECK(!flow.active, "the slot is in use");
  flow.rows = std::move(rows);
  flow.limit = limit;
  flow.share = 0;
  flow.active = true;
  ++active_flows_;
  for (std::uint32_t r = 0; r < flow.rows.size(); ++r) {
    SharedRow& row = flow.rows[r];
    std::vector<User>& users = links_[row.link].users;
    links_[row.link].all_load += row.load;
    row.place = static_cast<std::uint32_t>(users.size());
    users.push_back({slot, r});
  }
  touched_flows_.push_back(slot);
}

void CoupledShares::detach(std::uint32_t slot) {
  Flow& flow = flows_[slot];
  for (const SharedRow& row : flow.rows) {
    std::vector<User>& users = links_[row.link].users;
    const User moved = users.back();
    users[row.place] = moved;
    flows_[moved.slot].rows[moved.row].place = row.place;
    users.pop_back();
    if (users.empty()) {
      links_[row.link].all_load = 0;
    } else {
      links_[row.link].all_load -= row.load;
      touched_links_.push_back(row.link);
    }
  }
  if (flow.share > 0) {
    lower_cut(flow.share);
  }
  flow.active = false;
  --active_flows_;
  flow.rows = {};
}

void CoupledShares::lower_cut(double share) { cut_ = std::min(cut_, share * (1 - kCutMargin)); }

void CoupledShares::solve(std::vector<std::uint32_t>& changed) {
  for (const std::uint32_t slot : touched_flows_) {
    const Flow& flow = flows_[slot];
    for (const SharedRow& row : flow.rows) {
      lower_cut(links_[row.link].capacity / links_[row.link].all_load);
    }
    if (flow.active && flow.limit > 0) {
      lower_cut(flow.limit);
    }
  }
  for (const std::uint32_t link : touched_links_) {
    for (const User& user : links_[link].users) {
      touched_flows_.push_back(user.slot);
    }
  }
  const std::uint64_t before = search_;
  for (const std::uint32_t slot : touched_flows_) {
    const Flow& flow = flows_[slot];
    if (flow.active && flow.seen <= before && !below_cut(flow)) {
      solve_component(slot, changed);
    }
  }
  touched_links_.clear();
  touched_flows_.clear();
  cut_ = std::numeric_limits<double>::infinity();
}

void CoupledShares::solve_component(std::uint32_t first_slot, std::vector<std::uint32_t>& changed) {
  collect_component(first_slot);
  shares_before_.clear();
  for (const std::uint32_t slot : component_flows_) {
    shares_before_.push_back(flows_[slot].share);
  }
  if (links_are_shared_) {
    fill_component();
  } else {
    fill_one(first_slot);
  }
  for (std::size_t i = 0; i < component_flows_.size(); ++i) {
    if (flows_[component_flows_[i]].share != shares_before_[i]) {
      changed.push_back(component_flows_[i]);
    }
  }
}

void CoupledShares::visit(std::uint32_t slot) {
  if (flows_[slot].seen != search_) {
    flows_[slot].seen = search_;
    (below_cut(flows_[slot]) ? held_flows_ : component_flows_).push_back(slot);
  }
}

void CoupledShares::collect_component(std::uint32_t first_slot) {
  ++search_;
  component_flows_.clear();
  component_links_.clear();
  held_flows_.clear();
  links_are_shared_ = false;
  visit(first_slot);
  for (std::size_t i = 0; i < component_flows_.size(); ++i) {
    for (const SharedRow& row : flows_[component_flows_[i]].rows) {
      Link& link = links_[row.link];
      if (link.seen == search_) {
        continue;
      }
      link.seen = search_;
      component_links_.push_back(row.link);
      links_are_shared_ = links_are_shared_ || link.users.size() > 1;
      if (component_flows_.size() + held_flows_.size() == active_flows_) {
        continue;  // no others are there
      }
      for (const User& user : link.users) {
        visit(user.slot);
      }
    }
  }
}

// A flow alone on all its links needs no heap.
void CoupledShares::fill_one(std::uint32_t slot) {
  Flow& flow = flows_[slot];
  double share = flow.limit > 0 ? flow.limit : std::numeric_limits<double>::infinity();
  flow.bottleneck = kOwnLimit;
  for (const SharedRow& row : flow.rows) {
    const double here = links_[row.link].capacity / row.load;
    if (here < share) {
      share = here;
      flow.bottleneck = row.link;
    }
  }
  flow.share = share;
}

// Flow by flow, since their rows lie side by side in memory.
void CoupledShares::prepare_links() {
  for (const std::uint32_t link : component_links_) {
    filling_[link] = {links_[link].capacity, 0, 0, 0};
  }
  hold_flows_below_cut();
  for (const std::uint32_t slot : component_flows_) {
    for (const SharedRow& row : flows_[slot].rows) {
      filling_[row.link].load += row.load;
      ++filling_[row.link].open;
    }
  }
  for (const std::uint32_t link : component_links_) {
    filling_[link].load_at_first = filling_[link].load;
    if (!few_flows_) heap_.emplace_back(filling_[link].room / filling_[link].load, link);
  }
  if (few_flows_) {
    open_links_ = component_links_;
  } else {
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>{});
  }
}

void CoupledShares::hold_flows_below_cut() {
  for (const std::uint32_t slot : held_flows_) {
    Flow& flow = flows_[slot];
    flow.frozen = true;
    for (const SharedRow& row : flow.rows) {
      if (links_[row.link].seen != search_) continue;
      double& room = filling_[row.link].room;
      room = std::max(0.0, room - row.load * flow.share);
    }
  }
}

void CoupledShares::sum_load(std::uint32_t link) {
  double load = 0;
  for (const User& user : links_[link].users) {
    if (!flows_[user.slot].frozen) {
      load += flows_[user.slot].rows[user.row].load;
    }
  }
  filling_[link].load = load;
}

void CoupledShares::fill_component() {
  heap_.clear();
  limits_.clear();
  few_flows_ = component_flows_.size() <= kFewFlows;
  for (const std::uint32_t slot : component_flows_) {
    flows_[slot].frozen = false;
    if (flows_[slot].limit > 0) {
      limits_.emplace_back(flows_[slot].limit, slot);
    }
  }
  prepare_links();
  std::sort(limits_.begin(), limits_.end(), std::greater<>{});

  double level = 0;
  Key link;
  Key limit;
  for (;;) {
    const bool some_link = next_link(link);
    if (next_limit(limit) && (!some_link || limit.first <= link.first)) {
      level = std::max(level, limit.first);
      freeze(limit.second, limit.first, kOwnLimit);
      continue;
    }
    if (!some_link) {
      return;  // every flow has a row, so every flow is frozen
    }
    if (link.first > level * (1 + kSnap)) {
      level = link.first;
    }
    for (const User& user : links_[link.second].users) {
      if (!flows_[user.slot].frozen) {
        freeze(user.slot, level, link.second);
      }
    }
  }
}

// Of a link with open flows.
double CoupledShares::share_when_full(std::uint32_t link) {
  Filling& filling = filling_[link];
  if (filling.load < kNoise * filling.load_at_first) {
    sum_load(link);
  }
  return filling.room / filling.load;
}

// The link that fills next, the lowest of several.
bool CoupledShares::next_link_of_all(Key& key) {
  key = {std::numeric_limits<double>::infinity(), 0};
  std::size_t left = 0;
  for (const std::uint32_t link : open_links_) {
    if (filling_[link].open == 0) continue;
    open_links_[left++] = link;
    key = std::min(key, Key{share_when_full(link), link});
  }
  open_links_.resize(left);
  return left > 0;
}

// The same; puts keys back that have grown since they were made.
bool CoupledShares::next_link_of_heap(Key& key) {
  while (!heap_.empty()) {
    key = heap_.front();
    const bool open = filling_[key.second].open != 0;
    const double now = open ? share_when_full(key.second) : 0;
    if (open && now <= key.first) {
      return true;
    }
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>{});
    if (!open) {
      heap_.pop_back();
      continue;
    }
    heap_.back().first = now;
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>{});
  }
  return false;
}

bool CoupledShares::next_limit(Key& key) {
  while (!limits_.empty() && flows_[limits_.back().second].frozen) {
    limits_.pop_back();
  }
  if (limits_.empty()) {
    return false;
  }
  key = limits_.back();
  return true;
}

void CoupledShares::freeze(std::uint32_t slot, double level, std::int64_t bottleneck) {
  Flow& flow = flows_[slot];
  flow.frozen = true;
  flow.share = level;
  flow.bottleneck = bottleneck;
  for (const SharedRow& row : flow.rows) {
    Filling& link = filling_[row.link];
    link.room = std::max(0.0, link.room - row.load * level);
    link.load -= row.load;
    --link.open;
  }
}

}  // namespace ringspan

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
// Rounding up must not add a picosecond for the rounding error of a quotient.
constexpr double kTimeSlack = 1.0 / 1024;

std::int64_t finish_time(std::int64_t now, double remaining, double rate) {
  const double wait = remaining / rate - kTimeSlack;
  if (wait >= static_cast<double>(kNoTime - 1 - now)) {
    return kNoTime - 1;
  }
  auto whole = static_cast<std::int64_t>(wait);
  whole += static_cast<double>(whole) < wait ? 1 : 0;
  return now + std::max<std::int64_t>(whole, 1);
}

}  // namespace

void change_rate(Flow& flow, double rate, std::int64_t now) {
  if (rate == flow.rate) {
    return;
  }
  if (flow.updated != now) {
    const double moved = flow.rate * static_cast<double>(now - flow.updated);
    flow.remaining = std::max(flow.remaining - moved, 0.0);
    flow.updated = now;
  }
  flow.rate = rate;
  flow.finish = finish_time(now, flow.remaining, rate);
}

void Filling::solve(std::int64_t now, std::span<const std::uint32_t> seeds, double cut) {
  now_ = now;
  if (flows_.weighted()) {
    solve_component<true>(seeds, cut * kCutSlack);
  } else {
    solve_component<false>(seeds, cut * kCutSlack);
  }
}

template <bool Weighted>
void Filling::solve_component(std::span<const std::uint32_t> seeds, double cut) {
  ++solve_;
  touched_.clear();
  open_ = 0;
  for (const std::uint32_t link : seeds) {
    meet(link, cut);
  }
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    open_flows<Weighted>(touched_[i], cut);
  }
  fill<Weighted>();
}

void Filling::meet(std::uint32_t index, double cut) {
  Link& link = links_[index];
  if (link.solve == solve_) {
    return;
  }
  link.solve = solve_;
  link.residual = link.capacity;
  link.open_weight = 0;
  link.open = 0;
  if (link.level >= cut) {
    link.group_finish = kNoTime;
  }
  touched_.push_back(index);
}

template <bool Weighted>
void Filling::open_flows(std::uint32_t index, double cut) {
  Link& link = links_[index];
  for (const StripEntry& entry : link.strip) {
    Flow& flow = flows_[entry.slot];
    if (flow.phase == Phase::Sharing && (flow.rate >= cut || flow.held_by == kUnsolved)) {
      flow.phase = Phase::Filling;
      ++open_;
      const Hop* hops = flows_.hops(flow);
      for (std::size_t i = 0; i < flow.hop_count; ++i) {
        meet(hops[i].link, cut);
      }
    }
    const double bytes = weight<Weighted>(entry.hop);
    if (flow.phase == Phase::Filling) {
      ++link.open;
      link.open_weight += bytes;
    } else {
      link.residual -= bytes * flow.rate;
    }
  }
}

template <bool Weighted>
void Filling::fill() {
  heap_.clear();
  for (const std::uint32_t index : touched_) {
    const Link& link = links_[index];
    if (link.open_weight > 0) {
      heap_.push_back({link.residual / link.open_weight, index});
    }
  }
  std::make_heap(heap_.begin(), heap_.end(), worse);
  double level = 0;
  while (open_ > 0) {
    RINGSPAN_CHECK(!heap_.empty(), "a flow is held by no link");
    std::pop_heap(heap_.begin(), heap_.end(), worse);
    const Candidate candidate = heap_.back();
    heap_.pop_back();
    const Link& link = links_[candidate.link];
    if (link.open == 0) {
      continue;
    }
    // Shares only grow while others are fixed: a key that is too small goes back with its new one.
    const double share = link.residual / link.open_weight;
    if (share > level * kSnap) {
      if (share > candidate.share && !heap_.empty() && share > heap_.front().share) {
        heap_.push_back({share, candidate.link});
        std::push_heap(heap_.begin(), heap_.end(), worse);
        continue;
      }
      level = share;
    }
    RINGSPAN_CHECK(level > 0, "a flow has no share");
    freeze<Weighted>(candidate.link, level);
  }
}

template <bool Weighted>
void Filling::freeze(std::uint32_t index, double level) {
  Link& link = links_[index];
  std::int64_t finish = kNoTime;
  for (const StripEntry& entry : link.strip) {
    Flow& flow = flows_[entry.slot];
    if (flow.phase != Phase::Filling) {
      finish = flow.held_by == index ? std::min(finish, flow.finish) : finish;
      continue;
    }
    flow.phase = Phase::Sharing;
    flow.held_by = index;
    --open_;
    change_rate(flow, level, now_);
    finish = std::min(finish, flow.finish);
    const Hop* hops = flows_.hops(flow);
    for (std::uint32_t i = 0; i < flow.hop_count; ++i) {
      Link& crossed = links_[hops[i].link];
      const double bytes = weight<Weighted>(flow.first_hop + i);
      --crossed.open;
      crossed.open_weight -= bytes;
      crossed.residual -= bytes * level;
    }
  }
  link.level = level;
  link.group_finish = finish;
}

}  // namespace ringspan::fluid

// What a change of flows means for the shares: where a solve starts, and down to which level.

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/network/fluid_state.h"

namespace ringspan {

using fluid::Flow;
using fluid::Hop;
using fluid::kAlone;
using fluid::kNoTime;
using fluid::kUnsolved;
using fluid::Link;
using fluid::StripEntry;

Time FluidNetwork::State::next_event() {
  solve();
  if (under_way_ == 0) {
    drop_void_events();
    return kNever;
  }
  return queue_.next_time();
}

// Events that rate changes made void; the clock may jump over them while nothing is under way.
void FluidNetwork::State::drop_void_events() {
  due_.clear();
  while (!queue_.empty()) {
    queue_.pop_all(due_);
  }
  for (const Event& event : due_) {
    if (event.kind == kGroupEnd) {
      shares_[event.index].group.event_time = kNoTime;
    }
  }
}

void FluidNetwork::State::solve() {
  if (arrived_.empty() && departed_from_.empty()) {
    return;
  }
  const double cut = collect_seeds();
  if (seeds_.empty()) {
    arrived_.clear();
    return;
  }
  if (flows_.weighted() && !groups_.weighted()) {
    groups_.use_weights();
  }
  filling_.solve(now_, seeds_, arrived_, options_.refill_everything ? 0.0 : cut);
  arrived_.clear();
  queue_group_events();
}

// Finds the links from which the solve starts. Flows without company get their rate at once; the
// others stay in arrived_, as flows without a holder. Returns the cut.
double FluidNetwork::State::collect_seeds() {
  seeds_.clear();
  ++round_;
  std::size_t joining = 0;
  double cut = std::exchange(departed_rate_, std::numeric_limits<double>::infinity());
  for (std::size_t next = 0; next < arrived_.size(); ++next) {
    const std::uint32_t slot = arrived_[next];
    const Flow& flow = flows_[slot];
    if (alone(flow)) {
      run_alone(slot);
      continue;
    }
    arrived_[joining++] = slot;
    const Hop* hops = flows_.hops(flow);
    for (std::uint32_t i = 0; i < flow.hop_count; ++i) {
      Link& link = links_[hops[i].link];
      if (link.alone != fluid::kNoSlot) {
        end_alone(link.alone);
      }
      if (add_seed(hops[i].link)) {
        cut = std::min(cut, highest_untouched_level(link));
      }
    }
  }
  for (const std::uint32_t index : departed_from_) {
    Link& link = links_[index];
    link.departed_from = false;
    if (link.strip.size() == 1 && alone(flows_[link.strip.begin()->slot])) {
      run_alone(link.strip.begin()->slot);
    } else if (link.strip.size() > 0) {
      add_seed(index);
    }
  }
  arrived_.resize(joining);
  departed_from_.clear();
  return cut;
}

// Returns whether the link is new among the seeds.
bool FluidNetwork::State::add_seed(std::uint32_t link) {
  if (links_[link].seeded == round_) {
    return false;
  }
  links_[link].seeded = round_;
  seeds_.push_back(link);
  return true;
}

// The flow has got company: it is as one that arrives now.
void FluidNetwork::State::end_alone(std::uint32_t slot) {
  Flow& flow = flows_[slot];
  const fluid::Lone& lone = lone_of(flow);
  const double moved = lone.rate * static_cast<double>(now_ - lone.updated);
  flow.remaining = std::max(flow.remaining - moved, 0.0);
  flow.held_by = kUnsolved;
  const Hop* hops = flows_.hops(flow);
  for (std::uint32_t i = 0; i < flow.hop_count; ++i) {
    links_[hops[i].link].alone = fluid::kNoSlot;
  }
  arrived_.push_back(slot);
}

// Until the common rate of its flows is there, the link cannot be full.
double FluidNetwork::State::highest_untouched_level(const Link& link) {
  if (!flows_.weighted()) {
    return link.capacity / link.strip.size();
  }
  double weight = 0;
  for (const StripEntry& entry : link.strip) {
    weight += flows_.weight(entry.hop);
  }
  return link.capacity / weight;
}

bool FluidNetwork::State::alone(const Flow& flow) {
  const Hop* hops = flows_.hops(flow);
  for (std::uint32_t i = 0; i < flow.hop_count; ++i) {
    if (links_[hops[i].link].strip.size() != 1) {
      return false;
    }
  }
  return true;
}

void FluidNetwork::State::run_alone(std::uint32_t slot) {
  Flow& flow = flows_[slot];
  if (flow.held_by == kAlone) {
    return;  // its rate cannot have changed
  }
  if (flow.held_by != kUnsolved) {
    flow.remaining = groups_.leave(slot, now_);
  }
  flow.held_by = kAlone;
  double rate = std::numeric_limits<double>::infinity();
  const bool weighted = flows_.weighted();
  const Hop* hops = flows_.hops(flow);
  for (std::uint32_t i = 0; i < flow.hop_count; ++i) {
    Link& link = links_[hops[i].link];
    const double capacity = link.capacity;
    rate = std::min(rate, weighted ? capacity / flows_.weight(flow.first_hop + i) : capacity);
    link.alone = slot;
  }
  const std::int64_t finish = fluid::finish_time(now_, flow.remaining, rate);
  lone_of(flow) = {rate, now_, finish};
  queue_.push(instant(finish), {kAloneEnd, slot});
}

void FluidNetwork::State::queue_group_events() {
  for (const std::uint32_t index : filling_.solved()) {
    groups_.update_finish(index);
    fluid::Group& group = shares_[index].group;
    if (group.finish < group.event_time) {
      group.event_time = group.finish;
      queue_.push(instant(group.finish), {kGroupEnd, index});
    }
  }
}

}  // namespace ringspan

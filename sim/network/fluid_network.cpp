#include "sim/network/fluid_network.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/check.h"
#include "sim/network/fluid_state.h"

namespace ringspan {

using fluid::Flow;
using fluid::Hop;
using fluid::kAlone;
using fluid::kNoTime;
using fluid::kUnsolved;
using fluid::Link;
using fluid::Phase;

namespace {

std::int64_t count_of(Time time) { return time.time_since_epoch().count(); }

}  // namespace

void FluidNetwork::State::start(std::int64_t now, const FlowStart& start) {
  now_ = now;
  RINGSPAN_CHECK(start.size.count > 0, "a flow needs a size");
  RINGSPAN_CHECK(!start.links.empty(), "a flow needs a path");
  RINGSPAN_CHECK(start.weights.empty() || start.weights.size() == start.links.size(),
                 "a flow needs one weight per link");
  RINGSPAN_CHECK(start.stages.empty() || start.stages.size() == start.links.size(),
                 "a flow needs one stage per link");
  for (const std::uint32_t link : start.links) {
    RINGSPAN_CHECK(link < links_.size() && links_[link].capacity > 0,
                   "a flow needs links that can carry it");
  }
  for (const float weight : start.weights) {
    RINGSPAN_CHECK(weight > 0 && std::isfinite(weight), "a weight must be positive");
  }
  const std::uint32_t slot = flows_.take(start);
  Flow& flow = flows_[slot];
  flow.remaining = static_cast<double>(start.size.count);
  flow.number = started_++;
  flow.latency = path_latency(start);
  flow.tag = start.tag;
  flow.notify_sent = start.notify_sent;
  ++under_way_;
  if (options_.latency_order == LatencyOrder::BeforeTransmission && flow.latency > 0) {
    flow.phase = Phase::Waiting;
    queue_.push(instant(now + flow.latency), {kShare, slot});
  } else {
    put_on_links(slot);
  }
}

std::int64_t FluidNetwork::State::path_latency(const FlowStart& start) const {
  std::int64_t latency = start.extra_latency.count();
  std::int64_t stage = 0;  // the longest of the stage so far
  for (std::size_t i = 0; i < start.links.size(); ++i) {
    if (i > 0 && (start.stages.empty() || start.stages[i] != start.stages[i - 1])) {
      latency += stage;
      stage = 0;
    }
    stage = std::max(stage, links_[start.links[i]].latency);
  }
  return latency + stage;
}

void FluidNetwork::State::put_on_links(std::uint32_t slot) {
  Flow& flow = flows_[slot];
  flow.phase = Phase::Sharing;
  flow.held_by = kUnsolved;
  Hop* hops = flows_.hops(flow);
  for (std::uint32_t i = 0; i < flow.hop_count; ++i) {
    hops[i].position = links_[hops[i].link].strip.push({slot, flow.first_hop + i});
  }
  arrived_.push_back(slot);
}

// `freed` is the rate that the flow had.
void FluidNetwork::State::take_off_links(std::uint32_t slot, double freed) {
  const Flow& flow = flows_[slot];
  if (flow.held_by != kAlone && flow.held_by != kUnsolved) {
    groups_.leave(slot, now_);
  }
  const Hop* hops = flows_.hops(flow);
  for (std::uint32_t i = 0; i < flow.hop_count; ++i) {
    Link& link = links_[hops[i].link];
    link.strip.remove(hops[i].position, flows_);
    link.alone = fluid::kNoSlot;
    if (link.strip.size() == 0) {
      continue;
    }
    departed_rate_ = std::min(departed_rate_, freed);
    if (!link.departed_from) {
      link.departed_from = true;
      departed_from_.push_back(hops[i].link);
    }
  }
}

void FluidNetwork::State::advance(std::int64_t now, std::vector<FlowEvent>& events) {
  if (queue_.empty() || count_of(queue_.next_time()) > now) {
    return;
  }
  solve();
  now_ = now;
  due_.clear();
  outcomes_.clear();
  while (!queue_.empty() && count_of(queue_.next_time()) <= now) {
    queue_.pop_all(due_);
  }
  processed_ += static_cast<std::int64_t>(due_.size());
  for (const Event& event : due_) {
    handle(event);
  }
  order_outcomes();
  for (const Outcome& outcome : outcomes_) {
    events.push_back({flows_[outcome.slot].tag, outcome.kind});
  }
}

// In the order of start; Sent before Delivered.
void FluidNetwork::State::order_outcomes() {
  const auto key = [this](const Outcome& outcome) {
    const std::uint64_t kind = outcome.kind == FlowEventKind::Sent ? 0 : 1;
    return 2 * flows_[outcome.slot].number + kind;
  };
  const auto earlier = [&](const Outcome& a, const Outcome& b) { return key(a) < key(b); };
  if (std::is_sorted(outcomes_.begin(), outcomes_.end(), earlier)) {
    return;
  }
  const auto [first, last] = std::minmax_element(outcomes_.begin(), outcomes_.end(), earlier);
  const std::uint64_t lowest = key(*first);
  const std::uint64_t range = key(*last) - lowest + 1;
  if (range > 4 * outcomes_.size()) {
    std::sort(outcomes_.begin(), outcomes_.end(), earlier);
    return;
  }
  // Keys are distinct and dense: each outcome goes straight to its place.
  places_.assign(range, {fluid::kNoSlot, FlowEventKind::Sent});
  for (const Outcome& outcome : outcomes_) {
    places_[key(outcome) - lowest] = outcome;
  }
  std::copy_if(places_.begin(), places_.end(), outcomes_.begin(),
               [](const Outcome& place) { return place.slot != fluid::kNoSlot; });
}

void FluidNetwork::State::handle(const Event& event) {
  switch (event.kind) {
    case kShare:
      put_on_links(event.index);
      break;
    case kAloneEnd: {
      const Flow& flow = flows_[event.index];
      if (flow.phase == Phase::Sharing && flow.held_by == kAlone && flow.finish == now_) {
        transmitted(event.index, flow.rate);
      }
      break;
    }
    case kGroupEnd:
      end_group(event.index);
      break;
    default:
      delivered(event.index);
      break;
  }
}

void FluidNetwork::State::end_group(std::uint32_t index) {
  fluid::Group& group = links_[index].group;
  if (group.event_time != now_) {
    return;
  }
  group.event_time = kNoTime;
  if (group.finish == now_) {
    const double freed = group.level;
    ending_.clear();
    groups_.take_ending(index, now_, ending_);
    for (const std::uint32_t slot : ending_) {
      if (flows_[slot].phase == Phase::Sharing) {
        transmitted(slot, freed);
      }
    }
  } else if (group.finish != kNoTime) {
    // The group was slowed down after this event was queued.
    group.event_time = group.finish;
    queue_.push(instant(group.finish), {kGroupEnd, index});
  }
}

void FluidNetwork::State::transmitted(std::uint32_t slot, double freed) {
  take_off_links(slot, freed);
  Flow& flow = flows_[slot];
  flow.phase = Phase::Arriving;
  if (flow.notify_sent) {
    outcomes_.push_back({slot, FlowEventKind::Sent});
  }
  if (options_.latency_order == LatencyOrder::AfterTransmission && flow.latency > 0) {
    queue_.push(instant(now_ + flow.latency), {kArrive, slot});
  } else {
    delivered(slot);
  }
}

void FluidNetwork::State::delivered(std::uint32_t slot) {
  outcomes_.push_back({slot, FlowEventKind::Delivered});
  flows_.release(slot);
  --under_way_;
}

std::vector<FluidFlowState> FluidNetwork::State::transmitting() {
  solve();
  std::vector<const Flow*> found;
  for (std::uint32_t slot = 0; slot < flows_.size(); ++slot) {
    if (flows_[slot].phase == Phase::Sharing) {
      found.push_back(&flows_[slot]);
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Flow* a, const Flow* b) { return a->number < b->number; });
  std::vector<FluidFlowState> states;
  for (const Flow* flow : found) {
    if (flow->held_by == kAlone) {
      states.push_back({flow->tag, flow->remaining, flow->rate, -1, instant(flow->finish)});
      continue;
    }
    const fluid::Group& group = links_[flow->held_by].group;
    const double remaining = flow->remaining - group.progress;
    states.push_back({flow->tag, remaining, group.level, std::int64_t{flow->held_by},
                      instant(fluid::finish_time(group.settled, remaining, group.level))});
  }
  return states;
}

FluidNetwork::FluidNetwork(std::span<const NetworkLink> links, FluidOptions options)
    : state_(std::make_unique<State>(links, options)) {}
FluidNetwork::~FluidNetwork() = default;
FluidNetwork::FluidNetwork(FluidNetwork&&) noexcept = default;
FluidNetwork& FluidNetwork::operator=(FluidNetwork&&) noexcept = default;

void FluidNetwork::start(Time now, std::span<const FlowStart> flows) {
  for (const FlowStart& flow : flows) {
    state_->start(count_of(now), flow);
  }
}
Time FluidNetwork::next_event() { return state_->next_event(); }
void FluidNetwork::advance(Time now, std::vector<FlowEvent>& events) {
  state_->advance(count_of(now), events);
}
std::int64_t FluidNetwork::flows_under_way() const { return state_->under_way(); }
std::int64_t FluidNetwork::events_processed() const { return state_->processed(); }
std::vector<FluidFlowState> FluidNetwork::transmitting() { return state_->transmitting(); }

}  // namespace ringspan

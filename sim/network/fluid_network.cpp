#include "sim/network/fluid_network.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"
#include "sim/network/fluid_state.h"

namespace ringspan {

using fluid::Flow;
using fluid::Hop;
using fluid::kAlone;
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
  flow.tag = start.tag;
  flow.notify_sent = start.notify_sent;
  ++under_way_;
  const std::int64_t latency = path_latency(start);
  if (options_.latency_order == LatencyOrder::AfterTransmission) {
    flows_.set_latency(slot, latency);
  } else if (latency > 0) {
    wait(slot, now + latency);
    return;
  }
  put_on_links(slot);
}

std::int64_t FluidNetwork::State::path_latency(const FlowStart& start) const {
  std::int64_t latency = start.extra_latency.count();
  if (start.stages.empty()) {
    for (const std::uint32_t link : start.links) {
      latency += links_[link].latency;
    }
    return latency;
  }
  std::int64_t stage = 0;  // the longest of the stage so far
  for (std::size_t i = 0; i < start.links.size(); ++i) {
    if (i > 0 && start.stages[i] != start.stages[i - 1]) {
      latency += stage;
      stage = 0;
    }
    stage = std::max(stage, links_[start.links[i]].latency);
  }
  return latency + stage;
}

void FluidNetwork::State::wait(std::uint32_t slot, std::int64_t until) {
  flows_[slot].phase = Phase::Waiting;
  if (until == run_.until && slot == run_.end && queue_.pushed() == run_.pushed) {
    ++run_.end;
    flows_[run_.first].held_by = run_.end;
    return;
  }
  queue_.push(instant(until), {kShare, slot});
  run_ = {until, slot, slot + 1, queue_.pushed()};
  flows_[slot].held_by = run_.end;
}

void FluidNetwork::State::end_wait(std::uint32_t first) {
  const std::uint32_t end = flows_[first].held_by;
  for (std::uint32_t slot = first; slot < end; ++slot) {
    put_on_links(slot);
  }
  processed_ += end - first - 1;  // each flow's end of waiting is an event
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
      const fluid::Lone& lone = lone_of(*flow);
      states.push_back({flow->tag, flow->remaining, lone.rate, -1, instant(lone.finish)});
      continue;
    }
    const fluid::Group& group = shares_[flow->held_by].group;
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

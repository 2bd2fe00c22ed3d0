#include "sim/network/fluid_network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/check.h"
#include "sim/engine/event_queue.h"
#include "sim/network/fluid_filling.h"
#include "sim/network/fluid_flows.h"
#include "sim/network/fluid_groups.h"
#include "sim/network/fluid_links.h"

namespace ringspan {
namespace {

using fluid::Flow;
using fluid::Hop;
using fluid::kAlone;
using fluid::kNoTime;
using fluid::kUnsolved;
using fluid::Link;
using fluid::Phase;
using fluid::StripEntry;

enum EventKind : std::uint32_t {
  kShare,     // index = slot: the latency is over, the flow goes on its links
  kAloneEnd,  // index = slot: void unless the flow is still alone and ends now
  kGroupEnd,  // index = link: void unless its group ends now
  kArrive,    // index = slot: the last byte is there
};

Time instant(std::int64_t count) { return kTimeZero + picoseconds(count); }
std::int64_t count_of(Time time) { return time.time_since_epoch().count(); }

}  // namespace

class FluidNetwork::State {
 public:
  State(std::span<const NetworkLink> links, FluidOptions options)
      : options_(options),
        links_(fluid::make_links(links)),
        groups_(flows_, links_),
        filling_(flows_, links_, groups_) {}

  void start(std::int64_t now, const FlowStart& start);
  Time next_event();
  void advance(std::int64_t now, std::vector<FlowEvent>& events);
  std::vector<FluidFlowState> transmitting();

  std::int64_t under_way() const { return under_way_; }
  std::int64_t processed() const { return processed_; }

 private:
  struct Outcome {
    std::uint32_t slot;
    FlowEventKind kind;
  };

  std::int64_t path_latency(const FlowStart& start) const;
  void handle(const Event& event);
  void put_on_links(std::uint32_t slot);
  void take_off_links(std::uint32_t slot, double freed);
  void end_group(std::uint32_t link);
  void transmitted(std::uint32_t slot, double freed);
  void delivered(std::uint32_t slot);
  void order_outcomes();
  void solve();
  double collect_seeds();
  bool alone(const Flow& flow);
  void run_alone(std::uint32_t slot);
  void end_alone(std::uint32_t slot);
  bool add_seed(std::uint32_t link);
  double highest_untouched_level(const Link& link);
  void queue_group_events();
  void drop_void_events();

  FluidOptions options_;
  fluid::FlowTable flows_;
  std::vector<Link> links_;
  fluid::Groups groups_;
  fluid::Filling filling_;
  EventQueue queue_;
  std::vector<Event> due_;
  std::vector<Outcome> outcomes_;
  std::vector<Outcome> places_;
  std::vector<std::uint32_t> ending_;  // slots
  // Changes since the last solve.
  std::vector<std::uint32_t> arrived_;        // slots
  std::vector<std::uint32_t> departed_from_;  // links that still carry flows
  double departed_rate_ = std::numeric_limits<double>::infinity();
  std::vector<std::uint32_t> seeds_;
  std::vector<std::uint32_t> joining_;  // arrived slots that share a link
  std::uint32_t round_ = 0;             // of collecting seeds
  std::int64_t now_ = 0;
  std::uint64_t started_ = 0;
  std::int64_t under_way_ = 0;
  std::int64_t processed_ = 0;
};

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
      links_[event.index].group.event_time = kNoTime;
    }
  }
}

void FluidNetwork::State::solve() {
  if (arrived_.empty() && departed_from_.empty()) {
    return;
  }
  const double cut = collect_seeds();
  if (seeds_.empty()) {
    return;
  }
  if (flows_.weighted() && !groups_.weighted()) {
    groups_.use_weights();
  }
  filling_.solve(now_, seeds_, joining_, options_.refill_everything ? 0.0 : cut);
  queue_group_events();
}

// Links from which the solve starts, and the flows without a holder; flows without company get
// their rate at once. Returns the cut.
double FluidNetwork::State::collect_seeds() {
  seeds_.clear();
  joining_.clear();
  ++round_;
  double cut = std::exchange(departed_rate_, std::numeric_limits<double>::infinity());
  for (std::size_t next = 0; next < arrived_.size(); ++next) {
    const std::uint32_t slot = arrived_[next];
    const Flow& flow = flows_[slot];
    if (alone(flow)) {
      run_alone(slot);
      continue;
    }
    joining_.push_back(slot);
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
  arrived_.clear();
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
  const double moved = flow.rate * static_cast<double>(now_ - flow.updated);
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
  flow.rate = std::numeric_limits<double>::infinity();
  const Hop* hops = flows_.hops(flow);
  for (std::uint32_t i = 0; i < flow.hop_count; ++i) {
    Link& link = links_[hops[i].link];
    const double weight = flows_.weighted() ? flows_.weight(flow.first_hop + i) : 1.0;
    flow.rate = std::min(flow.rate, link.capacity / weight);
    link.alone = slot;
  }
  flow.updated = now_;
  flow.finish = fluid::finish_time(now_, flow.remaining, flow.rate);
  queue_.push(instant(flow.finish), {kAloneEnd, slot});
}

void FluidNetwork::State::queue_group_events() {
  for (const std::uint32_t index : filling_.solved()) {
    groups_.update_finish(index);
    fluid::Group& group = links_[index].group;
    if (group.finish < group.event_time) {
      group.event_time = group.finish;
      queue_.push(instant(group.finish), {kGroupEnd, index});
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

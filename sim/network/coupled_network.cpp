#include "sim/network/coupled_network.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/simulated_time.h"
#include "sim/network/coupled_shares.h"

namespace ringspan {
namespace {

// Ends are rounded up to a picosecond. What lies less than this above one is the rounding of the
// doubles, not work left to do.
constexpr double kSlackPicoseconds = 1.0 / 1024;

struct Progress {
  FlowTag tag = 0;
  std::uint64_t order = 0;  // of start; tells the users of a slot apart
  double steps_left = 0;    // at `updated`
  double slice_bytes = 0;
  double slices_per_step = 1;
  double latency = 0;  // picoseconds
  double period = 0;   // picoseconds per step; 0: no share yet
  Time updated;
  Time end = kNever;
  bool active = false;
};

struct End {
  Time time;
  std::uint64_t order = 0;
  std::uint32_t slot = 0;
};

bool later(const End& a, const End& b) {
  return std::tie(a.time, a.order) > std::tie(b.time, b.order);
}

std::vector<SharedRow> shared_rows(const CoupledFlow& flow) {
  const double bytes_at_share = flow.slice_bytes * flow.slices_per_step;
  std::vector<SharedRow> rows;
  rows.reserve(flow.rows.size());
  for (const CoupledRow& row : flow.rows) {
    RINGSPAN_CHECK(row.bytes >= 0 && row.multiplicity > 0, "a row needs bytes and flows");
    if (row.bytes > 0) {
      rows.push_back({.link = row.link, .load = row.bytes / bytes_at_share});
    }
  }
  RINGSPAN_CHECK(!rows.empty(), "a coupled flow needs a row with bytes");
  return rows;
}

// One slice after the other at share x, or a step's latency and one slice, whichever is longer.
double step_period(const Progress& flow, double share) {
  const double slice = flow.slice_bytes / share;
  return std::max(flow.slices_per_step * slice, slice + flow.latency);
}

Duration rounded_up(double picoseconds_left) {
  const Duration up = simulated_duration(std::ceil(picoseconds_left - kSlackPicoseconds));
  return std::max(Duration{1}, up);
}

}  // namespace

struct CoupledNetwork::State {
  explicit State(std::span<const NetworkLink> links) : shares(links), link_count(links.size()) {}

  std::uint32_t take_slot();
  void start(Time at, const CoupledFlow& flow);
  void settle();
  void reprice(std::uint32_t slot);
  void drop_stale_ends();
  bool due(const End& end) const {
    const Progress& flow = flows[end.slot];
    return flow.active && flow.order == end.order && flow.end == end.time;
  }
  void end_due_flows(std::vector<FlowTag>& ended);
  std::uint32_t slot_of(FlowTag tag);

  CoupledShares shares;
  std::size_t link_count;
  std::vector<Progress> flows;
  std::vector<std::uint32_t> free_slots;
  std::unordered_map<FlowTag, std::uint32_t> slots;  // looked up, never walked
  std::vector<End> ends;                             // heap; may hold ends that no longer hold
  std::vector<std::uint32_t> changed;
  Time now = kTimeZero;
  bool unsettled = false;
  std::uint64_t started = 0;
  std::int64_t events = 0;
};

std::uint32_t CoupledNetwork::State::take_slot() {
  if (free_slots.empty()) {
    flows.emplace_back();
    return static_cast<std::uint32_t>(flows.size() - 1);
  }
  const std::uint32_t slot = free_slots.back();
  free_slots.pop_back();
  return slot;
}

void CoupledNetwork::State::start(Time at, const CoupledFlow& flow) {
  RINGSPAN_CHECK(at >= now, "a flow must not start in the past");
  RINGSPAN_CHECK(flow.steps > 0 && flow.slice_bytes > 0 && flow.slices_per_step > 0,
                 "steps and slices must be positive");
  RINGSPAN_CHECK(flow.rate_limit >= 0 && flow.step_latency >= Duration::zero(),
                 "a limit or a latency must not be negative");
  for (const CoupledRow& row : flow.rows) {
    RINGSPAN_CHECK(row.link < link_count, "a row names a link that is not there");
  }
  if (at != now) {
    settle();
  }
  now = at;
  const std::uint32_t slot = take_slot();
  RINGSPAN_CHECK(slots.emplace(flow.tag, slot).second, "the tag is in use");
  Progress& progress = flows[slot];
  progress = {};
  progress.tag = flow.tag;
  progress.order = started++;
  progress.steps_left = flow.steps;
  progress.slice_bytes = flow.slice_bytes;
  progress.slices_per_step = flow.slices_per_step;
  progress.latency = static_cast<double>(flow.step_latency.count());
  progress.updated = at;
  progress.active = true;
  shares.attach(slot, shared_rows(flow), flow.rate_limit);
  unsettled = true;
}

// Brings shares, periods and ends up to date with all that changed at `now`.
void CoupledNetwork::State::settle() {
  if (!unsettled) {
    return;
  }
  unsettled = false;
  changed.clear();
  shares.solve(changed);
  for (const std::uint32_t slot : changed) {
    reprice(slot);
  }
  if (ends.size() > 4 * slots.size() + 64) {
    std::erase_if(ends, [this](const End& end) { return !due(end); });
    std::make_heap(ends.begin(), ends.end(), later);
  }
}

void CoupledNetwork::State::reprice(std::uint32_t slot) {
  Progress& flow = flows[slot];
  const double period = step_period(flow, shares.share(slot));
  if (period == flow.period) {
    return;  // bound by latency before and after
  }
  if (flow.period > 0) {
    flow.steps_left -= static_cast<double>((now - flow.updated).count()) / flow.period;
  }
  flow.updated = now;
  flow.period = period;
  flow.end = now + rounded_up(flow.steps_left * period);
  ends.push_back({flow.end, flow.order, slot});
  std::push_heap(ends.begin(), ends.end(), later);
}

void CoupledNetwork::State::drop_stale_ends() {
  while (!ends.empty() && !due(ends.front())) {
    std::pop_heap(ends.begin(), ends.end(), later);
    ends.pop_back();
  }
}

// The heap gives the ends of one instant in the order of starts. No share is solved in between:
// what ends together leaves together.
void CoupledNetwork::State::end_due_flows(std::vector<FlowTag>& ended) {
  for (; !ends.empty() && ends.front().time == now; drop_stale_ends()) {
    const std::uint32_t slot = ends.front().slot;
    flows[slot].active = false;
    ended.push_back(flows[slot].tag);
    slots.erase(flows[slot].tag);
    free_slots.push_back(slot);
    shares.detach(slot);
    unsettled = true;
    ++events;
  }
}

std::uint32_t CoupledNetwork::State::slot_of(FlowTag tag) {
  settle();
  const auto found = slots.find(tag);
  RINGSPAN_CHECK(found != slots.end(), "no flow of this tag is under way");
  return found->second;
}

CoupledNetwork::CoupledNetwork(std::span<const NetworkLink> links)
    : state_(std::make_unique<State>(links)) {}
CoupledNetwork::~CoupledNetwork() = default;
CoupledNetwork::CoupledNetwork(CoupledNetwork&&) noexcept = default;
CoupledNetwork& CoupledNetwork::operator=(CoupledNetwork&&) noexcept = default;

void CoupledNetwork::start(Time now, const CoupledFlow& flow) { state_->start(now, flow); }

Time CoupledNetwork::next_event() {
  state_->settle();
  state_->drop_stale_ends();
  return state_->ends.empty() ? kNever : state_->ends.front().time;
}

void CoupledNetwork::advance(Time now, std::vector<FlowTag>& ended) {
  const Time next = next_event();
  RINGSPAN_CHECK(now >= state_->now && now <= next, "the clock must not skip an event");
  state_->now = now;
  state_->end_due_flows(ended);
}

double CoupledNetwork::share(FlowTag tag) { return state_->shares.share(state_->slot_of(tag)); }

double CoupledNetwork::period_picoseconds(FlowTag tag) {
  return state_->flows[state_->slot_of(tag)].period;
}

std::int64_t CoupledNetwork::bottleneck(FlowTag tag) {
  return state_->shares.bottleneck(state_->slot_of(tag));
}

std::int64_t CoupledNetwork::events_processed() const { return state_->events; }

}  // namespace ringspan

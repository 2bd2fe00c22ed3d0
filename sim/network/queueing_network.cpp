#include "sim/network/queueing_network.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/input_error.h"
#include "sim/network/queueing_state.h"

namespace ringspan {
namespace {

// Service times are rounded up to a picosecond; what lies less than this above one is the rounding
// of the doubles.
constexpr double kSlackPicoseconds = 1.0 / 1024;
// An end and, on top, a service and two latencies below these stay within int64.
constexpr std::int64_t kLatestEnd = 7'000'000'000'000'000'000;
constexpr std::int64_t kLongestPart = 500'000'000'000'000'000;

std::int64_t ticks(Time time) { return time.time_since_epoch().count(); }
Time time_of(std::int64_t ticks) { return Time{Duration{ticks}}; }

[[noreturn]] void refuse_long_time() {
  throw InputError("the simulated time grows past 80 days",
                   "raise the slowest bandwidth or lower the size");
}

std::int64_t service(double picoseconds_per_byte, const SegmentHop& hop, double bytes) {
  const double exact =
      bytes * static_cast<double>(hop.weight) * picoseconds_per_byte - kSlackPicoseconds;
  const auto below = static_cast<std::int64_t>(exact);
  return std::max<std::int64_t>(1, below + (static_cast<double>(below) < exact ? 1 : 0));
}

}  // namespace

QueueingNetwork::State::State(std::span<const NetworkLink> links, const QueueingOptions& options)
    : segment_(static_cast<double>(options.segment.count)),
      segment_bytes_(options.segment.count),
      links_(links.size()) {
  RINGSPAN_CHECK(segment_bytes_ > 0, "a segment needs bytes");
  RINGSPAN_CHECK(options.link_credits.empty() || options.link_credits.size() == links.size(),
                 "one number of credits per link");
  shortest_latency_ = links.empty() ? 0 : kLongestPart;
  for (std::size_t i = 0; i < links.size(); ++i) {
    Link& link = links_[i];
    RINGSPAN_CHECK(links[i].rate.bits_per_second > 0, "a link needs a rate");
    link.picoseconds_per_byte = 8e12 / static_cast<double>(links[i].rate.bits_per_second);
    link.latency = links[i].latency.count();
    RINGSPAN_CHECK(link.latency >= 0, "a latency must not be negative");
    if (link.latency > kLongestPart) {
      refuse_long_time();
    }
    shortest_latency_ = std::min(shortest_latency_, link.latency);
    const std::uint32_t places =
        options.link_credits.empty() ? options.credits : options.link_credits[i];
    if (places > 0) {
      link.buffer = static_cast<std::uint32_t>(buffers_.size());
      buffers_.emplace_back(places);
    }
  }
}

void QueueingNetwork::State::start(std::int64_t now, const FlowStart& start) {
  RINGSPAN_CHECK(start.size.count > 0, "a flow needs bytes");
  RINGSPAN_CHECK(
      start.extra_latency >= Duration::zero() && start.extra_latency.count() < kLongestPart,
      "no latency of this length");
  std::uint32_t index = 0;
  if (free_flows_.empty()) {
    index = static_cast<std::uint32_t>(flows_.size());
    flows_.emplace_back();
  } else {
    index = free_flows_.back();
    free_flows_.pop_back();
  }
  Flow& flow = flows_[index];
  flow = {};
  flow.tag = start.tag;
  flow.order = started_++;
  flow.unsent = start.size.count;
  flow.extra = start.extra_latency.count();
  flow.last_bytes = static_cast<double>((start.size.count - 1) % segment_bytes_ + 1);
  flow.path = paths_.add(start, links_.size());
  flow.notify_sent = start.notify_sent;
  flow.several_sources = hop(flow, 0).ends_stage == 0;
  for (std::uint32_t i = 0; i < flow.path.hops; ++i) {
    const double longest = segment_ * static_cast<double>(hop(flow, i).weight) *
                           links_[hop(flow, i).link].picoseconds_per_byte;
    if (longest > static_cast<double>(kLongestPart)) {
      refuse_long_time();
    }
  }
  ++under_way;
  sent_to_come_ += start.notify_sent ? 1 : 0;
  join_sources(index, now);
}

// Flows that start at one instant all join before the link takes the first segment: the link is
// asked by an event of this instant.
void QueueingNetwork::State::join_sources(std::uint32_t index, std::int64_t now) {
  const std::uint32_t first = hop(flows_[index], 0).link;
  Link& link = links_[first];
  flows_[index].next_source = kNoIndex;
  if (link.first_source == kNoIndex) {
    link.first_source = index;
  } else {
    flows_[link.last_source].next_source = index;
  }
  link.last_source = index;
  post_inject(first, now);
}

void QueueingNetwork::State::post_inject(std::uint32_t index, std::int64_t now) {
  Link& link = links_[index];
  if (link.first_source == kNoIndex || link.injecting || link.inject_posted) {
    return;
  }
  link.inject_posted = true;
  post(std::max(now, link.source_free), kInject, index);
}

void QueueingNetwork::State::inject(std::uint32_t index, std::int64_t now) {
  Link& link = links_[index];
  const std::uint32_t source = link.first_source;
  Flow& flow = flows_[source];
  link.inject_posted = false;
  link.injecting = true;
  link.first_source = flow.next_source;
  const bool last = flow.unsent <= segment_bytes_;
  flow.unsent -= segment_bytes_;
  if (!last && !flow.several_sources) {
    join_sources(source, now);
  }
  cross(source, 0, last, now);
}

void QueueingNetwork::State::move_to(std::int64_t now) {
  RINGSPAN_CHECK(now >= now_, "the clock must not run backwards");
  now_ = now;
  run_until(now - 1);
}

void QueueingNetwork::State::run_until(std::int64_t last) {
  Time time;
  Event event;
  while (calendar_.pop(time_of(last), time, event)) {
    ++events;
    const std::uint32_t kind = event.kind & 3U;
    if (kind == kInject) {
      inject(event.index, ticks(time));
    } else if (kind == kRejoin) {
      join_sources(event.index, ticks(time));
    } else {
      cross(event.index, event.kind >> 2U, kind == kLastSegment, ticks(time));
    }
  }
}

void QueueingNetwork::State::cross(std::uint32_t index, std::uint32_t first_hop, bool last,
                                   std::int64_t now) {
  const Flow& flow = flows_[index];
  Passage passage;
  passage.flow = index;
  passage.first = first_hop;
  passage.last = last;
  passage.bytes = last ? flow.last_bytes : segment_;
  passage.beyond = first_hop + 1;
  while (hop(flow, passage.beyond - 1).ends_stage == 0) {
    ++passage.beyond;
  }
  if (passage.beyond < flow.path.hops) {
    passage.next_service = kLongestPart;
    for (std::uint32_t h = passage.beyond;; ++h) {
      const SegmentHop& next = hop(flow, h);
      passage.next_service =
          std::min(passage.next_service,
                   service(links_[next.link].picoseconds_per_byte, next, passage.bytes));
      if (next.ends_stage != 0) {
        break;
      }
    }
  }
  if (!buffers_.empty()) {
    cross_with_credits(passage, now);
    return;
  }
  for (std::uint32_t h = first_hop; h < passage.beyond; ++h) {
    start_on(passage, h, now);
  }
  complete(passage);
}

void QueueingNetwork::State::start_on(Passage& passage, std::uint32_t hop_index, std::int64_t at) {
  const Flow& flow = flows_[passage.flow];
  const SegmentHop& here = hop(flow, hop_index);
  Link& link = links_[here.link];
  const std::int64_t taken = service(link.picoseconds_per_byte, here, passage.bytes);
  const std::int64_t begin = std::max(at, link.free);
  const std::int64_t end = begin + taken;
  if (end > kLatestEnd) {
    refuse_long_time();
  }
  link.free = end;
  if (hop_index == passage.first) {
    passage.first_end = end;
  }
  passage.latest_end = std::max(passage.latest_end, end);
  const bool final_stage = passage.beyond == flow.path.hops;
  const std::int64_t tail_behind =
      final_stage ? taken : std::max<std::int64_t>(0, taken - passage.next_service);
  passage.ready = std::max(passage.ready, begin + tail_behind + link.latency);
}

// All links of the stage have taken the segment: what follows is known.
void QueueingNetwork::State::complete(const Passage& passage) {
  if (passage.first == 0) {
    leave_source(passage);
  }
  if (!buffers_.empty()) {
    give_credits(passage);
  }
  const Flow& flow = flows_[passage.flow];
  if (passage.beyond < flow.path.hops) {
    post(passage.ready, passage.last ? kLastSegment : kSegment, passage.flow, passage.beyond);
  } else if (passage.last) {
    report_at(passage.ready + flow.extra, flow, FlowEventKind::Delivered);
    paths_.remove(flow.path);
    free_flows_.push_back(passage.flow);
  }
}

void QueueingNetwork::State::leave_source(const Passage& passage) {
  const Flow& flow = flows_[passage.flow];
  const std::uint32_t first = hop(flow, 0).link;
  Link& link = links_[first];
  link.injecting = false;
  link.source_free = passage.first_end;
  post_inject(first, passage.first_end);
  if (passage.last) {
    if (flow.notify_sent) {
      --sent_to_come_;
      report_at(passage.latest_end, flow, FlowEventKind::Sent);
    }
  } else if (flow.several_sources) {
    post(passage.latest_end, kRejoin, passage.flow);
  }
}

bool QueueingNetwork::State::later(const Report& a, const Report& b) {
  return std::tie(a.time, a.order, a.event.kind) > std::tie(b.time, b.order, b.event.kind);
}

void QueueingNetwork::State::report_at(std::int64_t time, const Flow& flow, FlowEventKind kind) {
  reports_.push_back({time, flow.order, {flow.tag, kind}});
  std::push_heap(reports_.begin(), reports_.end(), later);
}

// The next report, or an instant before which none can appear: an event of the calendar reports at
// its own instant plus a service (a picosecond or more), and a latency if it is not Sent.
Time QueueingNetwork::State::next_event() {
  if (under_way == 0) {
    return kNever;  // the calendar may still hold a link's question to no sources
  }
  Time next = reports_.empty() ? kNever : time_of(reports_.front().time);
  const Time inside = calendar_.next_time();
  if (inside != kNever) {
    const std::int64_t ahead = 1 + (sent_to_come_ > 0 ? 0 : shortest_latency_);
    next = std::min(next, inside + picoseconds(ahead));
  }
  return next;
}

void QueueingNetwork::State::report(std::int64_t now, std::vector<FlowEvent>& out) {
  RINGSPAN_CHECK(reports_.empty() || reports_.front().time >= now, "an event was skipped");
  while (!reports_.empty() && reports_.front().time == now) {
    out.push_back(reports_.front().event);
    under_way -= reports_.front().event.kind == FlowEventKind::Delivered ? 1 : 0;
    std::pop_heap(reports_.begin(), reports_.end(), later);
    reports_.pop_back();
  }
}

QueueingNetwork::QueueingNetwork(std::span<const NetworkLink> links, const QueueingOptions& options)
    : state_(std::make_unique<State>(links, options)) {}
QueueingNetwork::~QueueingNetwork() = default;
QueueingNetwork::QueueingNetwork(QueueingNetwork&&) noexcept = default;
QueueingNetwork& QueueingNetwork::operator=(QueueingNetwork&&) noexcept = default;

void QueueingNetwork::start(Time now, std::span<const FlowStart> flows) {
  // What the network does at `now` itself comes after all flows that start now.
  state_->move_to(ticks(now));
  for (const FlowStart& flow : flows) {
    state_->start(ticks(now), flow);
  }
}

Time QueueingNetwork::next_event() { return state_->next_event(); }

void QueueingNetwork::advance(Time now, std::vector<FlowEvent>& events) {
  state_->move_to(ticks(now));
  state_->run_until(ticks(now));
  state_->report(ticks(now), events);
}

std::int64_t QueueingNetwork::flows_under_way() const { return state_->under_way; }
std::int64_t QueueingNetwork::events_processed() const { return state_->events; }
std::vector<WaitingSegment> QueueingNetwork::waiting() const { return state_->waiting(); }

}  // namespace ringspan

#pragma once

// Helpers for tests of the queueing network: links of 50 GB/s and 1 us, flows, and what was seen.

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "sim/base/units.h"
#include "sim/network/queueing_network.h"

namespace ringspan {

using Links = std::vector<std::uint32_t>;

// 50 GB/s are 20 ps per byte: a segment of 64 KiB takes 1,310,720 ps.
inline constexpr Bandwidth kFiftyGigabytes{400'000'000'000};
inline constexpr Bandwidth kTwentyFiveGigabytes{200'000'000'000};
inline constexpr std::int64_t kSegment = 65'536;
inline constexpr std::int64_t kService = 1'310'720;
inline constexpr std::int64_t kLatency = 1'000'000;

inline std::vector<NetworkLink> links_of(std::size_t count) {
  return std::vector<NetworkLink>(count, {kFiftyGigabytes, microseconds(1)});
}

inline FlowStart flow_of(FlowTag tag, std::int64_t bytes, const Links& links) {
  FlowStart flow;
  flow.tag = tag;
  flow.size = {bytes};
  flow.links = links;
  return flow;
}

struct Seen {
  std::int64_t time;
  FlowTag tag;
  FlowEventKind kind;
  bool operator==(const Seen& other) const {
    return std::tie(time, tag, kind) == std::tie(other.time, other.tag, other.kind);
  }
};

inline Seen delivered(std::int64_t time, FlowTag tag) {
  return {time, tag, FlowEventKind::Delivered};
}
inline Seen sent(std::int64_t time, FlowTag tag) { return {time, tag, FlowEventKind::Sent}; }

inline std::vector<Seen> run_to_end(QueueingNetwork& network) {
  std::vector<Seen> seen;
  std::vector<FlowEvent> events;
  for (Time next = network.next_event(); next != kNever; next = network.next_event()) {
    events.clear();
    network.advance(next, events);
    for (const FlowEvent& event : events) {
      seen.push_back({next.time_since_epoch().count(), event.tag, event.kind});
    }
  }
  return seen;
}

inline std::vector<Seen> run_flows(std::span<const NetworkLink> links,
                                   std::span<const FlowStart> flows,
                                   const QueueingOptions& options = {}) {
  QueueingNetwork network(links, options);
  network.start(kTimeZero, flows);
  return run_to_end(network);
}

}  // namespace ringspan

#pragma once

// A small bench for network models: flows with start times go in, ends come out.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/network/network_model.h"

namespace ringspan {

struct TestFlow {
  std::int64_t start = 0;  // ps
  std::int64_t size = 0;   // bytes
  std::vector<std::uint32_t> links;
  std::vector<float> weights;
  std::int64_t extra_latency = 0;  // ps
};

inline FlowStart plain_flow(FlowTag tag, std::int64_t size, std::span<const std::uint32_t> links) {
  FlowStart start;
  start.tag = tag;
  start.size = Bytes{size};
  start.links = links;
  return start;
}

struct TestEnds {
  std::vector<std::int64_t> sent;       // ps, by flow; -1: not seen
  std::vector<std::int64_t> delivered;  // ps, by flow; -1: not seen
  std::vector<std::uint32_t> order;     // deliveries as they came
  std::int64_t last = 0;
};

// Flows must be sorted by start time. `on_instant` is called with the network after each instant.
template <typename Network, typename OnInstant>
TestEnds run_flows(Network& network, std::span<const TestFlow> flows, OnInstant on_instant) {
  TestEnds ends;
  ends.sent.assign(flows.size(), -1);
  ends.delivered.assign(flows.size(), -1);
  std::vector<FlowEvent> events;
  std::size_t next = 0;
  for (;;) {
    Time now = network.next_event();
    if (next < flows.size()) {
      now = std::min(now, kTimeZero + picoseconds(flows[next].start));
    }
    if (now == kNever) {
      return ends;
    }
    events.clear();
    network.advance(now, events);
    const std::int64_t count = now.time_since_epoch().count();
    for (const FlowEvent& event : events) {
      auto& list = event.kind == FlowEventKind::Sent ? ends.sent : ends.delivered;
      list[event.tag] = count;
      ends.last = count;
      if (event.kind == FlowEventKind::Delivered) {
        ends.order.push_back(event.tag);
      }
    }
    for (; next < flows.size() && flows[next].start == count; ++next) {
      const TestFlow& flow = flows[next];
      FlowStart start = plain_flow(static_cast<FlowTag>(next), flow.size, flow.links);
      start.weights = flow.weights;
      start.extra_latency = picoseconds(flow.extra_latency);
      start.notify_sent = true;
      network.start(now, {&start, 1});
    }
    on_instant(count);
  }
}

template <typename Network>
TestEnds run_flows(Network& network, std::span<const TestFlow> flows) {
  return run_flows(network, flows, [](std::int64_t) {});
}

// 1 byte per ps = 8 Tbit/s, so that bytes and picoseconds are the same figures.
inline NetworkLink byte_per_ps(std::int64_t rate, std::int64_t latency = 0) {
  return {Bandwidth{rate * 8'000'000'000'000}, picoseconds(latency)};
}

// Draws that are the same with every compiler: Knuth's MMIX generator, upper bits.
class TestRandom {
 public:
  explicit TestRandom(std::uint64_t seed) : state_(seed) {}
  std::uint32_t below(std::uint32_t bound) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>((state_ >> 33) % bound);
  }

 private:
  std::uint64_t state_;
};

}  // namespace ringspan

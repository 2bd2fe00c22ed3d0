#pragma once

// The seam behind which a network model lives: all links at once, batches in, batches out.
// The engine knows no topology: links are indices with a rate and a latency, a path is a list of
// them.
//
// Contract of time: the caller asks next_event(), moves its clock to an instant not later than it,
// collects everything of that instant with advance(), decides, and hands over new flows of the same
// instant with start(). All changes at one instant are applied together and shares are solved once,
// lazily, when the next event is asked for. Flows and events are ordered: events of one instant
// come out in the order in which their flows were started.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.h"

namespace ringspan {

struct NetworkLink {
  Bandwidth rate;      // per direction, payload; positive
  Duration latency{};  // not negative
};

using FlowTag = std::uint32_t;  // the caller's name for a flow, given back in events

struct FlowStart {
  FlowTag tag = 0;
  Bytes size;                            // positive
  std::span<const std::uint32_t> links;  // in order; not empty; copied by start()
  std::span<const float> weights;        // bytes on links[i] per byte of the flow; empty: all 1
  Duration extra_latency{};              // added to the sum of the links' latencies
  bool notify_sent = false;              // report Sent too
  // Which links are crossed side by side (multicast, reduction in a switch, striping): the stage of
  // links[i], ascending; empty: one after the other. A stage's latency is that of its longest link.
  std::span<const std::uint32_t> stages{};
};

enum class FlowEventKind : std::uint8_t {
  Sent,       // the last byte has left the source: its next message may go
  Delivered,  // the last byte has arrived
};

struct FlowEvent {
  FlowTag tag = 0;
  FlowEventKind kind = FlowEventKind::Delivered;
};

class NetworkModel {
 public:
  virtual ~NetworkModel() = default;

  virtual void start(Time now, std::span<const FlowStart> flows) = 0;
  // The instant of the next event; kNever when nothing is under way or nothing can go on. A model
  // may name an instant at which nothing is to report: advance() to it and ask again.
  virtual Time next_event() = 0;
  // Appends all events of instant `now` (which must be next_event(), or earlier, then none).
  virtual void advance(Time now, std::vector<FlowEvent>& events) = 0;

  // Flows started and not delivered.
  virtual std::int64_t flows_under_way() const = 0;
  // Internal events so far (for reports).
  virtual std::int64_t events_processed() const = 0;
};

// When a path's latency is spent.
enum class LatencyOrder {
  AfterTransmission,   // transmit first, deliver `latency` later (pipelined slices)
  BeforeTransmission,  // wait `latency`, then share links, deliver at the end (SimGrid's order)
};

}  // namespace ringspan

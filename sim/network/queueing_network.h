#pragma once

// Queueing network: flows cut into segments, which wait in one FIFO queue per link.
//
// Cut-through. A segment starts on a link when it has arrived, the link is free and, where buffers
// are limited, the buffer behind the link has room:
//   start = max(arrival, free, credit),  free = start + weight x size / rate.
// Its head reaches the next link `latency` later; if that link is faster, the segment comes up
// there just late enough that its tail is not overtaken.
// Source. A flow's first link takes one segment at a time from the flows that begin on it, in turn,
// so they share it equally whatever their sizes; transit segments queue on it as anywhere.
// Stages. Links of one stage are crossed side by side, and a segment goes on when it has crossed
// them all (a switch that reduces needs all of its inputs; a multicast tree is not ahead of its
// slowest branch). A flow whose first stage has several links sends its next segment when the
// last one has left all of them. Sent: the last segment has left the first stage.
// Credits. A segment holds a place in the buffer at the end of a link from its start on that link
// until its tail has left the next one; the news travels back in the link's latency.
//
// One event per segment and stage; memory follows the segments in flight.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/network/network_model.h"

namespace ringspan {

struct QueueingOptions {
  Bytes segment{64 * 1024};
  // Segments that fit into the buffer at the end of every link; 0: no limit. It must cover the
  // link's own round trip, or the link idles.
  std::uint32_t credits = 0;
  std::vector<std::uint32_t> link_credits;  // the same per link; empty: `credits` for all
};

// A segment at the head of a queue that cannot start for want of a credit.
struct WaitingSegment {
  static constexpr std::int64_t kSource = -1;

  FlowTag tag = 0;
  std::uint32_t waits_for = 0;   // link whose buffer is full
  std::int64_t holds = kSource;  // link whose buffer the segment stands in
};

class QueueingNetwork final : public NetworkModel {
 public:
  explicit QueueingNetwork(std::span<const NetworkLink> links, const QueueingOptions& options = {});
  ~QueueingNetwork() override;
  QueueingNetwork(QueueingNetwork&&) noexcept;
  QueueingNetwork& operator=(QueueingNetwork&&) noexcept;

  void start(Time now, std::span<const FlowStart> flows) override;
  Time next_event() override;
  void advance(Time now, std::vector<FlowEvent>& events) override;
  std::int64_t flows_under_way() const override;
  std::int64_t events_processed() const override;

  // One entry per link that segments wait for, in link order. When next_event() is kNever and flows
  // are under way, these are what the network has stalled on.
  std::vector<WaitingSegment> waiting() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace ringspan

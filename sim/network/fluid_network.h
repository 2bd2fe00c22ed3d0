#pragma once

// The fluid network model: every flow has a rate, and the rates are the weighted max-min fair
// shares of the links, solved anew whenever flows come or go. Weights say how many bytes a flow
// puts on a link per byte of its own; fairness is between the flows' own rates.
//
// Code flow:
//   start()       fluid_flows.h: a slot for the flow; on its links at once or after its latency
//   next_event()  fluid_filling.h: rates of the touched component, from the level cut upwards
//   advance()     fluid_ends.cpp: completes what ends now; flows held by one link share one event
//
// Time is rounded so that nothing ends early: end = now + ceil(remaining / rate - 2^-10 ps), where
// the slack absorbs the rounding error of the quotient. Same starts, same events, bit for bit.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/network/network_model.h"

namespace ringspan {

struct FluidOptions {
  LatencyOrder latency_order = LatencyOrder::AfterTransmission;
  // Solves the whole component at each change. Slower, the same shares: for tests of the level cut.
  bool refill_everything = false;
};

// A flow on its links, for tests and reports.
struct FluidFlowState {
  FlowTag tag = 0;
  double remaining = 0;       // bytes not transmitted yet, at the instant of the last change
  double rate = 0;            // bytes per picosecond
  std::int64_t held_by = -1;  // the link that bounds it; -1: alone on all of its links
  Time finish = kNever;       // when its last byte leaves, if nothing changes
};

class FluidNetwork final : public NetworkModel {
 public:
  explicit FluidNetwork(std::span<const NetworkLink> links, FluidOptions options = {});
  ~FluidNetwork() override;
  FluidNetwork(FluidNetwork&&) noexcept;
  FluidNetwork& operator=(FluidNetwork&&) noexcept;

  void start(Time now, std::span<const FlowStart> flows) override;
  // May name an instant at which a flow only begins to share its links, or nothing happens at all
  // because a rate changed: advance() then appends nothing.
  Time next_event() override;
  void advance(Time now, std::vector<FlowEvent>& events) override;
  std::int64_t flows_under_way() const override;
  std::int64_t events_processed() const override;

  // The flows that transmit, in the order started. Solves shares first.
  std::vector<FluidFlowState> transmitting();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace ringspan

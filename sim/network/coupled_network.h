#pragma once

// Coupled flows: many physical flows that advance at one common pace (a whole ring is ONE flow).
//
// A coupled flow has rows: on `link`, `multiplicity` m physical flows of it, which together put
// `bytes` on the link per step (a step = one unit of progress of the whole flow).
// Measure of fairness: equal rate per physical flow. Filling raises one level v (bytes/ps per
// physical flow) for all flows; the load on a link is v x sum of m; a flow freezes at the level of
// the first of its links that fills, or at its own rate_limit. Its share x is then the rate at
// which a step's slices move: see `period`.
//
// Latency is not an addend. With k slices of s bytes per step, share x and latency L of the slowest
// edge, a step takes  period = max(k s / x, s / x + L).
//
// The rows' bytes and the slices are tied by the caller: x is the common rate of one physical flow
// on its busiest row, where k s = bytes / m. A row with fewer bytes per physical flow loads its
// link with m x (its bytes/m) / (k s): coefficient a = bytes / (k s).

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/network/network_model.h"

namespace ringspan {

struct CoupledRow {
  std::uint32_t link = 0;
  double multiplicity = 1;  // physical flows of this coupled flow on the link
  double bytes = 0;         // all of them together, per step
};

struct CoupledFlow {
  FlowTag tag = 0;
  std::vector<CoupledRow> rows;  // at least one; links distinct
  double steps = 1;              // how many steps until it is done; positive, may be fractional
  double slice_bytes = 0;        // s; positive
  double slices_per_step = 1;    // k
  Duration step_latency{};       // L
  double rate_limit = 0;         // bytes/ps one physical flow can do by itself; 0: none
};

class CoupledNetwork {
 public:
  explicit CoupledNetwork(std::span<const NetworkLink> links);
  ~CoupledNetwork();
  CoupledNetwork(CoupledNetwork&&) noexcept;
  CoupledNetwork& operator=(CoupledNetwork&&) noexcept;

  void start(Time now, const CoupledFlow& flow);
  Time next_event();
  // Appends the tags of the flows that end at `now`, in the order started.
  void advance(Time now, std::vector<FlowTag>& ended);
  // The present share of a flow under way, bytes/ps per physical flow, and its present step period.
  double share(FlowTag tag);
  double period_picoseconds(FlowTag tag);
  // The link, or -1 for its own rate limit, that holds the flow.
  std::int64_t bottleneck(FlowTag tag);
  std::int64_t events_processed() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ringspan

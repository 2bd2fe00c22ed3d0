#pragma once

// How long the slices of a ring take with nothing beside the ring's own channels: the ring's edges
// differ in rate and latency, and a slice meets them in turn.
//
// A ring is a marked graph: per step every edge sends the k slices of a block; a slice goes on from
// an edge when it has arrived there, when the one before it has left, and when the buffer behind
// the edge has room. In the long run a step takes the largest mean over the graph's circles
// (Baccelli, Cohen, Olsder, Quadrat: Synchronization and Linearity, 1992, theorem 2.28):
//   k s / x_e                                       of the slowest edge, slice behind slice
//   mean over e of (s / x_e + L_e)                  once around the ring, N edges in N steps
//   k / W x (s / x_e + L_e + s / x_(e+1))           a slot of a buffer of W slices, until the
//                                                   receiver has sent the slice on
// A run is finite: its slices walk from the worst start, and the first W of an edge find room.
//
// Rings of other orders use the same links at other moments. Where steps take longer than all
// rings' slices on a link (P > k s / x), a slice that takes d by itself meets the others for a part
// r = (their time on the link per step) / P of the time and takes d / (1 - r), as in a processor
// that is shared (M/G/1-PS), but never more than beside all of them.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ringspan {

class RingPace {
 public:
  // Picoseconds: an edge's transmission of a slice with nobody on its links but its own channels,
  // and with all rings; and from there to the receiver's next action.
  struct Edge {
    double own = 0;
    double all = 0;
    double latency = 0;
  };
  // A block in slices, the last of which may be smaller.
  struct Cut {
    double slices = 1;  // k: bytes of the block over those of a slice
    int slots = 1;      // k in slots of the buffer
    int window = 0;     // W; 0: no limit
  };
  // `kinds` of edges, and which kind each edge is, in the order in which data walks.
  RingPace(std::span<const Edge> kinds, std::span<const std::uint32_t> walk, const Cut& cut);

  // Of `steps` steps, beyond the transmission of the slowest edge: the L of
  // max(k s / x, s / x + L).
  double step_latency(std::int64_t steps) const;
  // What passes after steps - 1 such steps and one more without latency until all slices are in.
  double tail(std::int64_t steps) const;

 private:
  void read(std::span<const std::uint32_t> walk);
  void find_transmissions();
  double period_at(double period);
  double longest(std::int64_t steps) const;
  double walk_latency(std::int64_t steps) const;
  double window_latency(std::int64_t steps) const;

  std::span<const Edge> kinds_;
  std::span<const std::uint32_t> walk_;
  Cut cut_;
  std::vector<double> count_;  // edges, by kind
  // Which kind follows which.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> neighbours_;
  std::vector<double> transmission_;  // by kind
  double slowest_ = 0;                // transmission, beside all
  double longest_latency_ = 0;
  double longest_slot_ = 0;  // that a slice holds a slot of a buffer
};

}  // namespace ringspan

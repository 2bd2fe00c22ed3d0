#pragma once

// Every rank sends straight to every other: the schedule behind `direct` and `p2p`, which differ in
// the order of the peers.

#include <cstdint>
#include <memory>
#include <vector>

#include "models/collectives/algorithm.h"

namespace ringspan {

// Who meets whom in rounds 1..n-1 (round 0 is a rank with itself). Positions are cut in groups of
// equal size; round i * group_size + j goes deltas[i] groups and j members on.
class PeerOrder {
 public:
  // `order[position]` is a rank; `deltas` a permutation of 0..groups-1 that starts with 0.
  PeerOrder(std::vector<std::int32_t> order, std::int64_t group_size,
            std::vector<std::int32_t> deltas);

  std::int64_t ranks() const { return static_cast<std::int64_t>(order_.size()); }
  std::int32_t rank_at(std::int64_t position) const {
    return order_[static_cast<std::size_t>(position)];
  }
  // The position that `position` sends to, or receives from, in `round`.
  std::int64_t send_peer(std::int64_t round, std::int64_t position) const;
  std::int64_t receive_peer(std::int64_t round, std::int64_t position) const;

 private:
  std::vector<std::int32_t> order_;
  std::int64_t group_size_;
  std::vector<std::int32_t> deltas_;
};

// All nine collectives by messages between the two ranks concerned, nothing forwarded. all_reduce
// is a reduce_scatter, then an all_gather.
//
// `at_once` bounds how many rounds in a row, from round 1 on, are under way: with a bound, a
// rank starts round r once its send and its receive of round r - at_once are complete (alltoall,
// gather, scatter; the others know no bound). 0: all.
//
// Rounds for `stream` are batches of `at_once` rounds; from 1,025 ranks on, one batch of all pairs.
std::unique_ptr<Schedule> make_pair_schedule(const CollectiveSpec& spec, PeerOrder peers,
                                             std::int64_t at_once = 0);

}  // namespace ringspan

#pragma once

// What a collective does, in nccl-tests' terms.
//
// `size` is always what the `size` column of nccl-tests means for the collective (n ranks):
//   all_reduce, broadcast, reduce, sendrecv   the vector of one rank
//   all_gather, reduce_scatter                n x the per-rank share (the total over ranks)
//   alltoall                                  what one rank sends in all (n blocks of size/n)
//   gather, scatter                           the total at the root (n blocks of size/n)
// sendrecv: every rank sends its vector to rank+1 and receives from rank-1, at once.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/units.h"

namespace ringspan {

enum class CollectiveKind {
  AllReduce,
  AllGather,
  ReduceScatter,
  AllToAll,
  Broadcast,
  Reduce,
  Gather,
  Scatter,
  SendRecv,
};

inline constexpr std::array kAllCollectives = {
    CollectiveKind::AllReduce, CollectiveKind::AllGather, CollectiveKind::ReduceScatter,
    CollectiveKind::AllToAll,  CollectiveKind::Broadcast, CollectiveKind::Reduce,
    CollectiveKind::Gather,    CollectiveKind::Scatter,   CollectiveKind::SendRecv,
};

// "all_reduce", "all_gather", "reduce_scatter", "alltoall", "broadcast", "reduce", "gather",
// "scatter", "sendrecv".
std::string_view collective_name(CollectiveKind kind);

// Throws InputError with the nearest name for an unknown one.
CollectiveKind collective_from_name(std::string_view name);

// One line for `ringspan list collectives`.
std::string_view collective_description(CollectiveKind kind);

// busbw / algbw as nccl-tests defines it (doc/PERFORMANCE.md): 2(n-1)/n for all_reduce, (n-1)/n for
// all_gather, reduce_scatter, alltoall, gather and scatter, 1 for broadcast, reduce and sendrecv.
// With one rank: 0 for every kind (nothing crosses a bus).
double busbw_factor(CollectiveKind kind, int ranks);

bool collective_has_root(CollectiveKind kind);
bool collective_reduces(CollectiveKind kind);
// Whether the size is cut into a share for every rank: all_gather, reduce_scatter, alltoall,
// gather, scatter.
bool collective_has_shares(CollectiveKind kind);

struct CollectiveSpec {
  CollectiveKind kind = CollectiveKind::AllReduce;
  int ranks = 1;
  int root = 0;  // only where collective_has_root()
};

}  // namespace ringspan

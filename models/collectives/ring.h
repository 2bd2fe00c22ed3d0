#pragma once

// NCCL's ring: all_reduce, all_gather, reduce_scatter in n-1 or 2(n-1) steps; broadcast and reduce
// as a chain that follows the ring from or to the root (NCCL 2.28.9 src/device/all_reduce.h,
// all_gather.h, reduce_scatter.h, broadcast.h, reduce.h).

#include <memory>

#include "models/collectives/algorithm.h"

namespace ringspan {

std::unique_ptr<Algorithm> make_ring();

}  // namespace ringspan

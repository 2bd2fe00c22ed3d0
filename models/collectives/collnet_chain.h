#pragma once

// NCCL's CollNetChain: a chain in every node that reduces to its head, reduction between the heads
// by the network's switches, and the chains back (NCCL 2.28.9 src/device/all_reduce.h,
// src/transport/coll_net.cc). A chain begins at the first rank of its node in the channel's order.

#include <memory>

#include "models/collectives/algorithm.h"

namespace ringspan {

std::unique_ptr<Algorithm> make_collnet_chain();

}  // namespace ringspan

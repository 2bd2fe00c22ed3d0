#pragma once

// NCCL's CollNetDirect: every rank sends a part of its data to each head of its node, the network's
// switches reduce between the heads of all nodes, and the heads send the result back to the ranks
// (NCCL 2.28.9 src/device/all_reduce.h, src/transport/coll_net.cc).

#include <memory>

#include "models/collectives/algorithm.h"

namespace ringspan {

std::unique_ptr<Algorithm> make_collnet_direct();

// NCCL's limit on the ranks of a node for both CollNet algorithms (NCCL 2.28.9 src/enqueue.cc), and
// that there are nodes to join; empty: both hold.
std::string collnet_layout_bar(const AlgorithmInput& input);

}  // namespace ringspan

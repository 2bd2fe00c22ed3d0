#pragma once

// NCCL's NVLSTree: the switch inside each node reduces to a head, the heads of the nodes reduce up
// a binary tree and copy down, each head's store is multicast inside its node. Channels alternate
// between two trees (NCCL 2.28.9 src/transport/nvls.cc, src/device/all_reduce.h).

#include <memory>

#include "models/collectives/algorithm.h"

namespace ringspan {

std::unique_ptr<Algorithm> make_nvls_tree();

}  // namespace ringspan

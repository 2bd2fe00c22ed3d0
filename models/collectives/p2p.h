#pragma once

// NCCL's grouped send/receive: what alltoall, gather, scatter and sendrecv become in NCCL.

#include <memory>

#include "models/collectives/algorithm.h"

namespace ringspan {

std::unique_ptr<Algorithm> make_p2p();

// AlgorithmInput::peers_at_once of NCCL 2.28.9. A channel works at 8 messages at a time, and a
// message between nodes has two channels, or one where 2 ranks > 4 channels (src/init.cc,
// ncclTopoComputeP2pChannels; src/device/sendrecv.h). On one node: all, since small messages have
// one channel each, and large ones are bound by the GPU's links however many are under way.
std::int64_t p2p_peers_at_once(int channels, int ranks, int nodes);

}  // namespace ringspan

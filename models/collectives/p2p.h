#pragma once

// NCCL's grouped send/receive: what alltoall, gather, scatter and sendrecv become in NCCL.

#include <memory>

#include "models/collectives/algorithm.h"

namespace ringspan {

std::unique_ptr<Algorithm> make_p2p();

// AlgorithmInput::peers_at_once of NCCL 2.28.9: a channel works at 8 messages at a time
// (src/device/sendrecv.h), and a message has `channels_per_peer` of them (models/nccl). On one
// node: all, since small messages have one channel each, and large ones are bound by the GPU's
// links however many are under way.
std::int64_t p2p_peers_at_once(int channels, int channels_per_peer, int nodes);

}  // namespace ringspan

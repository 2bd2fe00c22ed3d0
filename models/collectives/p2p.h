#pragma once

// NCCL's grouped send/receive: what alltoall, gather, scatter and sendrecv become in NCCL.

#include <memory>

#include "models/collectives/algorithm.h"

namespace ringspan {

std::unique_ptr<Algorithm> make_p2p();

}  // namespace ringspan

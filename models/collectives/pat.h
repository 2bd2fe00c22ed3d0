#pragma once

// NCCL's PAT (parallel aggregated trees, since 2.23): an all_gather in ceil(log2 n) steps for any
// rank count in which the far exchanges come first and are small; a reduce_scatter is the same
// backwards (Jeaugey, "PAT: a new algorithm for all-gather and reduce-scatter operations at scale",
// arXiv 2506.20252; NCCL 2.28.9 src/include/collectives.h).

#include <memory>

#include "models/collectives/algorithm.h"

namespace ringspan {

std::unique_ptr<Algorithm> make_pat();

}  // namespace ringspan

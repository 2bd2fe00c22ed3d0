#pragma once

// Two levels: inside every node, then between the ranks of one local index in all nodes (one rail),
// and back. Bytes leave a node once, over as many NICs as it has ranks.

#include <memory>

#include "models/collectives/algorithm.h"

namespace ringspan {

std::unique_ptr<Algorithm> make_hierarchical();

}  // namespace ringspan

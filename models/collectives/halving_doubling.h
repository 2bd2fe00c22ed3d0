#pragma once

// Recursive halving (reduce_scatter), recursive doubling (all_gather) and the two in a row
// (all_reduce), for any rank count: ranks beyond a power of two are folded into a neighbour first
// and served by it at the end (Thakur, Rabenseifner, Gropp, "Optimization of Collective
// Communication Operations in MPICH", IJHPCA 19(1), 2005).

#include <memory>

#include "models/collectives/algorithm.h"

namespace ringspan {

std::unique_ptr<Algorithm> make_halving_doubling();

}  // namespace ringspan

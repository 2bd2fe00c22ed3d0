#pragma once

// Pairwise exchange: in step s every rank sends to the one s further on and receives from the one s
// before (Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in
// MPICH", IJHPCA 19(1), 2005).

#include <memory>

#include "models/collectives/algorithm.h"

namespace ringspan {

std::unique_ptr<Algorithm> make_pairwise();

}  // namespace ringspan

#pragma once

// Bruck's algorithms: ceil(log2 n) steps for any n (Bruck, Ho, Kipnis, Upfal, Weathersby,
// "Efficient Algorithms for All-to-All Communications in Multiport Message-Passing Systems", IEEE
// TPDS 8(11), 1997).

#include <memory>

#include "models/collectives/algorithm.h"

namespace ringspan {

std::unique_ptr<Algorithm> make_bruck();

}  // namespace ringspan

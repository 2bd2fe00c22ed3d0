#pragma once

// By way of a place drawn from the flow, minimal before and after it: twice the way, and no pattern
// loads a link more than uniform traffic does (L. G. Valiant, "A scheme for fast parallel
// communication", SIAM Journal on Computing 11(2), 1982).

#include <cstdint>
#include <memory>

#include "topologies/routing/path_choice.h"

namespace ringspan {

std::unique_ptr<const PathChoice> make_valiant(std::uint64_t seed);

}  // namespace ringspan

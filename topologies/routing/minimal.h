#pragma once

// One of the shortest ways, by a hash of its own at every switch: ecmp where a fabric also has
// longer ways.

#include <cstdint>
#include <memory>

#include "topologies/routing/path_choice.h"

namespace ringspan {

std::unique_ptr<const PathChoice> make_minimal(std::uint64_t seed);

}  // namespace ringspan

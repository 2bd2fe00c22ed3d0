#pragma once

// Packets take the way that is least loaded: in the long run every way carries what it can.

#include <cstdint>
#include <memory>

#include "topologies/routing/path_choice.h"

namespace ringspan {

std::unique_ptr<const PathChoice> make_adaptive(std::uint64_t seed);

}  // namespace ringspan

#pragma once

// Equal-cost multi-path: every switch hashes the flow and takes that way (RFC 2992).

#include <cstdint>
#include <memory>

#include "topologies/routing/path_choice.h"

namespace ringspan {

std::unique_ptr<const PathChoice> make_ecmp(std::uint64_t seed);

}  // namespace ringspan

#pragma once

// Packets of every flow go over all ways in turn (Dixit et al., "On the impact of packet spraying
// in data center networks", INFOCOM 2013).

#include <cstdint>
#include <memory>

#include "topologies/routing/path_choice.h"

namespace ringspan {

std::unique_ptr<const PathChoice> make_spray(std::uint64_t seed);

}  // namespace ringspan

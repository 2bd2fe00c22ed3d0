#pragma once

// The fence around Boost.Graph: which devices hang together.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "topologies/graph/topology.h"

namespace ringspan {

// component[device]: the number of the connected component it is in, over links of any class.
// Every link has an opposite direction, so connected means reachable both ways.
std::vector<std::int32_t> connected_components(std::size_t device_count,
                                               std::span<const Link> links);

}  // namespace ringspan

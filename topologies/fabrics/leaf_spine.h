#pragma once

// Two tiers: all NICs of a server on one leaf, every leaf cabled to every spine.

#include <memory>

#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

// Throws InputError at the key that is wrong.
std::unique_ptr<const Fabric> make_leaf_spine(const FabricInput& input);

}  // namespace ringspan

#pragma once

// Two or three tiers: as leaf-spine; with three, pods of leaves and spines under common cores.

#include <memory>

#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

// Throws InputError at the key that is wrong.
std::unique_ptr<const Fabric> make_fat_tree(const FabricInput& input);

}  // namespace ringspan

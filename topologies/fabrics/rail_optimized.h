#pragma once

// NIC r of every server of a group hangs on leaf r of the group: GPUs of one rail are one switch
// apart. Spines, or spines and cores, join all leaves.

#include <memory>

#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

// Throws InputError at the key that is wrong.
std::unique_ptr<const Fabric> make_rail_optimized(const FabricInput& input);

}  // namespace ringspan

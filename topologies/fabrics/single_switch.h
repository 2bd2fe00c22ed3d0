#pragma once

// Every NIC on one switch: never oversubscribed, never more ports than the switch has.

#include <memory>

#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

// Throws InputError at the key that is wrong.
std::unique_ptr<const Fabric> make_single_switch(const FabricInput& input);

}  // namespace ringspan

#pragma once

// [fabric] kind = "dragonfly": groups of switches, all to all inside and between.

#include <memory>

#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

std::unique_ptr<const Fabric> make_dragonfly(const FabricInput& input);

}  // namespace ringspan

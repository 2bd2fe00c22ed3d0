#pragma once

// [fabric] kind = "torus": switches in a grid of 1 to 6 dimensions whose ends meet, each with its
// servers. Dimensions may differ in cables, their number and length; one may be twisted.

#include <memory>

#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

std::unique_ptr<const Fabric> make_torus(const FabricInput& input);

}  // namespace ringspan

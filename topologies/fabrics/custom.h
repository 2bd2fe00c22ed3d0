#pragma once

// [fabric] kind = "custom": [[fabric.switch]] names switches, [[fabric.link]] joins them and hangs
// NICs on them.

#include <memory>

#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

std::unique_ptr<const Fabric> make_custom(const FabricInput& input);

}  // namespace ringspan

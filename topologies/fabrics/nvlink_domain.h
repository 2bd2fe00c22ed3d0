#pragma once

// The kind "nvlink-domain" is no network between domains but what makes them: a system's reader
// builds its racks (topologies/builders/nvlink_domain.h) before any fabric is made.

#include <memory>

#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

// Where a network between domains is asked for: throws InputError at `kind`.
std::unique_ptr<const Fabric> refuse_nvlink_domain(const FabricInput& input);

}  // namespace ringspan

#pragma once

// A fabric per rail and nothing between them: data changes rails over NVLink. Source: W. Wang et
// al., "Rail-only: A Low-Cost High-Performance Network for Training LLMs", HOTI 2024.

#include <memory>

#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

// Throws InputError at the key that is wrong.
std::unique_ptr<const Fabric> make_rail_only(const FabricInput& input);

}  // namespace ringspan

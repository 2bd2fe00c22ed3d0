#pragma once

// The keys of a system file outside its wiring: name, description, sources.

#include "sim/config/config_node.h"
#include "topologies/builders/system.h"

namespace ringspan {

// Reads name, description and sources. Throws InputError.
SystemInfo read_system_header(const ConfigNode& root);

}  // namespace ringspan

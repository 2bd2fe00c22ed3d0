#pragma once

// [[node.link]]: the cables and lanes of one server.

#include <string>
#include <vector>

#include "models/links/link_preset.h"
#include "sim/config/config_node.h"
#include "topologies/builders/device_reading.h"
#include "topologies/graph/topology.h"

namespace ringspan {

// Adds every link to the builder, appends what was derived to `notes`. Throws InputError: a wrong
// value, unknown preset or device, too many links, GPUs that cannot reach each other.
void read_links(const ConfigNode& node, const LinkPresets& presets, const DeviceList& devices,
                TopologyBuilder& builder, std::vector<std::string>& notes);

}  // namespace ringspan

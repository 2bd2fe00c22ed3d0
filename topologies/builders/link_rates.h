#pragma once

// What one [[node.link]] table says about the link itself: preset, lanes or count, rates.

#include <string>
#include <string_view>
#include <vector>

#include "models/links/link_preset.h"
#include "sim/config/config_node.h"
#include "topologies/graph/topology.h"

namespace ringspan {

// All of a Link but its ends. `count_key`: how many parallel links there are. Throws InputError.
Link read_link_rates(const ConfigNode& table, const LinkPresets& presets,
                     std::vector<std::string>& notes, std::string_view count_key = "count");

}  // namespace ringspan

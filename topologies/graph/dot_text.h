#pragma once

// Parts of a Graphviz drawing, for export_dot() and for drawings of clusters.

#include <string>
#include <string_view>
#include <vector>

#include "topologies/graph/topology.h"

namespace ringspan {

// As it stands between quotes.
std::string dot_escaped(std::string_view text);

// One subgraph per server with its devices, and one edge per duplex link, labelled with count,
// preset and rate per direction; a node is named `prefix`, n and the device's number. `shown` says
// per device whether it is drawn; links need both ends.
void append_dot(const Topology& topology, const std::vector<bool>& shown, std::string_view prefix,
                std::string& text);

}  // namespace ringspan

#pragma once

// A drawing of a cluster that stays readable at any size.

#include <string>

#include "topologies/fabrics/cluster.h"

namespace ringspan {

// Graphviz text. One domain of each kind is drawn with its devices (of a rack: one server and the
// NVSwitches), the fabric as Fabric::drawing() collapses it. A cluster of one server without a
// fabric is drawn by export_dot(topology).
std::string export_dot(const Cluster& cluster, const std::string& name);

}  // namespace ringspan

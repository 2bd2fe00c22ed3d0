#pragma once

// What the cables of a fabric's ports carry.

#include <vector>

#include "topologies/fabrics/fabric.h"

namespace ringspan {

// More than anything, and still far from overflow in a sum over all ports.
inline constexpr double kUnlimitedRate = 1e18;

// bits/s, by port: nominal, one direction, all cables of the port together. kUnlimitedRate where
// that is not known: ports without cables of their own, and those that nothing joins to the port it
// is tried with.
std::vector<double> port_rates(const Fabric& fabric);

}  // namespace ringspan

#pragma once

// GPU pairs that reach each other in the same way.

#include <map>
#include <span>
#include <vector>

#include "topologies/graph/topology.h"
#include "topologies/routing/route.h"

namespace ringspan {

struct PairClass {
  NodeId from, to;    // the first pair, as an example
  Route route;        // of that pair
  Bandwidth nominal;  // of one transfer alone, before efficiencies
  int pairs = 0;      // unordered
  // How many transfers of this class cross a link when every pair sends in both directions.
  std::map<LinkId, int> transfers;
};

// What one transfer alone gets on a route, before efficiencies.
Bandwidth nominal_rate(const Topology& topology, const Route& route);

// Most pairs first; ties in the order of the first pair.
std::vector<PairClass> pair_classes(const Topology& topology, std::span<const NodeId> gpus);

}  // namespace ringspan

#pragma once

// GPU pairs that reach each other in the same way.

#include <map>
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

// Most pairs first; ties in the order of the first pair.
std::vector<PairClass> pair_classes(const Topology& topology);

}  // namespace ringspan

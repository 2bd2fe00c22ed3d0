#pragma once

// The network between domains in words.

#include <string>

#include "topologies/fabrics/cluster.h"

namespace ringspan {

// Kind, routing and what was derived; tiers with their oversubscription; what crosses the middle;
// GPU pairs of different domains by class; which NICs a GPU uses and where each rail hangs.
// Requires a fabric.
void append_fabric(const Cluster& cluster, std::string& text);

}  // namespace ringspan

#pragma once

// The network between domains in words.

#include <string>
#include <string_view>

#include "models/nccl/transport.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

// Kind, routing and what was derived; tiers with their oversubscription; what crosses the middle;
// GPU pairs of different domains by class; which NICs a GPU uses and where each rail hangs.
// Requires a fabric.
void append_fabric(const Cluster& cluster, const TransportOptions& options, std::string& text);

// A network that carries no collective traffic: kind, what was derived, tiers.
void append_network(std::string_view name, const Fabric& fabric, std::string& text);

}  // namespace ringspan

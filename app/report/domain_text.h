#pragma once

// One domain in words: a server, or a rack.

#include <string>

#include "topologies/fabrics/cluster.h"

namespace ringspan {

// Devices; classes of GPU pairs with path, rates, latency and what the pairs of a class share; and
// the capacity per link, per GPU and per switch, which are three different things.
void append_domain(const DomainKind& domain, std::string& text);

}  // namespace ringspan

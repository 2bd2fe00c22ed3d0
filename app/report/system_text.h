#pragma once

// `ringspan show`: a system in words.

#include <string>

#include "topologies/builders/system.h"

namespace ringspan {

// Devices; classes of GPU pairs with path, rates, latency and what the pairs of a class share; and
// the capacity per link, per GPU and per switch, which are three different things.
std::string system_text(const System& system);

}  // namespace ringspan

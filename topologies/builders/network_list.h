#pragma once

// Which networks there are: compute, which [fabric] describes, and the [[network]]s; and which of
// them carries collective traffic.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/config_node.h"
#include "topologies/builders/system.h"
#include "topologies/builders/system_sections.h"

namespace ringspan {

struct NetworkTable {
  std::string name;
  ConfigNode table;
};

struct NetworkList {
  std::vector<NetworkTable> described;  // [[network]]s, in order
  std::vector<std::string> names;       // that a NIC may be on, described or not
  TransportSettings transport;
  std::uint64_t seed = 0;  // of the hashes of fabrics whose tables name none
};

// Reads the names and [transport]. Throws InputError: a name twice or taken, a network for
// collectives that is not described.
NetworkList read_networks(const SystemSections& sections);

}  // namespace ringspan

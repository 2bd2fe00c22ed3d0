#pragma once

// A dump of an NVLink domain holds several servers. They are the trays of a rack, all alike.

#include <string>

#include "topologies/import/nccl_topology.h"

namespace ringspan {

struct SplitHosts {
  NcclTopology first;  // the CPUs of the first server
  int servers = 1;
};

// Throws InputError where servers differ in their CPUs, GPUs, PCIe devices or ports.
SplitHosts split_hosts(NcclTopology topology, const std::string& file);

}  // namespace ringspan

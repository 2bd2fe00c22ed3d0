#pragma once

// [[fault]]: what is dead or slow. Code flow:
//   fault_text.h      one table in words
//   DeviceFinder      "server3.nic2" -> domain and device
//   apply_faults()    inside servers: at once, domains so hit become kinds of their own;
//                     switches and cables of networks: handed on to their fabrics

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topologies/builders/cluster_draft.h"
#include "topologies/builders/system.h"
#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

struct NetworkFault {
  std::string network;
  FabricFault fault;
  std::size_t number = 0;  // among the tables
};

struct ReadFaults {
  std::vector<SystemFault> all;       // a table each
  std::vector<NetworkFault> network;  // those of networks
};

// `file_servers`: servers the file has; a fault of one that this run leaves out is no mistake.
// Throws InputError: a fault of what does not exist, one that
// leaves a domain without GPU.
ReadFaults apply_faults(const std::vector<ConfigNode>& tables,
                        const std::vector<std::string>& networks, std::int64_t file_servers,
                        ClusterDraft& draft);

}  // namespace ringspan

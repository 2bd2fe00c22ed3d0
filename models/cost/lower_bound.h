#pragma once

// A time that no algorithm can beat, from what must cross a cut of the fabric and the nominal rate
// of the links that cross it. No latency, no protocol, no launch: T >= bytes / rate.
// Data is reduced by the communicator's GPUs, and by NVSwitches that can; transfers take the routes
// of topologies/routing, so links that no route between these GPUs uses do not count.

#include <span>
#include <string>

#include "models/collectives/collective.h"
#include "topologies/graph/topology.h"

namespace ringspan {

struct LowerBound {
  Duration time{};
  std::string reason;  // "gpu0 must send 1 GiB through 450 GB/s"
};

// `gpus`: the communicator's GPUs in rank order; spec.ranks of them. `size` as in collective.h.
LowerBound lower_bound(const Topology& topology, std::span<const NodeId> gpus,
                       const CollectiveSpec& spec, Bytes size);

}  // namespace ringspan

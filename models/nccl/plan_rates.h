#pragma once

// What NCCL takes a link to be worth when it plans channels. These are round, cautious figures of
// NCCL's own, not what the link carries: they decide the choice, never the time.
// Source: NCCL 2.28.9 src/graph/topo.h and src/graph/topo.cc.

#include "topologies/graph/topology.h"

namespace ringspan {

// GB/s, this direction, all links or lanes of `link` together. Links between NVSwitches are
// unlimited: NCCL sees all NVSwitches as one device.
double plan_rate(const Topology& topology, const Link& link);

}  // namespace ringspan

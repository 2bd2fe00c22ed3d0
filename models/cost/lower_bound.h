#pragma once

// A time that no algorithm can beat, from what must cross a cut of the system and the nominal rate
// of the links that cross it. No latency, no protocol, no launch: T >= bytes / rate.
// Data is reduced by the communicator's GPUs, by NVSwitches and by a fabric's switches where they
// can; transfers take the routes of topologies/routing, so links that no route between these GPUs
// uses do not count. Code flow:
//   LowerBounds        finds the tightest cut, once for all sizes:
//   domain_bounds.h    cuts inside a domain, for each of the ways its ranks can sit in it
//   fabric_bounds.h    every domain's NICs, and the fabric's own cuts
//
// Cost: domains + the ports of all cuts + ranks; one walk of a domain per way of sitting in it.

#include <span>

#include "models/collectives/collective.h"
#include "models/cost/tightest_cut.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

class LowerBounds {
 public:
  // ranks: where each sits; spec.ranks of them. Both are only read here.
  LowerBounds(const Cluster& cluster, std::span<const GpuPlace> ranks, const CollectiveSpec& spec);

  // `size` as in collective.h.
  LowerBound of(Bytes size) const;

 private:
  bool one_rank_;
  TightestCut tightest_;
};

}  // namespace ringspan

#pragma once

// Cuts inside one domain: which of them bounds a collective most, and how the groups of a family of
// cuts stand together.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/collectives/collective.h"
#include "models/cost/tightest_cut.h"
#include "topologies/graph/topology.h"

namespace ringspan {

// The ranks of a communicator that sit in one domain.
struct DomainRanks {
  std::span<const NodeId> gpus;  // theirs, in rank order; at least one
  // next[i]: index into `gpus` of the rank after that of gpus[i]; -1: it sits in another domain.
  std::span<const std::int32_t> next;
  std::int32_t root = -1;  // index into `gpus`; -1: in another domain
  // bits/s, by device: what leaves the domain there (a NIC's port), 0 elsewhere. Empty: all ranks
  // are here.
  std::span<const double> port_rate;
};

// Disjoint groups that hold all ranks of the domain.
struct GroupsTogether {
  std::string label;  // "the GPUs together"
  double groups = 0;
  double rate_in = 0;  // bits/s into all of them
};

struct DomainBounds {
  TightestCut tightest;
  std::vector<GroupsTogether> together;
};

// Labels of cuts begin with `prefix` ("server3: ").
DomainBounds domain_bounds(const Topology& topology, const DomainRanks& ranks,
                           const CollectiveSpec& spec, std::string_view prefix);

// An NVSwitch of the domain reduces and multicasts.
bool reduces_in_switches(const Topology& topology);

}  // namespace ringspan

#pragma once

// Places where a fabric can be cut in two, for lower bounds. Any set of devices is a valid cut: a
// set that is chosen badly makes a bound weak, never wrong.

#include <span>
#include <string>
#include <vector>

#include "topologies/graph/topology.h"

namespace ringspan {

struct Cut {
  std::string label;            // "gpu0", "the GPUs under psw0"
  std::vector<NodeId> devices;  // the inside
};

struct CutFamily {
  std::vector<Cut> cuts;
  // What they are called together; empty: they may overlap.
  std::string together;
  // Host memory lies outside: what is staged between two GPUs of one cut crosses it up and down.
  bool below_memory = false;
};

// Each GPU; NVSwitch boards; islands of NVLink; PCIe switches and CPUs with what hangs under them.
std::vector<CutFamily> fabric_cuts(const Topology& topology, std::span<const NodeId> gpus);

// NVLink joins every pair of `gpus` directly, over NVSwitches or over one other GPU. Then routes
// between them use no other links.
bool joined_by_nvlink(const Topology& topology, std::span<const NodeId> gpus);

// Every two of `gpus` share a link of their own. Then routes between them use no others, in
// particular none to GPUs that take no part.
bool joined_directly(const Topology& topology, std::span<const NodeId> gpus);

// A link between GPUs and NVSwitches.
bool is_nvlink_fabric(const Topology& topology, const Link& link);

}  // namespace ringspan

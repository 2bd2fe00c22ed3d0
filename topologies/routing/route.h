#pragma once

// How data gets from one GPU of a server to another: over which links, and staged or not.
// Order of preference, as NCCL's transports have it (facts: src/graph/paths.cc):
//   NVLink direct, NVSwitch, NVLink through another GPU, PCIe peer-to-peer where PeerReach allows,
//   else staged through the host memory of the CPU nearest to the receiver.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/links/link_class.h"
#include "sim/base/ids.h"
#include "sim/base/units.h"
#include "topologies/graph/topology.h"

namespace ringspan {

enum class PathKind {
  Local,         // the same GPU
  NvLink,        // direct links or a bridge
  NvSwitch,      // through NVSwitches
  NvLinkRelay,   // through one other GPU
  PcieSwitch,    // one PCIe switch (PIX)
  PcieSwitches,  // several PCIe switches, no CPU (PXB)
  RootComplex,   // through one CPU (PHB)
  Socket,        // across the socket link (SYS)
};

std::string_view path_kind_name(PathKind kind);

// A share of a route's bytes on a link: 1 when all bytes cross it, 5/18 when a bundle of 18 links
// is spread over switch planes and this plane has 5. Links of one stage are crossed side by side,
// stages one after the other.
struct RouteLink {
  LinkId link;
  double share = 1.0;
  std::uint32_t stage = 0;  // from 0 at the source
};

struct Route {
  PathKind kind = PathKind::Local;  // how the pair is wired, staged or not
  bool staged = false;              // written to host memory, read from there: not peer-to-peer
  NodeId staging;                   // the CPU whose memory is used, if staged
  std::string staging_reason;       // if staged: why peer-to-peer is not used, for --explain
  LinkClass slowest_class = LinkClass::NvLink;  // the class that costs protocols most on this route
  std::vector<RouteLink> links;                 // in order from source to destination
  Bandwidth payload;                            // what one transfer alone gets
  Duration latency{};                           // sum over one stripe's links, staging included
  std::vector<NodeId> via;                      // the devices in between, for display (one stripe)
};

// Routes between two GPUs of one server. Deterministic: ties go to the lowest link numbers.
// Throws InputError when nothing joins them, or when data must be staged and no CPU is linked.
// For many pairs make one GpuRouter (gpu_router.h).
Route route_between_gpus(const Topology& topology, NodeId from, NodeId to);

// For a multicast or an in-switch reduction: the links from `gpu` up to the NVSwitches (shares over
// planes) and from them down to `gpu`. Requires topology.has_multicast().
struct SwitchPort {
  std::vector<RouteLink> up, down;
  Duration latency{};  // up and down together
};
SwitchPort switch_port(const Topology& topology, NodeId gpu);

}  // namespace ringspan

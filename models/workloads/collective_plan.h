#pragma once

// Every edge of an algorithm with its path, for running it slice by slice: heavy, a few hundred
// bytes an edge. See plan_outline.h for what comes before it.

#include <cstdint>
#include <string>
#include <vector>

#include "models/collectives/protocol.h"
#include "models/workloads/cluster_paths.h"
#include "models/workloads/edge_index.h"
#include "models/workloads/fabric_paths.h"
#include "models/workloads/plan_outline.h"
#include "models/workloads/size_cut.h"
#include "sim/network/network_model.h"

namespace ringspan {

// What a flow of one channel does to the network.
struct TransferPath {
  std::vector<std::uint32_t> links;   // indices into CollectivePlan::links
  std::vector<float> weights;         // empty: all 1
  std::vector<std::uint32_t> stages;  // which links are crossed side by side; empty: none
  // From the last byte sent to the receiver's next action: ProtocolCost::step_latency().
  Duration latency{};
};

struct PlannedEdge {
  std::vector<std::int32_t> sources, destinations;
  TransferPath path;
};

// The edges of a channel class.
struct PlannedClass {
  std::vector<PlannedEdge> edges;
  EdgeIndex index;

  // The edge of a transfer; RINGSPAN_CHECKs that the rounds named it.
  std::uint32_t edge_of(const Transfer& transfer) const;
};

inline constexpr std::uint32_t kKernelResource = 0xffffffffU;

struct CollectivePlan {
  const PlanOutline* outline = nullptr;
  Protocol protocol = Protocol::Simple;
  const Profile* profile = nullptr;

  std::vector<PlannedClass> classes;  // those of the outline
  // What the network model shares. infos[i] describes links[i]; links[i].rate is infos[i].rate over
  // the weight that all paths use it with.
  std::vector<NetworkLink> links;
  std::vector<FabricResource> infos;
  // The resource of ClusterPaths that links[i] is; kKernelResource for a limit of the kernels.
  std::vector<std::uint32_t> resources;

  // `outline`, of the same input, must outlive the plan.
  static CollectivePlan build(const PlanInput& input, const PlanOutline& outline,
                              Protocol protocol);
};

// An upper estimate of the bytes that build() needs; checked before anything is made.
std::int64_t plan_memory_bytes(const PlanInput& input);

}  // namespace ringspan

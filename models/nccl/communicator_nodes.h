#pragma once

// A communicator seen as NCCL sees it: nodes (domains) in the order of their first rank, and in
// each the GPUs in the order of the machine, whatever their ranks.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "topologies/fabrics/cluster.h"

namespace ringspan {

// What decides how a node is used: its kind and which of its GPUs take part, ascending indices of
// the kind's.
struct NodeShape {
  std::int32_t kind = 0;
  std::vector<std::int32_t> gpus;
  auto operator<=>(const NodeShape&) const = default;
};

struct CommunicatorNode {
  std::size_t shape = 0;            // index into CommunicatorNodes::shapes
  std::vector<std::int32_t> ranks;  // of the shape's GPUs
};

struct CommunicatorNodes {
  std::vector<CommunicatorNode> nodes;
  std::vector<NodeShape> shapes;  // all that occur, each once
};

// `ranks`: where each rank sits, different places.
CommunicatorNodes communicator_nodes(const Cluster& cluster, std::span<const GpuPlace> ranks);

}  // namespace ringspan

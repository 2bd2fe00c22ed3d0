#pragma once

// What NCCL 2.28.9's own search leaves for machines that were described to it (its src/graph run
// over a description of each, on a CPU): the rows that the tests of the tuner start from and those
// of the search end at. Servers are alike, PCIe devices lie directly under one level of switches,
// every GPU reads and writes NICs directly, no reduction in the network.

#include "models/nccl/algorithm_graph.h"

namespace ringspan::testing {

// `rows` of `nodes` alike nodes of `per_node` ranks.
inline CommunicatorGraphs rows_of(int nodes, int per_node, int compute_capability, CpuVendor cpus,
                                  const AlgorithmGraph& ring, const AlgorithmGraph& tree,
                                  const AlgorithmGraph& nvls, int channels) {
  CommunicatorGraphs graphs;
  graphs.ranks = nodes * per_node;
  graphs.nodes = nodes;
  graphs.most_ranks_per_node = per_node;
  graphs.least_compute_capability = compute_capability;
  graphs.cpu_vendor = cpus;
  graphs.ring = ring;
  graphs.tree = tree;
  graphs.nvls = nvls;
  graphs.channels = channels;
  graphs.nvls_support = nvls.channels > 0;
  graphs.nvswitch = nvls.channels > 0;
  return graphs;
}

// Four AMD CPUs, each a Gen4 switch with two GPUs of 12 NVLinks and two 200G NICs.
inline CommunicatorGraphs dgx_a100_rows(int nodes) {
  if (nodes == 1) return rows_of(1, 8, 80, CpuVendor::Amd, {12, 20, 20}, {12, 20, 20}, {}, 24);
  return rows_of(nodes, 8, 80, CpuVendor::Amd, {8, 24, 24}, {8, 30, 24}, {}, 16);
}

// Two Intel CPUs, each two Gen5 switches with two GPUs of 18 NVLinks and two 400G NICs.
inline CommunicatorGraphs dgx_h100_rows(int nodes) {
  if (nodes == 1) {
    return rows_of(1, 8, 90, CpuVendor::Intel, {12, 30, 30}, {12, 30, 30}, {8, 40, 60}, 24);
  }
  return rows_of(nodes, 8, 90, CpuVendor::Intel, {8, 48, 48}, {8, 48, 48}, {8, 40, 48}, 16);
}

inline CommunicatorGraphs dgx_b200_rows(int nodes) {
  if (nodes == 1) {
    return rows_of(1, 8, 100, CpuVendor::Intel, {16, 45, 45}, {16, 40, 40}, {8, 80, 90}, 32);
  }
  return rows_of(nodes, 8, 100, CpuVendor::Intel, {8, 48, 48}, {8, 96, 48}, {8, 48, 48}, 16);
}

// Racks of 72 GPUs: NCCL's node is the rack.
inline CommunicatorGraphs nvl72_rows(int racks) {
  if (racks == 1) {
    return rows_of(1, 72, 100, CpuVendor::Arm, {16, 45, 45}, {16, 40, 40}, {32, 20, 40}, 32);
  }
  const AlgorithmGraph between{16, 45.1, 45.1, PathType::Nvl, PathType::P2c};
  return rows_of(racks, 72, 100, CpuVendor::Arm, between, between, {32, 20, 40}, 32);
}

// One H200 and one 400G NIC a node.
inline CommunicatorGraphs lone_h200_rows(int nodes) {
  const AlgorithmGraph ring{2, 24, 24, PathType::Loc, PathType::Pix};
  AlgorithmGraph tree{2, 48, 24, PathType::Loc, PathType::Pix};
  tree.pattern = TreePattern::Tree;
  return rows_of(nodes, 1, 90, CpuVendor::Intel, ring, tree, {}, 4);
}

// Two Gen4 GPUs under one switch.
inline CommunicatorGraphs two_pcie_rows() {
  return rows_of(1, 2, 86, CpuVendor::Intel, {2, 12, 12, PathType::Pix}, {2, 20, 20, PathType::Pix},
                 {}, 4);
}

// Eight GPUs on two sockets of Sapphire Rapids.
inline CommunicatorGraphs eight_pcie_rows() {
  return rows_of(1, 8, 86, CpuVendor::Intel, {1, 20, 20, PathType::Sys}, {1, 20, 20, PathType::Sys},
                 {}, 2);
}

}  // namespace ringspan::testing

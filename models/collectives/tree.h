#pragma once

// NCCL's double binary tree: a chain inside each node, a binary tree over the nodes, and a second
// tree for half of the channels in which (almost) every node that was a leaf is interior. Reduce up
// to the root, copy down (NCCL 2.28.9 src/graph/trees.cc, src/graph/connect.cc,
// src/device/all_reduce.h; Sanders, Speck, Traeff, "Two-tree algorithms for full bandwidth
// broadcast, reduction and scan", Parallel Computing 35(12), 2009).

#include <cstdint>
#include <memory>
#include <vector>

#include "models/collectives/algorithm.h"

namespace ringspan {

std::unique_ptr<Algorithm> make_tree();

// The tree over nodes 0..nodes-1 of one half of the channels.
struct NodeTree {
  struct Link {
    std::int32_t parent = -1;  // -1: the root
    int slot = 0;              // which of the parent's two children this node is: 0 or 1
  };
  std::vector<Link> links;  // of each node
};

// variant 0: the first tree, rooted at node 0. variant 1: the second.
NodeTree double_tree(std::int32_t nodes, int variant);

}  // namespace ringspan

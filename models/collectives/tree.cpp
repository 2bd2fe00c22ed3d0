#include "models/collectives/tree.h"

#include <cstddef>
#include <utility>

#include "models/collectives/explicit_schedule.h"
#include "models/collectives/rank_order.h"
#include "models/collectives/transfer.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

// In the first tree a node's height is the number of trailing zeros of its number: odd nodes are
// leaves, node 0 is the root. The parent of a node with lowest set bit b is the neighbour at
// distance b that has a higher one; if that lies beyond the last node, the other neighbour.
std::int32_t first_tree_parent(std::int32_t node, std::int32_t nodes) {
  if (node == 0) return -1;
  const std::int32_t bit = node & -node;
  const std::int32_t below = node - bit;
  const std::int32_t parent = below | (2 * bit);
  return parent < nodes ? parent : below;
}

// Where a node of the second tree sits in the first: mirrored if the number of nodes is even, else
// shifted by one.
std::int32_t place_in_first_tree(std::int32_t node, std::int32_t nodes, int variant) {
  if (variant == 0) return node;
  return nodes % 2 == 0 ? nodes - 1 - node : (node + nodes - 1) % nodes;
}

// The same, back.
std::int32_t node_at_place(std::int32_t place, std::int32_t nodes, int variant) {
  if (variant == 0) return place;
  return nodes % 2 == 0 ? nodes - 1 - place : (place + 1) % nodes;
}

}  // namespace

NodeTree double_tree(std::int32_t nodes, int variant) {
  NodeTree tree;
  for (std::int32_t node = 0; node < nodes; ++node) {
    const std::int32_t place = place_in_first_tree(node, nodes, variant);
    const std::int32_t parent = first_tree_parent(place, nodes);
    NodeTree::Link link;
    if (parent >= 0) {
      link.parent = node_at_place(parent, nodes, variant);
      // The lower child is child 0. The root has only a higher one, so its one child is child 1.
      link.slot = place < parent ? 0 : 1;
    }
    tree.links.push_back(link);
  }
  return tree;
}

namespace {

struct RankTree {
  std::vector<std::int32_t> parent;    // -1: the root
  std::vector<std::int32_t> by_depth;  // all ranks, each after its parent
  std::vector<std::int32_t> depth;     // of each rank
};

// NCCL's BALANCED pattern: the first GPU of a node's chain talks to the parent and to child 0, the
// second, if there is one, to child 1.
std::vector<std::int32_t> rank_parents(const std::vector<std::vector<std::int32_t>>& nodes,
                                       int variant, std::size_t ranks) {
  const NodeTree tree = double_tree(static_cast<std::int32_t>(nodes.size()), variant);
  std::vector<std::int32_t> parents(ranks, -1);
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const std::vector<std::int32_t>& chain = nodes[node];
    for (std::size_t i = 1; i < chain.size(); ++i) {
      parents[static_cast<std::size_t>(chain[i])] = chain[i - 1];
    }
    const NodeTree::Link& link = tree.links[node];
    if (link.parent < 0) continue;
    const std::vector<std::int32_t>& above = nodes[static_cast<std::size_t>(link.parent)];
    const std::size_t gpu = link.slot == 1 && above.size() > 1 ? 1 : 0;
    parents[static_cast<std::size_t>(chain.front())] = above[gpu];
  }
  return parents;
}

RankTree rank_tree(const AlgorithmInput& input) {
  const auto ranks = static_cast<std::size_t>(input.spec.ranks);
  const auto order = visiting_order(input.layout, input.spec.ranks);
  RankTree tree;
  tree.parent = rank_parents(ranks_by_node(input.layout, order), input.variant % 2, ranks);
  std::vector<std::vector<std::int32_t>> children(ranks);
  for (const std::int32_t rank : order) {
    const std::int32_t parent = tree.parent[static_cast<std::size_t>(rank)];
    if (parent < 0) {
      tree.by_depth.push_back(rank);
    } else {
      children[static_cast<std::size_t>(parent)].push_back(rank);
    }
  }
  tree.depth.assign(ranks, 0);
  for (std::size_t next = 0; next < tree.by_depth.size(); ++next) {
    const auto rank = static_cast<std::size_t>(tree.by_depth[next]);
    for (const std::int32_t child : children[rank]) {
      tree.depth[static_cast<std::size_t>(child)] = tree.depth[rank] + 1;
      tree.by_depth.push_back(child);
    }
  }
  RINGSPAN_CHECK(tree.by_depth.size() == ranks, "the tree reaches every rank");
  return tree;
}

// One operation and its place in the rounds.
struct Hop {
  TransferAction action;
  std::int32_t source;
  std::int32_t destination;
  std::int32_t level;  // depth of the child
};

// Up from the deepest rank, then down from the root.
std::vector<Hop> hops_of(const RankTree& tree) {
  std::vector<Hop> hops;
  const auto parent = [&](std::int32_t rank) {
    return tree.parent[static_cast<std::size_t>(rank)];
  };
  const auto depth = [&](std::int32_t rank) { return tree.depth[static_cast<std::size_t>(rank)]; };
  for (auto it = tree.by_depth.rbegin(); it != tree.by_depth.rend(); ++it) {
    if (parent(*it) >= 0) hops.push_back({TransferAction::Reduce, *it, parent(*it), depth(*it)});
  }
  for (const std::int32_t rank : tree.by_depth) {
    if (parent(rank) >= 0) hops.push_back({TransferAction::Copy, parent(rank), rank, depth(rank)});
  }
  return hops;
}

std::unique_ptr<Schedule> tree_schedule(const AlgorithmInput& input) {
  ScheduleBuilder builder(input.spec, {1, 1, Pacing::Slices, RoundOverlap::Pipelined});
  // What has arrived at a rank so far, and what its next send therefore waits for: the reductions
  // into it on the way up and at the root, the copy into it on the way down.
  std::vector<std::vector<OperationId>> arrived(static_cast<std::size_t>(input.spec.ranks));
  Transfer move;
  Round round;
  const Hop* last = nullptr;
  const std::vector<Hop> hops = hops_of(rank_tree(input));
  for (const Hop& hop : hops) {
    set_pair(move, hop.action, hop.source, hop.destination);
    move.blocks.push_back(0);
    const OperationId operation = builder.add(move, arrived[static_cast<std::size_t>(hop.source)]);
    std::vector<OperationId>& there = arrived[static_cast<std::size_t>(hop.destination)];
    if (hop.action == TransferAction::Copy) there.clear();
    there.push_back(operation);
    if (last != nullptr && (last->level != hop.level || last->action != hop.action)) {
      builder.add_round(std::exchange(round, Round{}));
    }
    round.pairs.push_back({hop.source, hop.destination, 1});
    last = &hop;
  }
  if (!round.pairs.empty()) builder.add_round(std::move(round));
  return builder.build();
}

class Tree final : public Algorithm {
 public:
  std::vector<CollectiveKind> collectives() const override { return {CollectiveKind::AllReduce}; }
  int variants(const CollectiveSpec& /*spec*/) const override { return 2; }

  std::unique_ptr<Schedule> build(const AlgorithmInput& input) const override {
    RINGSPAN_CHECK(can(input.spec.kind), "tree does not do this collective");
    return tree_schedule(input);
  }
};

}  // namespace

std::unique_ptr<Algorithm> make_tree() { return std::make_unique<Tree>(); }

}  // namespace ringspan

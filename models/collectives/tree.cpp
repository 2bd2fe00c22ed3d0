#include "models/collectives/tree.h"

#include <cstddef>
#include <utility>

#include "models/collectives/placed_tree.h"
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

// The GPU of a node's chain that talks to a child: the first or, if there is one, the second (NCCL
// 2.28.9 src/graph/trees.cc, src/graph/connect.cc).
std::size_t gpu_of_child(TreePattern pattern, int slot, std::size_t gpus) {
  if (gpus == 1 || pattern == TreePattern::Tree) return 0;
  return pattern == TreePattern::Split || slot == 1 ? 1 : 0;
}

std::vector<std::int32_t> rank_parents(const std::vector<std::vector<std::int32_t>>& nodes,
                                       int variant, TreePattern pattern, std::size_t ranks) {
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
    parents[static_cast<std::size_t>(chain.front())] =
        above[gpu_of_child(pattern, link.slot, above.size())];
  }
  return parents;
}

// With e edges and the ranks in places 0..e of the tree: operation e - i reduces from place i to
// its parent, operation e + i - 1 copies from the parent to place i; so up from the deepest rank,
// then down from the root. A rank sends up once its children's reductions are in, and down once it
// has been copied to; the root once the reductions are in.
class TreeSchedule final : public Schedule {
 public:
  TreeSchedule(const CollectiveSpec& spec, PlacedTree tree)
      : Schedule(spec), tree_(std::move(tree)), edges_(spec.ranks - 1) {}

  std::int64_t block_count() const override { return 1; }
  std::int64_t block_divisor() const override { return 1; }
  OperationId operation_count() const override { return 2 * edges_; }

  void transfer(OperationId operation, Transfer& out) const override {
    const std::int64_t place = place_of(operation);
    if (goes_up(operation)) {
      set_pair(out, TransferAction::Reduce, rank(place), rank(parent(place)));
    } else {
      set_pair(out, TransferAction::Copy, rank(parent(place)), rank(place));
    }
    out.blocks.push_back(0);
  }

  void dependencies(OperationId operation, std::vector<OperationId>& out) const override {
    out.clear();
    const std::int64_t place = place_of(operation);
    const std::int64_t sender = goes_up(operation) ? place : parent(place);
    if (!goes_up(operation) && sender > 0) {
      out.push_back(down(sender));
      return;
    }
    for (std::int64_t child = first_child(sender + 1) - 1; child >= first_child(sender); --child) {
      out.push_back(up(child));
    }
  }

  void dependents(OperationId operation, std::vector<OperationId>& out) const override {
    out.clear();
    const std::int64_t place = place_of(operation);
    const std::int64_t receiver = goes_up(operation) ? parent(place) : place;
    if (goes_up(operation) && receiver > 0) {
      out.push_back(up(receiver));
      return;
    }
    for (std::int64_t child = first_child(receiver); child < first_child(receiver + 1); ++child) {
      out.push_back(down(child));
    }
  }

  Pacing pacing() const override { return Pacing::Slices; }
  RoundOverlap overlap() const override { return RoundOverlap::Pipelined; }

  std::vector<Round> rounds() const override {
    std::vector<Round> rounds;
    const std::size_t depths = tree_.first_place.size() - 1;
    for (std::size_t depth = depths - 1; depth > 0; --depth) {
      rounds.push_back(level(depth, true));
    }
    for (std::size_t depth = 1; depth < depths; ++depth) rounds.push_back(level(depth, false));
    return rounds;
  }

 private:
  bool goes_up(OperationId operation) const { return operation < edges_; }
  std::int64_t place_of(OperationId operation) const {
    return goes_up(operation) ? edges_ - operation : operation - edges_ + 1;
  }
  OperationId up(std::int64_t place) const { return edges_ - place; }
  OperationId down(std::int64_t place) const { return edges_ + place - 1; }
  std::int32_t rank(std::int64_t place) const {
    return tree_.member[static_cast<std::size_t>(place)];
  }
  std::int64_t parent(std::int64_t place) const {
    return tree_.parent[static_cast<std::size_t>(place)];
  }
  std::int64_t first_child(std::int64_t place) const {
    return tree_.first_child[static_cast<std::size_t>(place)];
  }

  Round level(std::size_t depth, bool upwards) const {
    Round round;
    for (std::int64_t p = tree_.first_place[depth]; p < tree_.first_place[depth + 1]; ++p) {
      const std::int32_t below = rank(p);
      const std::int32_t above = rank(parent(p));
      round.pairs.push_back({upwards ? below : above, upwards ? above : below, 1});
    }
    return round;
  }

  PlacedTree tree_;
  std::int64_t edges_;
};

std::unique_ptr<Schedule> tree_schedule(const AlgorithmInput& input) {
  const auto order = visiting_order(input.layout, input.spec.ranks);
  const auto parents = rank_parents(ranks_by_node(input.layout, order), input.variant % 2,
                                    input.tree_pattern, static_cast<std::size_t>(input.spec.ranks));
  return std::make_unique<TreeSchedule>(input.spec, PlacedTree::build(parents, order));
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

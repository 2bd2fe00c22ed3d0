#include "models/collectives/tree.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/collectives/schedule_checker.h"
#include "tests/unit/collectives/schedule_cases.h"

namespace ringspan {
namespace {

using ::testing::ElementsAre;

std::vector<int> parents(std::int32_t nodes, int variant) {
  std::vector<int> parents;
  for (const NodeTree::Link& link : double_tree(nodes, variant).links) {
    parents.push_back(link.parent);
  }
  return parents;
}

std::set<int> interior_nodes_but_the_root(const NodeTree& tree) {
  std::set<int> interior;
  for (const NodeTree::Link& link : tree.links) {
    if (link.parent >= 0 && tree.links[static_cast<std::size_t>(link.parent)].parent >= 0) {
      interior.insert(link.parent);
    }
  }
  return interior;
}

// Child -> parent of every reduction of a tree all_reduce.
std::map<int, int> rank_parents(int ranks, const RankLayout& layout, int variant) {
  const auto schedule =
      build_schedule({"tree", CollectiveKind::AllReduce}, ranks, 0, layout, variant);
  std::map<int, int> parents;
  Transfer move;
  for (OperationId i = 0; i < schedule->operation_count(); ++i) {
    schedule->transfer(i, move);
    if (move.action == TransferAction::Reduce) {
      parents[move.sources.front()] = move.destinations.front();
    }
  }
  return parents;
}

TEST(DoubleTree, OfEightNodesIsTheBitTreeAndItsMirror) {
  // 0 over 4; 4 over 2 and 6; 2 over 1 and 3; 6 over 5 and 7. Mirror: i becomes 7 - i.
  EXPECT_THAT(parents(8, 0), ElementsAre(-1, 2, 4, 2, 0, 6, 4, 6));
  EXPECT_THAT(parents(8, 1), ElementsAre(1, 3, 1, 7, 5, 3, 5, -1));
}

TEST(DoubleTree, OfFiveNodesIsTheBitTreeAndItsShiftByOne) {
  // 0 over 4; 4 over 2 (6 does not exist); 2 over 1 and 3. Shift: i becomes i + 1 mod 5.
  EXPECT_THAT(parents(5, 0), ElementsAre(-1, 2, 4, 2, 0));
  EXPECT_THAT(parents(5, 1), ElementsAre(1, -1, 3, 0, 3));
}

TEST(DoubleTree, NoNodeButARootIsInteriorInBoth) {
  for (std::int32_t nodes = 1; nodes <= 200; ++nodes) {
    const NodeTree first = double_tree(nodes, 0);
    const NodeTree second = double_tree(nodes, 1);
    const std::set<int> interior = interior_nodes_but_the_root(first);
    for (const int node : interior_nodes_but_the_root(second)) {
      EXPECT_FALSE(interior.contains(node)) << nodes << " nodes, node " << node;
    }
  }
}

TEST(DoubleTree, IsBinaryWithDistinctSlotsAndLogarithmicDepth) {
  for (std::int32_t nodes = 1; nodes <= 200; ++nodes) {
    for (const int variant : {0, 1}) {
      const NodeTree tree = double_tree(nodes, variant);
      std::set<std::pair<int, int>> taken;
      int deepest = 0;
      for (std::int32_t node = 0; node < nodes; ++node) {
        const NodeTree::Link& link = tree.links[static_cast<std::size_t>(node)];
        if (link.parent < 0) continue;
        EXPECT_TRUE(taken.insert({link.parent, link.slot}).second);
        int depth = 0;
        for (int up = node; tree.links[static_cast<std::size_t>(up)].parent >= 0; ++depth) {
          up = tree.links[static_cast<std::size_t>(up)].parent;
        }
        deepest = std::max(deepest, depth);
      }
      int log = 0;
      while ((1 << log) < nodes) ++log;
      EXPECT_EQ(deepest, log) << nodes;
    }
  }
}

TEST(TreeSchedule, HangsTheSecondChildOnTheSecondGpuOfTheChain) {
  // Four nodes of two GPUs, first tree: node 0 over 2 (its child 1: there is no lower one), 2 over
  // 1 (child 0) and 3 (child 1). The first GPU of each node talks to the parent.
  const std::map<int, int> expected = {{1, 0}, {3, 2}, {5, 4}, {7, 6},  // chains
                                       {4, 1}, {2, 4}, {6, 5}};
  EXPECT_EQ(rank_parents(8, nodes_of(8, 2), 0), expected);
}

TEST(TreeSchedule, KnowsNcclsThreePatterns) {
  // Four nodes of three GPUs; node 2's children are nodes 1 (child 0) and 3 (child 1).
  const auto parents_of_heads = [](TreePattern pattern) {
    AlgorithmInput input{{CollectiveKind::AllReduce, 12, 0}, nodes_of(12, 3)};
    input.tree_pattern = pattern;
    const auto schedule = make_tree()->build(input);
    std::map<int, int> parents;
    Transfer move;
    for (OperationId i = 0; i < schedule->operation_count(); ++i) {
      schedule->transfer(i, move);
      if (move.action != TransferAction::Reduce) continue;
      if (move.sources.front() % 3 == 0) parents[move.sources.front()] = move.destinations.front();
    }
    EXPECT_THAT(check_schedule(*schedule), ::testing::IsEmpty());
    return parents;
  };
  using Parents = std::map<int, int>;
  EXPECT_EQ(parents_of_heads(TreePattern::Balanced), (Parents{{3, 6}, {6, 1}, {9, 7}}));
  EXPECT_EQ(parents_of_heads(TreePattern::Split), (Parents{{3, 7}, {6, 1}, {9, 7}}));
  EXPECT_EQ(parents_of_heads(TreePattern::Tree), (Parents{{3, 6}, {6, 0}, {9, 6}}));
}

TEST(TreeSchedule, WithOneGpuANodeHangsBothChildrenOnIt) {
  const std::map<int, int> expected = {{2, 0}, {1, 2}, {3, 2}};
  EXPECT_EQ(rank_parents(4, nodes_of(4, 1), 0), expected);
}

TEST(TreeSchedule, FollowsTheOrderInsideANode) {
  RankLayout layout = nodes_of(6, 3);
  layout.order = {2, 0, 1, 4, 5, 3};
  // Chains 2-0-1 and 4-5-3; the second node's first GPU is child 1 of the first node.
  const std::map<int, int> expected = {{0, 2}, {1, 0}, {5, 4}, {3, 5}, {4, 0}};
  EXPECT_EQ(rank_parents(6, layout, 0), expected);
}

TEST(TreeSchedule, OfTwoTreesEveryLeafGpuOfOneCarriesTheOther) {
  // 8 nodes of 1: over both trees every node sends and receives at most 2 + 3 vectors, so half
  // the size on each tree keeps all links busy.
  std::vector<int> edges(8, 0);
  for (const int variant : {0, 1}) {
    for (const auto& [child, parent] : rank_parents(8, nodes_of(8, 1), variant)) {
      ++edges[static_cast<std::size_t>(child)];
      ++edges[static_cast<std::size_t>(parent)];
    }
  }
  // A leaf has 1 edge in one tree and 3 in the other; the roots 1 and 1 as a leaf of the other.
  EXPECT_THAT(edges, ElementsAre(2, 4, 4, 4, 4, 4, 4, 2));
}

}  // namespace
}  // namespace ringspan

#include "models/collectives/nvls_tree.h"

#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/collectives/tree.h"
#include "tests/unit/collectives/schedule_cases.h"
#include "tests/unit/collectives/schedule_measures.h"

namespace ringspan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::unique_ptr<Schedule> nvls_tree(int ranks, const RankLayout& layout, int variant = 0) {
  return build_schedule({"nvlstree", CollectiveKind::AllReduce}, ranks, 0, layout, variant);
}

// What the nodes send to other nodes, in units of the vector.
std::vector<double> sent_between_nodes(const Schedule& schedule, const RankLayout& layout) {
  std::vector<double> sent;
  Transfer move;
  for (OperationId i = 0; i < schedule.operation_count(); ++i) {
    schedule.transfer(i, move);
    const auto from = static_cast<std::size_t>(layout.node[move.sources.front()]);
    const auto to = static_cast<std::size_t>(layout.node[move.destinations.front()]);
    sent.resize(std::max({sent.size(), from + 1, to + 1}));
    if (from != to) sent[from] += 1.0 / static_cast<double>(schedule.block_divisor());
  }
  return sent;
}

TEST(NvlsTree, OfTwoNodesSendsEachNodesVectorOnceBetweenThem) {
  // Up from one node, down from the other: the NICs of a node carry S each way, and algbw may reach
  // the rate of all of them, busbw twice that.
  for (const int per_node : {1, 4, 8}) {
    const RankLayout layout = nodes_of(2 * per_node, per_node);
    for (const int variant : {0, 1}) {
      const auto schedule = nvls_tree(2 * per_node, layout, variant);
      EXPECT_THAT(sent_between_nodes(*schedule, layout), ElementsAre(1, 1));
    }
  }
}

TEST(NvlsTree, SendsTwoVectorsPerTreeEdgeBetweenTheNodes) {
  // N - 1 edges, one vector up and one down each. Over both trees a node that is no root has two to
  // four edges: 4 nodes: tree 0 is 0-2, 2-1, 2-3, tree 1 its mirror.
  for (const int nodes : {3, 4, 9, 16}) {
    const RankLayout layout = nodes_of(4 * nodes, 4);
    const auto sent = sent_between_nodes(*nvls_tree(4 * nodes, layout), layout);
    EXPECT_DOUBLE_EQ(std::accumulate(sent.begin(), sent.end(), 0.0), 2 * (nodes - 1));
  }
  const RankLayout four = nodes_of(32, 8);
  EXPECT_THAT(sent_between_nodes(*nvls_tree(32, four, 0), four), ElementsAre(1, 1, 3, 1));
  EXPECT_THAT(sent_between_nodes(*nvls_tree(32, four, 1), four), ElementsAre(1, 3, 1, 1));
}

TEST(NvlsTree, MovesOnePlusOnePthInTheSwitchAndOnePthPerTreeEdge) {
  // Of 2 nodes of 4: 1 for the switch to reduce and 1/4 multicast as a head; 1/4 over the one edge.
  expect_everyone(*nvls_tree(8, nodes_of(8, 4)), 1.5, 1.5);
  // One rank a node: only the edges. Tree 0 of 4: node 2 has three.
  const Volume alone = volume(*nvls_tree(4, nodes_of(4, 1)));
  EXPECT_THAT(alone.sent, ElementsAre(1, 1, 3, 1));
  EXPECT_THAT(alone.received, ElementsAre(1, 1, 3, 1));
}

TEST(NvlsTree, TakesTwoStepsInTheSwitchesAndTwoPerLevel) {
  for (const int nodes : {1, 2, 3, 4, 5, 8, 13, 16}) {
    EXPECT_EQ(steps(*nvls_tree(8 * nodes, nodes_of(8 * nodes, 8))), 2 + 2 * ceil_log2(nodes));
    if (nodes == 1) continue;
    EXPECT_EQ(steps(*nvls_tree(nodes, nodes_of(nodes, 1))), 2 * ceil_log2(nodes));
  }
}

TEST(NvlsTree, HasAsManyHeadsAsTheSmallestNodeHasRanks) {
  RankLayout layout;
  layout.node = {0, 0, 0, 1, 1, 2, 2, 2, 2};
  const auto schedule = nvls_tree(9, layout);
  EXPECT_EQ(schedule->block_count(), 2);
  Transfer move;
  schedule->transfer(0, move);  // in the root, node 0
  EXPECT_THAT(move.sources, ElementsAre(0, 1, 2));
  EXPECT_THAT(move.destinations, ElementsAre(0));
  schedule->transfer(1, move);
  EXPECT_THAT(move.destinations, ElementsAre(1));
}

TEST(NvlsTree, JoinsHeadsOfOneIndexAsTheDoubleTreeJoinsNodes) {
  for (const int variant : {0, 1}) {
    const NodeTree tree = double_tree(5, variant);
    const auto schedule = nvls_tree(15, nodes_of(15, 3), variant);
    Transfer move;
    int ups = 0;
    for (OperationId i = 0; i < schedule->operation_count(); ++i) {
      schedule->transfer(i, move);
      if (move.action != TransferAction::Reduce || move.sources.size() > 1) continue;
      ++ups;
      const std::int32_t from = move.sources.front();
      const std::int32_t to = move.destinations.front();
      EXPECT_EQ(to % 3, from % 3);
      EXPECT_EQ(to / 3, tree.links[static_cast<std::size_t>(from / 3)].parent);
    }
    EXPECT_EQ(ups, 4 * 3);
  }
}

TEST(NvlsTree, IsNotUsedOnOneNode) {
  const auto algorithm = make_nvls_tree();
  EXPECT_THAT(algorithm->layout_bar({{CollectiveKind::AllReduce, 8, 0}, {}}),
              HasSubstr("at least two nodes"));
  EXPECT_THAT(algorithm->layout_bar({{CollectiveKind::AllReduce, 8, 0}, nodes_of(8, 8)}),
              HasSubstr("at least two nodes"));
  EXPECT_THAT(algorithm->layout_bar({{CollectiveKind::AllReduce, 8, 0}, nodes_of(8, 4)}),
              IsEmpty());
}

TEST(NvlsTree, IsAFormulaAt131072Ranks) {
  const int ranks = 131'072;
  const auto schedule = nvls_tree(ranks, nodes_of(ranks, 8));
  // 16,384 nodes of 8 heads: a reduction and a multicast each, and 16,383 edges both ways.
  EXPECT_EQ(schedule->operation_count(), 8 * (2 * 16'384 + 2 * 16'383));
  EXPECT_EQ(schedule->rounds().size(), 2u + 2 * 14);
}

}  // namespace
}  // namespace ringspan

// What the algorithms for several nodes move, inside the nodes and between them, and in how many
// steps. See docs/models.md, Schedules. n ranks, N nodes of m each.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/collectives/schedule_checker.h"
#include "tests/unit/collectives/schedule_cases.h"
#include "tests/unit/collectives/schedule_measures.h"

namespace ringspan {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using enum CollectiveKind;

// What every node sends to others, in units of the collective's size.
std::vector<double> leaves_node(const Schedule& schedule, const RankLayout& layout) {
  const auto node = [&](std::int32_t rank) { return layout.node[static_cast<std::size_t>(rank)]; };
  std::vector<double> sent(static_cast<std::size_t>(layout.node.back()) + 1);
  Transfer move;
  for (OperationId i = 0; i < schedule.operation_count(); ++i) {
    schedule.transfer(i, move);
    const auto blocks =
        static_cast<double>(move.blocks.size()) / static_cast<double>(schedule.block_divisor());
    for (const std::int32_t source : move.sources) {
      const bool leaves = std::any_of(move.destinations.begin(), move.destinations.end(),
                                      [&](std::int32_t to) { return node(to) != node(source); });
      if (leaves) sent[static_cast<std::size_t>(node(source))] += blocks;
    }
  }
  return sent;
}

// Equal in every node.
void expect_leaves_node(const Schedule& schedule, const RankLayout& layout, double expected) {
  EXPECT_THAT(leaves_node(schedule, layout), Each(::testing::DoubleNear(expected, 1e-12)));
}

TEST(MultiNode, ARingSendsNearlyTwoVectorsOutOfEveryNode) {
  // In each of 2 (n - 1) steps one block of S / n leaves a node, by its last rank.
  for (const int nodes : {2, 4, 8}) {
    const int n = 8 * nodes;
    const RankLayout layout = nodes_of(n, 8);
    const auto schedule = build_schedule({"ring", AllReduce}, n, 0, layout);
    expect_leaves_node(*schedule, layout, 2.0 * (n - 1) / n);
  }
}

TEST(MultiNode, ATreeOfTwoNodesSendsOneVectorEachWay) {
  const RankLayout layout = nodes_of(16, 8);
  for (const int variant : {0, 1}) {
    const auto schedule = build_schedule({"tree", AllReduce}, 16, 0, layout, variant);
    EXPECT_THAT(leaves_node(*schedule, layout), ElementsAre(1, 1));
  }
}

TEST(MultiNode, HierarchicalSendsOutOfANodeOnlyWhatItMust) {
  for (const int nodes : {2, 4, 8}) {
    const int n = 4 * nodes;
    const RankLayout layout = nodes_of(n, 4);
    const double share = (nodes - 1.0) / nodes;
    const auto all_reduce = build_schedule({"hierarchical", AllReduce}, n, 0, layout);
    expect_leaves_node(*all_reduce, layout, 2 * share);
    expect_everyone(*all_reduce, 2 * (n - 1.0) / n, 2 * (n - 1.0) / n);
    EXPECT_EQ(steps(*all_reduce), 2 * 3 + 2 * (nodes - 1));
    EXPECT_EQ(all_reduce->rounds().size(), 4u);  // repeated
    for (const CollectiveKind kind : {AllGather, ReduceScatter}) {
      const auto half = build_schedule({"hierarchical", kind}, n, 0, layout);
      expect_leaves_node(*half, layout, share);
      expect_everyone(*half, (n - 1.0) / n, (n - 1.0) / n);
      EXPECT_EQ(steps(*half), 3 + nodes - 1);
    }
    // Each of 4 ranks has (N - 1) / N of its data for other nodes; 3/4 goes to another rank first.
    const auto alltoall = build_schedule({"hierarchical", AllToAll}, n, 0, layout);
    expect_leaves_node(*alltoall, layout, 4 * share);
    expect_everyone(*alltoall, 0.75 + share, 0.75 + share);
    EXPECT_EQ(steps(*alltoall), 3 + nodes - 1);
  }
}

TEST(MultiNode, HierarchicalStaysOnItsRailBetweenNodes) {
  for (const CollectiveKind kind : {AllReduce, AllGather, ReduceScatter, AllToAll}) {
    const auto schedule = build_schedule({"hierarchical", kind}, 24, 0, nodes_of(24, 4));
    Transfer move;
    for (OperationId i = 0; i < schedule->operation_count(); ++i) {
      schedule->transfer(i, move);
      const std::int32_t from = move.sources.front();
      const std::int32_t to = move.destinations.front();
      EXPECT_TRUE(from / 4 == to / 4 || from % 4 == to % 4) << from << " to " << to;
    }
  }
}

TEST(MultiNode, HierarchicalCutsUnequalNodesInGroupsOfACommonSize) {
  // Nodes of 4, 2 and 6: groups of 2, six of them.
  RankLayout layout;
  layout.node = {0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 2, 2};
  EXPECT_EQ(steps(*build_schedule({"hierarchical", AllReduce}, 12, 0, layout)), 2 * 1 + 2 * 5);
  // 3 and 2 have no common divisor: a ring over all five.
  layout.node = {0, 0, 0, 1, 1};
  EXPECT_EQ(steps(*build_schedule({"hierarchical", AllReduce}, 5, 0, layout)), 2 * 4);
}

TEST(MultiNode, HierarchicalIsAFormulaAt131072Ranks) {
  const int n = 131'072;
  const auto schedule = build_schedule({"hierarchical", AllReduce}, n, 0, nodes_of(n, 8));
  EXPECT_EQ(schedule->operation_count(), (2 * 7 + 2 * 16'383LL) * n);
  const auto rounds = schedule->rounds();
  ASSERT_EQ(rounds.size(), 4u);
  EXPECT_EQ(rounds[1].repeat, 16'383);
  EXPECT_EQ(rounds[1].pairs.size(), static_cast<std::size_t>(n));
}

TEST(MultiNode, PatTakesCeilLog2StepsFarAndSmallFirst) {
  for (const int n : {2, 3, 5, 8, 16, 33}) {
    for (const CollectiveKind kind : {AllGather, ReduceScatter}) {
      const auto schedule = build_schedule({"pat", kind}, n);
      EXPECT_EQ(steps(*schedule), ceil_log2(n));
      expect_everyone(*schedule, (n - 1.0) / n, (n - 1.0) / n);
    }
  }
  // Distance and blocks of 8 ranks' rounds: 4 x 1, 2 x 2, 1 x 4; back in the other order.
  const auto distances = [](CollectiveKind kind) {
    std::vector<std::pair<int, int>> result;
    for (const Round& round : build_schedule({"pat", kind}, 8)->rounds()) {
      const PairEdge& edge = round.pairs.front();
      const int onwards = (edge.destination - edge.source + 8) % 8;
      result.emplace_back(std::min(onwards, 8 - onwards), static_cast<int>(edge.block_count));
    }
    return result;
  };
  EXPECT_THAT(distances(AllGather), ElementsAre(std::pair(4, 1), std::pair(2, 2), std::pair(1, 4)));
  EXPECT_THAT(distances(ReduceScatter),
              ElementsAre(std::pair(1, 4), std::pair(2, 2), std::pair(4, 1)));
}

TEST(MultiNode, CollnetDirectSendsOneVectorOutOfEveryNode) {
  for (const int nodes : {2, 4, 8}) {
    const int n = 4 * nodes;
    const RankLayout layout = nodes_of(n, 4);
    const auto all_reduce = build_schedule({"collnetdirect", AllReduce}, n, 0, layout);
    expect_leaves_node(*all_reduce, layout, 1);
    // To three heads and back as a head: 2 x 3/4; 1/4 through the network.
    expect_everyone(*all_reduce, 1.75, 1.75);
    EXPECT_EQ(steps(*all_reduce), 3);
    // A node's shares once; of a sum for every node its part.
    const auto gather = build_schedule({"collnetdirect", AllGather}, n, 0, layout);
    expect_leaves_node(*gather, layout, 1.0 / nodes);
    EXPECT_EQ(steps(*gather), 3);
    const Volume volume_of_gather = volume(*gather);
    // A quarter of the own share to three heads, a quarter of everybody else's to three ranks, and
    // a quarter of the node's shares to the network.
    const double sent = 3.0 / (4 * n) + 3.0 * (n - 1) / (4 * n) + 1.0 / n;
    EXPECT_THAT(volume_of_gather.sent, Each(::testing::DoubleNear(sent, 1e-12)));
    const auto scatter = build_schedule({"collnetdirect", ReduceScatter}, n, 0, layout);
    expect_leaves_node(*scatter, layout, (nodes - 1.0) / nodes);
    EXPECT_EQ(steps(*scatter), 3);
  }
}

TEST(MultiNode, CollnetChainIsAChainUpToTheHeadAndDown) {
  RankLayout layout = nodes_of(12, 4);
  layout.order = {0, 1, 2, 3, 6, 7, 4, 5, 8, 9, 10, 11};
  const auto schedule = build_schedule({"collnetchain", AllReduce}, 12, 0, layout);
  expect_leaves_node(*schedule, layout, 1);
  EXPECT_EQ(steps(*schedule), 2 * 3 + 1);
  // The head of the second node is the first in its order: one vector to the network and one down.
  const Volume v = volume(*schedule);
  EXPECT_EQ(v.sent[6], 2);
  EXPECT_EQ(v.sent[5], 1);  // the far end
}

TEST(MultiNode, NvlsReducesInTheNetworkBetweenNodes) {
  const RankLayout layout = nodes_of(16, 8);
  const auto schedule = build_schedule({"nvls", AllReduce}, 16, 0, layout);
  expect_leaves_node(*schedule, layout, 1);
  // As on one node 1 + 1/8, and 1/8 through the network.
  expect_everyone(*schedule, 1.25, 1.25);
  EXPECT_EQ(steps(*schedule), 3);
}

TEST(MultiNode, AlgorithmsSayWhyALayoutIsNotForThem) {
  const auto algorithms = builtin_algorithms();
  const auto bar = [&](const char* name, CollectiveKind kind, int n, const RankLayout& layout) {
    return algorithms.at(name).factory()->layout_bar({{kind, n, 0}, layout});
  };
  for (const char* name : {"collnetdirect", "collnetchain"}) {
    EXPECT_EQ(bar(name, AllReduce, 8, {}),
              "needs at least two nodes: the network reduces between them");
    EXPECT_EQ(bar(name, AllReduce, 20, nodes_of(20, 10)),
              "is for 8 ranks of a node at most, and a node has 10");
    EXPECT_THAT(bar(name, AllReduce, 16, nodes_of(16, 8)), IsEmpty());
    EXPECT_TRUE(algorithms.at(name).factory()->needs_network_reduction(nodes_of(16, 8)));
  }
  EXPECT_THAT(bar("nvls", AllReduce, 16, nodes_of(16, 8)), IsEmpty());
  EXPECT_THAT(bar("nvls", AllGather, 16, nodes_of(16, 8)), HasSubstr("all_reduce alone"));
  EXPECT_THAT(bar("nvls", AllGather, 8, nodes_of(8, 8)), IsEmpty());
  const auto nvls = algorithms.at("nvls").factory();
  EXPECT_TRUE(nvls->needs_network_reduction(nodes_of(16, 8)));
  EXPECT_FALSE(nvls->needs_network_reduction(nodes_of(8, 8)));
  EXPECT_FALSE(nvls->needs_network_reduction({}));
}

}  // namespace
}  // namespace ringspan

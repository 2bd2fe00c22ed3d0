// What an algorithm moves and in how many steps: a schedule may be proven right and still be the
// wrong algorithm.

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "tests/unit/collectives/schedule_cases.h"
#include "tests/unit/collectives/schedule_measures.h"

namespace ringspan {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum CollectiveKind;

TEST(ScheduleShapes, RingMovesTwoTimesNMinusOneNthsPerRankInTwoTimesNMinusOneSteps) {
  for (const int n : {2, 3, 8, 17}) {
    const double share = (n - 1.0) / n;
    const auto all_reduce = build_schedule({"ring", AllReduce}, n);
    expect_everyone(*all_reduce, 2 * share, 2 * share);
    EXPECT_EQ(steps(*all_reduce), 2 * (n - 1));
    for (const CollectiveKind kind : {AllGather, ReduceScatter}) {
      const auto half = build_schedule({"ring", kind}, n);
      expect_everyone(*half, share, share);
      EXPECT_EQ(steps(*half), n - 1);
    }
  }
}

TEST(ScheduleShapes, RingSendsOnlyToTheNextInTheOrder) {
  const RankLayout layout{{}, {2, 0, 3, 1}};
  const auto schedule = build_schedule({"ring", AllReduce}, 4, 0, layout);
  std::set<std::pair<int, int>> edges;
  Transfer move;
  for (OperationId i = 0; i < schedule->operation_count(); ++i) {
    schedule->transfer(i, move);
    edges.insert({move.sources.front(), move.destinations.front()});
  }
  EXPECT_EQ(edges, (std::set<std::pair<int, int>>{{2, 0}, {0, 3}, {3, 1}, {1, 2}}));
}

TEST(ScheduleShapes, RingBroadcastIsAChainFromTheRootAndReduceOneToIt) {
  const RankLayout layout{{}, {2, 0, 3, 1}};
  const auto hops = [&](CollectiveKind kind) {
    std::vector<std::pair<int, int>> edges;
    Transfer move;
    const auto schedule = build_schedule({"ring", kind}, 4, 3, layout);
    for (OperationId i = 0; i < schedule->operation_count(); ++i) {
      schedule->transfer(i, move);
      edges.emplace_back(move.sources.front(), move.destinations.front());
    }
    EXPECT_EQ(steps(*schedule), 3);
    return edges;
  };
  EXPECT_THAT(hops(Broadcast), ElementsAre(std::pair(3, 1), std::pair(1, 2), std::pair(2, 0)));
  EXPECT_THAT(hops(Reduce), ElementsAre(std::pair(1, 2), std::pair(2, 0), std::pair(0, 3)));
}

TEST(ScheduleShapes, NvlsMovesOnePlusOneNthBothWays) {
  // Up: its own vector for the switch to reduce, and the reduced block of which it is the head.
  // Down: that block, and the multicasts of all heads, its own included.
  for (const int n : {2, 8, 72}) {
    const auto all_reduce = build_schedule({"nvls", AllReduce}, n);
    expect_everyone(*all_reduce, 1 + 1.0 / n, 1 + 1.0 / n);
    EXPECT_EQ(steps(*all_reduce), 2);
    const auto all_gather = build_schedule({"nvls", AllGather}, n);
    expect_everyone(*all_gather, 1.0 / n, 1);
    EXPECT_EQ(steps(*all_gather), 1);
    expect_everyone(*build_schedule({"nvls", ReduceScatter}, n), 1, 1.0 / n);
  }
}

TEST(ScheduleShapes, HalvingDoublingMovesTheLeastInTwoLogSteps) {
  for (const int n : {2, 4, 16, 64}) {
    const double share = (n - 1.0) / n;
    const auto all_reduce = build_schedule({"halving-doubling", AllReduce}, n);
    expect_everyone(*all_reduce, 2 * share, 2 * share);
    EXPECT_EQ(steps(*all_reduce), 2 * ceil_log2(n));
    for (const CollectiveKind kind : {AllGather, ReduceScatter}) {
      const auto half = build_schedule({"halving-doubling", kind}, n);
      expect_everyone(*half, share, share);
      EXPECT_EQ(steps(*half), ceil_log2(n));
    }
  }
}

TEST(ScheduleShapes, HalvingDoublingFoldsTheRanksBeyondAPowerOfTwo) {
  // Of 6 ranks 0 and 2 are folded into 1 and 3: they send all and get all, and no more. The four
  // members exchange 2 x 3/4; two of them also serve a folded rank.
  const auto schedule = build_schedule({"halving-doubling", AllReduce}, 6);
  EXPECT_THAT(volume(*schedule).sent, ElementsAre(1, 2.5, 1, 2.5, 1.5, 1.5));
  EXPECT_THAT(volume(*schedule).received, ElementsAre(1, 2.5, 1, 2.5, 1.5, 1.5));
  EXPECT_EQ(steps(*schedule), 2 * 2 + 2);
  EXPECT_EQ(schedule->rounds().size(), 6u);
}

TEST(ScheduleShapes, BruckTakesCeilLog2Steps) {
  for (const int n : {2, 3, 5, 8, 33}) {
    const auto all_gather = build_schedule({"bruck", AllGather}, n);
    EXPECT_EQ(steps(*all_gather), ceil_log2(n));
    expect_everyone(*all_gather, (n - 1.0) / n, (n - 1.0) / n);
    const auto alltoall = build_schedule({"bruck", AllToAll}, n);
    EXPECT_EQ(steps(*alltoall), ceil_log2(n));
    // A block with k positions to go is sent once per binary digit of k.
    int sends = 0;
    for (int k = 1; k < n; ++k) {
      for (int rest = k; rest > 0; rest /= 2) sends += rest % 2;
    }
    expect_everyone(*alltoall, static_cast<double>(sends) / n, static_cast<double>(sends) / n);
  }
}

TEST(ScheduleShapes, PairwiseMeetsEveryPartnerOnceOneStepAfterAnother) {
  for (const CollectiveKind kind : {AllToAll, ReduceScatter}) {
    const auto schedule = build_schedule({"pairwise", kind}, 7);
    EXPECT_EQ(steps(*schedule), 6);
    EXPECT_EQ(schedule->rounds().size(), 6u);
    expect_everyone(*schedule, 6.0 / 7, 6.0 / 7);
    std::set<std::pair<int, int>> met;
    Transfer move;
    for (OperationId i = 0; i < schedule->operation_count(); ++i) {
      schedule->transfer(i, move);
      // Step s goes s ranks on.
      EXPECT_EQ((move.destinations.front() - move.sources.front() + 7) % 7, i / 7 + 1);
      met.insert({move.sources.front(), move.destinations.front()});
    }
    EXPECT_EQ(met.size(), 42u);
  }
}

TEST(ScheduleShapes, DirectSendsEverythingAtOnceAndNothingTwice) {
  const int n = 6;
  const auto all_reduce = build_schedule({"direct", AllReduce}, n);
  expect_everyone(*all_reduce, 10.0 / 6, 10.0 / 6);
  EXPECT_EQ(steps(*all_reduce), 2);
  for (const CollectiveKind kind : {AllGather, ReduceScatter, AllToAll}) {
    const auto schedule = build_schedule({"direct", kind}, n);
    expect_everyone(*schedule, 5.0 / 6, 5.0 / 6);
    EXPECT_EQ(steps(*schedule), 1);
    EXPECT_EQ(schedule->operation_count(), n * (n - 1));
  }
  // sendrecv: size is one rank's vector.
  expect_everyone(*build_schedule({"direct", SendRecv}, n), 1, 1);
  // The root sends 1/6 to each of 5; a vector to each in a broadcast.
  EXPECT_THAT(volume(*build_schedule({"direct", Scatter}, n, 2)).sent,
              ElementsAre(0, 0, 5.0 / 6, 0, 0, 0));
  EXPECT_THAT(volume(*build_schedule({"direct", Gather}, n, 2)).received,
              ElementsAre(0, 0, 5.0 / 6, 0, 0, 0));
  EXPECT_THAT(volume(*build_schedule({"direct", Broadcast}, n, 2)).sent,
              ElementsAre(0, 0, 5, 0, 0, 0));
  EXPECT_THAT(volume(*build_schedule({"direct", Reduce}, n, 2)).received,
              ElementsAre(0, 0, 5, 0, 0, 0));
}

// The ranks that rank 0 sends to, in order of the operations.
std::vector<int> peers_of_rank_0(const ScheduleCase& which, int n, const RankLayout& layout) {
  const auto schedule = build_schedule(which, n, 0, layout);
  std::vector<int> peers;
  Transfer move;
  for (OperationId i = 0; i < schedule->operation_count(); ++i) {
    schedule->transfer(i, move);
    if (move.sources.front() == 0) peers.push_back(move.destinations.front());
  }
  return peers;
}

TEST(ScheduleShapes, P2pVisitsGroupsAtQuadraticDistances) {
  // NCCL 2.28.9 src/init.cc: distances 0, 1, 3, 6, 10, ... modulo the next power of two.
  EXPECT_THAT(peers_of_rank_0({"p2p", AllToAll}, 16, nodes_of(16, 1)),
              ElementsAre(1, 3, 6, 10, 15, 5, 12, 4, 13, 7, 2, 14, 11, 9, 8));
  EXPECT_THAT(peers_of_rank_0({"p2p", AllToAll}, 6, nodes_of(6, 1)), ElementsAre(1, 3, 2, 5, 4));
  // Nodes of 4: the own group first, then the group at distance 1.
  EXPECT_THAT(peers_of_rank_0({"p2p", AllToAll}, 8, nodes_of(8, 4)),
              ElementsAre(1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(peers_of_rank_0({"p2p", Scatter}, 4, {}), ElementsAre(1, 2, 3));
}

TEST(ScheduleShapes, TreeOnOneNodeIsAChainUpAndDown) {
  for (const int variant : {0, 1}) {
    const auto schedule = build_schedule({"tree", AllReduce}, 8, 0, {}, variant);
    // The ends of the chain send and receive once, the others on both sides.
    EXPECT_THAT(volume(*schedule).sent, ElementsAre(1, 2, 2, 2, 2, 2, 2, 1));
    EXPECT_THAT(volume(*schedule).received, ElementsAre(1, 2, 2, 2, 2, 2, 2, 1));
    EXPECT_EQ(steps(*schedule), 14);
    EXPECT_EQ(schedule->rounds().size(), 14u);
  }
}

TEST(ScheduleShapes, RoundsCarryExactlyTheOperationsBlocksPerEdge) {
  using Edge = std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>;
  for (const ScheduleCase& which : all_schedule_cases()) {
    for (const int n : {1, 2, 3, 4, 6, 7, 12, 16, 31}) {
      for (const RankLayout& layout :
           {RankLayout{}, permuted(uneven_nodes(n), n), dealt_nodes(n, 3), nodes_of(n, 1)}) {
        const auto schedule = build_schedule(which, n, n / 2, layout, n % 2);
        std::map<Edge, std::int64_t> by_operation;
        Transfer move;
        for (OperationId i = 0; i < schedule->operation_count(); ++i) {
          schedule->transfer(i, move);
          by_operation[{move.sources, move.destinations}] +=
              static_cast<std::int64_t>(move.blocks.size());
        }
        std::map<Edge, std::int64_t> by_round;
        std::int64_t listed = 0;
        for (const Round& round : schedule->rounds()) {
          listed += static_cast<std::int64_t>(round.pairs.size() + round.switched.size());
          for (const SwitchedNode& node : round.nodes) listed += node.heads;
          round.for_each_pair(n, [&](std::int32_t from, std::int32_t to, std::int64_t blocks) {
            by_round[{{from}, {to}}] += round.repeat * blocks;
          });
          round.for_each_switched([&](const auto& from, const auto& to, std::int64_t blocks) {
            by_round[{{from.begin(), from.end()}, {to.begin(), to.end()}}] += round.repeat * blocks;
          });
        }
        EXPECT_EQ(by_operation, by_round)
            << which.algorithm << ' ' << collective_name(which.kind) << ' ' << n;
        EXPECT_LE(listed, schedule->listed_edges())
            << which.algorithm << ' ' << collective_name(which.kind) << ' ' << n;
      }
    }
  }
}

TEST(ScheduleShapes, ThereAreAsManyRoundsAsSteps) {
  for (const ScheduleCase& which : all_schedule_cases()) {
    for (const int n : {2, 3, 8, 11, 16}) {
      for (const RankLayout& layout : {RankLayout{}, nodes_of(n, 4)}) {
        const auto schedule = build_schedule(which, n, n - 1, layout);
        std::int64_t rounds = 0;
        for (const Round& round : schedule->rounds()) rounds += round.repeat;
        EXPECT_EQ(rounds, steps(*schedule))
            << which.algorithm << ' ' << collective_name(which.kind) << ' ' << n;
      }
    }
  }
}

TEST(ScheduleShapes, NcclsOwnPatternsGoBySlicesTheOthersByMessages) {
  for (const ScheduleCase& which : all_schedule_cases()) {
    const std::string& name = which.algorithm;
    const bool slices = name == "ring" || name == "tree" || name == "pat" ||
                        name.starts_with("nvls") || name.starts_with("collnet");
    const bool chain = which.kind == Broadcast || which.kind == Reduce;
    const auto schedule = build_schedule(which, 4);
    EXPECT_EQ(schedule->pacing(), slices ? Pacing::Slices : Pacing::Messages) << name;
    EXPECT_EQ(schedule->overlap(), slices && (name != "ring" || chain) ? RoundOverlap::Pipelined
                                                                       : RoundOverlap::Sequential)
        << name;
    for (const Round& round : schedule->rounds()) EXPECT_EQ(round.coupled, slices) << name;
  }
}

TEST(ScheduleShapes, LargeSchedulesAreFormulas) {
  // 2 x 4,095 steps of 4,096 sends; the formulas of both directions agree wherever we look.
  EXPECT_EQ(build_schedule({"ring", AllReduce}, 4'096)->operation_count(), 33'546'240);
  Random random(4);
  for (const ScheduleCase& which :
       {ScheduleCase{"ring", AllReduce}, ScheduleCase{"pairwise", AllToAll},
        ScheduleCase{"bruck", AllGather}, ScheduleCase{"halving-doubling", AllReduce}}) {
    const auto schedule = build_schedule(which, 100'003);
    std::vector<OperationId> after;
    std::vector<OperationId> followers;
    for (int i = 0; i < 200; ++i) {
      const auto operation = static_cast<OperationId>(
          random.below(static_cast<std::uint64_t>(schedule->operation_count())));
      schedule->dependencies(operation, after);
      for (const OperationId dependency : after) {
        ASSERT_LT(dependency, operation);
        schedule->dependents(dependency, followers);
        EXPECT_THAT(followers, Contains(operation)) << which.algorithm;
      }
    }
  }
}

TEST(ScheduleShapes, BlocksBelongToTheRankTheyAreNumberedAfter) {
  const auto gather = build_schedule({"ring", AllGather}, 4);
  EXPECT_EQ(gather->block_owner(3), 3);
  // alltoall: block source * n + destination.
  EXPECT_EQ(build_schedule({"direct", AllToAll}, 4)->block_owner(7), 1);
  EXPECT_THROW(build_schedule({"ring", AllReduce}, 4)->block_owner(0), std::logic_error);
}

}  // namespace
}  // namespace ringspan

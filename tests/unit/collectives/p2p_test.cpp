#include "models/collectives/p2p.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/collectives/schedule_checker.h"
#include "tests/unit/collectives/schedule_cases.h"
#include "tests/unit/collectives/schedule_measures.h"

namespace ringspan {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum CollectiveKind;

std::unique_ptr<Schedule> p2p(CollectiveKind kind, int ranks, std::int64_t at_once,
                              const RankLayout& layout = {}) {
  AlgorithmInput input{{kind, ranks, 0}, layout};
  input.peers_at_once = at_once;
  return make_p2p()->build(input);
}

TEST(PeersAtOnce, AreProvenAndTakeOneStepPerBatch) {
  for (const int n : {2, 3, 8, 12, 17}) {
    for (const RankLayout& layout : {RankLayout{}, nodes_of(n, 4), uneven_nodes(n)}) {
      for (const int at_once : {1, 2, 3, 8}) {
        for (const CollectiveKind kind : {AllToAll, Gather, Scatter}) {
          const auto schedule = p2p(kind, n, at_once, layout);
          EXPECT_THAT(check_schedule(*schedule), IsEmpty());
          const int batches = (n - 1 + at_once - 1) / at_once;
          EXPECT_EQ(schedule->rounds().size(), static_cast<std::size_t>(batches));
          EXPECT_EQ(steps(*schedule), batches);
        }
      }
    }
  }
}

TEST(PeersAtOnce, ChangeNothingWhereAllFit) {
  for (const std::int64_t at_once : {0, 7, 8, 100}) {
    const auto schedule = p2p(AllToAll, 8, at_once);
    const auto rounds = schedule->rounds();
    ASSERT_EQ(rounds.size(), 1u);
    EXPECT_EQ(rounds.front().all_pairs, 1);
    EXPECT_EQ(steps(*schedule), 1);
  }
}

TEST(PeersAtOnce, BatchesFollowNcclsRounds) {
  // 16 nodes of one rank: distances 0, 1, 3, 6, 10, ... (see the shapes of p2p), four at a time.
  const auto schedule = p2p(AllToAll, 16, 4, nodes_of(16, 1));
  std::vector<std::vector<int>> peers_of_rank_0;
  for (const Round& round : schedule->rounds()) {
    auto& peers = peers_of_rank_0.emplace_back();
    for (const PairEdge& edge : round.pairs) {
      if (edge.source == 0) peers.push_back(edge.destination);
    }
  }
  EXPECT_THAT(peers_of_rank_0, ElementsAre(ElementsAre(1, 3, 6, 10), ElementsAre(15, 5, 12, 4),
                                           ElementsAre(13, 7, 2, 14), ElementsAre(11, 9, 8)));
}

TEST(PeersAtOnce, AreOneBatchOfAllPairsBeyond1024Ranks) {
  const auto rounds = p2p(AllToAll, 1'032, 64, nodes_of(1'032, 8))->rounds();
  ASSERT_EQ(rounds.size(), 1u);
  EXPECT_EQ(rounds.front().all_pairs, 1);
  EXPECT_THAT(rounds.front().pairs, IsEmpty());
}

TEST(PeersAtOnce, OfNcclAreEightPerChannelOverTheChannelsOfAPeer) {
  EXPECT_EQ(p2p_peers_at_once(32, 32, 1), 0);
  // DGX H100, 16 channels: two for a peer, 8 x 16 / 2; one where there are many peers.
  EXPECT_EQ(p2p_peers_at_once(16, 2, 2), 64);
  EXPECT_EQ(p2p_peers_at_once(16, 1, 5), 128);
  EXPECT_EQ(p2p_peers_at_once(1, 1, 2), 8);
}

}  // namespace
}  // namespace ringspan

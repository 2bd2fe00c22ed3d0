// Every registered algorithm, for every collective it does, is proven for many rank counts, roots
// and layouts.

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/collectives/schedule_checker.h"
#include "tests/unit/collectives/schedule_cases.h"

namespace ringspan {
namespace {

using ::testing::IsEmpty;

std::set<int> roots(CollectiveKind kind, int ranks) {
  if (!collective_has_root(kind)) return {0};
  return {0, ranks / 2, ranks - 1};
}

class ProvenAlgorithm : public ::testing::TestWithParam<ScheduleCase> {
 protected:
  void prove(int ranks, const RankLayout& layout) {
    const auto algorithm = builtin_algorithms().at(GetParam().algorithm).factory();
    for (const int root : roots(GetParam().kind, ranks)) {
      const CollectiveSpec spec{GetParam().kind, ranks, root};
      for (int variant = 0; variant < algorithm->variants(spec); ++variant) {
        const auto schedule = algorithm->build({spec, layout, variant});
        ASSERT_THAT(check_schedule(*schedule), IsEmpty())
            << ranks << " ranks, root " << root << ", variant " << variant;
      }
    }
  }
};

TEST_P(ProvenAlgorithm, IsProvenForOneTo33RanksOnEveryLayout) {
  for (int ranks = 1; ranks <= 33; ++ranks) {
    for (const RankLayout& layout : test_layouts(ranks)) prove(ranks, layout);
  }
}

TEST_P(ProvenAlgorithm, IsProvenForLargerCommunicators) {
  for (const int ranks : {48, 64, 100, 128}) prove(ranks, permuted(nodes_of(ranks, 8), ranks));
  prove(48, uneven_nodes(48));
}

TEST_P(ProvenAlgorithm, DoesNothingWithOneRank) {
  const auto schedule = build_schedule(GetParam(), 1);
  EXPECT_EQ(schedule->operation_count(), 0);
  EXPECT_THAT(schedule->rounds(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Registered, ProvenAlgorithm, ::testing::ValuesIn(all_schedule_cases()),
                         schedule_case_name);

TEST(Algorithms, AreRegisteredUnderTheNamesOfTheCommandWithADescription) {
  const auto algorithms = builtin_algorithms();
  EXPECT_THAT(algorithms.names(),
              ::testing::ElementsAre("ring", "tree", "nvls", "nvlstree", "collnetdirect",
                                     "collnetchain", "pat", "p2p", "direct", "hierarchical",
                                     "halving-doubling", "bruck", "pairwise"));
  for (const auto& entry : algorithms.entries()) EXPECT_FALSE(entry.description.empty());
}

TEST(Algorithms, SayWhichCollectivesTheyCanDo) {
  const auto algorithms = builtin_algorithms();
  EXPECT_TRUE(algorithms.at("tree").factory()->can(CollectiveKind::AllReduce));
  EXPECT_FALSE(algorithms.at("tree").factory()->can(CollectiveKind::AllGather));
  EXPECT_FALSE(algorithms.at("p2p").factory()->can(CollectiveKind::AllReduce));
  for (const auto& entry : algorithms.entries()) {
    const bool by_nvswitch = entry.name == "nvls" || entry.name == "nvlstree";
    EXPECT_EQ(entry.factory()->needs_multicast(), by_nvswitch) << entry.name;
  }
  // Every collective is done by one at least.
  for (const CollectiveKind kind : kAllCollectives) {
    EXPECT_TRUE(algorithms.at("direct").factory()->can(kind));
  }
}

}  // namespace
}  // namespace ringspan

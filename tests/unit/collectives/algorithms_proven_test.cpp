// Every registered algorithm, for every collective it does, is proven for many rank counts, roots
// and layouts.

#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/collectives/algorithm.h"
#include "models/collectives/schedule_checker.h"

namespace ringspan {
namespace {

using ::testing::IsEmpty;

struct Case {
  std::string algorithm;
  CollectiveKind kind;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const auto algorithms = builtin_algorithms();
  for (const auto& entry : algorithms.entries()) {
    for (const CollectiveKind kind : entry.factory()->collectives()) {
      cases.push_back({entry.name, kind});
    }
  }
  return cases;
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.algorithm + "_" + std::string(collective_name(info.param.kind));
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

// Nodes of `per_node` GPUs; the last one may be smaller.
RankLayout nodes_of(int ranks, int per_node) {
  RankLayout layout;
  for (int rank = 0; rank < ranks; ++rank) layout.node.push_back(rank / per_node);
  return layout;
}

// Nodes of 1, 2, 3, 1, 2, 3, ... GPUs.
RankLayout uneven_nodes(int ranks) {
  RankLayout layout;
  for (std::int32_t node = 0; static_cast<int>(layout.node.size()) < ranks; ++node) {
    for (int i = 0; i <= node % 3 && static_cast<int>(layout.node.size()) < ranks; ++i) {
      layout.node.push_back(node);
    }
  }
  return layout;
}

// Every 5th (or 7th) rank, wrapping round: a permutation where that and n share no divisor.
RankLayout permuted(RankLayout layout, int ranks) {
  const int stride = ranks % 5 != 0 ? 5 : (ranks % 7 != 0 ? 7 : 1);
  for (int i = 0; i < ranks; ++i) layout.order.push_back((i * stride + 1) % ranks);
  return layout;
}

std::vector<RankLayout> layouts(int ranks) {
  return {{},
          permuted({}, ranks),
          nodes_of(ranks, 2),
          nodes_of(ranks, 4),
          permuted(nodes_of(ranks, 8), ranks),
          uneven_nodes(ranks),
          permuted(uneven_nodes(ranks), ranks)};
}

std::set<int> roots(CollectiveKind kind, int ranks) {
  if (!collective_has_root(kind)) return {0};
  return {0, ranks / 2, ranks - 1};
}

class ProvenAlgorithm : public ::testing::TestWithParam<Case> {
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
    for (const RankLayout& layout : layouts(ranks)) prove(ranks, layout);
  }
}

TEST_P(ProvenAlgorithm, IsProvenForLargerCommunicators) {
  for (const int ranks : {48, 64, 100}) {
    prove(ranks, {});
    prove(ranks, permuted(nodes_of(ranks, 8), ranks));
  }
}

TEST_P(ProvenAlgorithm, DoesNothingWithOneRank) {
  const auto algorithm = builtin_algorithms().at(GetParam().algorithm).factory();
  const auto schedule = algorithm->build({{GetParam().kind, 1, 0}, {}, 0});
  EXPECT_EQ(schedule->operation_count(), 0);
  EXPECT_THAT(schedule->rounds(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Registered, ProvenAlgorithm, ::testing::ValuesIn(all_cases()), case_name);

}  // namespace
}  // namespace ringspan

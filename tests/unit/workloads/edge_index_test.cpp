#include "models/workloads/edge_index.h"

#include <vector>

#include <gtest/gtest.h>

namespace ringspan {
namespace {

using Ranks = std::vector<std::int32_t>;

TEST(EdgeIndex, KeepsDirectionsApart) {
  EdgeIndex index;
  index.add(Ranks{1}, Ranks{2}, 0);
  index.add(Ranks{2}, Ranks{1}, 1);
  EXPECT_EQ(index.find(Ranks{1}, Ranks{2}), 0U);
  EXPECT_EQ(index.find(Ranks{2}, Ranks{1}), 1U);
  EXPECT_EQ(index.find(Ranks{1}, Ranks{1}), std::nullopt);
}

// A multicast to one rank more is another edge, and none of them is the pair they begin with.
TEST(EdgeIndex, KeepsEdgesOfSeveralRanksApart) {
  EdgeIndex index;
  index.add(Ranks{0}, Ranks{1}, 0);
  index.add(Ranks{0}, Ranks{1, 2}, 1);
  index.add(Ranks{1, 2}, Ranks{0}, 2);
  EXPECT_EQ(index.find(Ranks{0}, Ranks{1}), 0U);
  EXPECT_EQ(index.find(Ranks{0}, Ranks{1, 2}), 1U);
  EXPECT_EQ(index.find(Ranks{1, 2}, Ranks{0}), 2U);
  EXPECT_EQ(index.find(Ranks{0}, Ranks{1, 2, 3}), std::nullopt);
}

}  // namespace
}  // namespace ringspan

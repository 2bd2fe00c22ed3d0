#include "models/collectives/rank_ranges.h"

#include <gtest/gtest.h>

namespace ringspan {
namespace {

TEST(RanksText, NeighboursAreARangeAndTheOrderIsKept) {
  const std::vector<std::int32_t> ranks = {4, 5, 6, 0, 9, 8};
  EXPECT_EQ(ranks_text(ranks), "4-6+0+9+8");
  EXPECT_EQ(parse_ranks(ranks_text(ranks)), ranks);
}

TEST(RanksText, OneRankIsANumber) { EXPECT_EQ(ranks_text(std::vector<std::int32_t>{7}), "7"); }

}  // namespace
}  // namespace ringspan

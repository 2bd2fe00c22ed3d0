#include "app/study/scaling.h"

#include <gtest/gtest.h>

namespace ringspan {
namespace {

// Eight hours on one GPU, three on four: 8/3; 8/3 over 4; 4 x 3 h.
TEST(Scaling, FollowsItsDefinitions) {
  const WorkDone one{8 * 3600.0, 1}, four{3 * 3600.0, 4};
  EXPECT_DOUBLE_EQ(speedup(one, four), 8.0 / 3);
  EXPECT_DOUBLE_EQ(scaling_efficiency(one, four), 2.0 / 3);
  EXPECT_DOUBLE_EQ(gpu_hours(one), 8);
  EXPECT_DOUBLE_EQ(gpu_hours(four), 12);
}

TEST(Scaling, OfADesignWithItselfIsOne) {
  const WorkDone work{1e-6, 72};
  EXPECT_EQ(speedup(work, work), 1);
  EXPECT_EQ(scaling_efficiency(work, work), 1);
}

}  // namespace
}  // namespace ringspan

#include "validation/replay/calibration_plan.h"

#include <gtest/gtest.h>

#include <set>

#include "validation/plan/plan_reading.h"
#include "validation/plan/plan_writing.h"

namespace ringspan {
namespace {

TEST(CalibrationPlan, EveryCollectiveIsMeasuredAndThePlanCanBeWritten) {
  const Plan plan = calibration_plan(8, {1 << 20});
  std::set<CollectiveKind> kinds;
  for (const PlannedCollective& item : plan.collectives) {
    kinds.insert(item.collective);
    EXPECT_LE(item.size.count, 1 << 20);
  }
  EXPECT_EQ(kinds.size(), kAllCollectives.size());
  EXPECT_EQ(plan_text(parse_plan(plan_text(plan), "p.toml")), plan_text(plan));
}

// 8 ranks with 16 bytes each are 128 bytes: below, all_gather would move nothing.
TEST(CalibrationPlan, NothingIsMeasuredThatMovesNothing) {
  for (const PlannedCollective& item : calibration_plan(8, {1 << 20}).collectives) {
    if (item.collective == CollectiveKind::AllGather) {
      EXPECT_GE(item.size.count, 128);
    }
  }
}

}  // namespace
}  // namespace ringspan

#include "models/collectives/explicit_schedule.h"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/collectives/schedule_checker.h"

namespace ringspan {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum TransferAction;

TEST(ExplicitSchedule, GivesBackWhatWasAddedWithDependenciesSortedAndInverted) {
  // Three ranks reduce to rank 0 in two blocks, which copies the sum to both.
  ScheduleBuilder builder({CollectiveKind::AllReduce, 3, 0},
                          {2, 2, Pacing::Messages, RoundOverlap::Sequential});
  EXPECT_EQ(builder.add({Reduce, {1}, {0}, {0, 1}}, {}), 0);
  EXPECT_EQ(builder.add({Reduce, {2}, {0}, {1, 0}}, {}), 1);
  const std::vector<OperationId> both = {1, 0};
  EXPECT_EQ(builder.add({Copy, {0}, {1, 2}, {0, 1}}, both), 2);
  builder.add_round({1, false, {{1, 0, 2}, {2, 0, 2}}, {}, 0, {}});
  builder.add_round({1, false, {}, {{{0}, {1, 2}, 2}}, 0, {}});
  const auto schedule = builder.build();

  EXPECT_THAT(check_schedule(*schedule), IsEmpty());
  EXPECT_EQ(schedule->block_count(), 2);
  EXPECT_EQ(schedule->block_divisor(), 2);
  EXPECT_EQ(schedule->operation_count(), 3);
  EXPECT_EQ(schedule->rounds().size(), 2u);
  std::vector<OperationId> list;
  schedule->dependencies(2, list);
  EXPECT_THAT(list, ElementsAre(0, 1));
  schedule->dependents(0, list);
  EXPECT_THAT(list, ElementsAre(2));
  schedule->dependents(2, list);
  EXPECT_THAT(list, IsEmpty());
  Transfer move;
  schedule->transfer(2, move);
  EXPECT_EQ(move.action, Copy);
  EXPECT_THAT(move.destinations, ElementsAre(1, 2));
  schedule->transfer(1, move);
  EXPECT_THAT(move.sources, ElementsAre(2));
  EXPECT_THAT(move.blocks, ElementsAre(1, 0));
}

TEST(ExplicitSchedule, RefusesToComeBeforeWhatItDependsOn) {
  ScheduleBuilder builder({CollectiveKind::Broadcast, 2, 0}, {});
  const std::vector<OperationId> itself = {0};
  EXPECT_THROW(builder.add({Copy, {0}, {1}, {0}}, itself), std::logic_error);
}

}  // namespace
}  // namespace ringspan

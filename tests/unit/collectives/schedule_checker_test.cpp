#include "models/collectives/schedule_checker.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/collectives/editable_schedule.h"
#include "tests/unit/collectives/schedule_cases.h"

namespace ringspan {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum TransferAction;

// 0 -> 1 -> 2 of one block.
EditableSchedule broadcast_chain() {
  EditableSchedule schedule({CollectiveKind::Broadcast, 3, 0}, 1, 1);
  schedule.operations = {{{Copy, {0}, {1}, {0}}, {}}, {{Copy, {1}, {2}, {0}}, {0}}};
  return schedule;
}

// 2 -> 1 -> 0 and back, one block.
EditableSchedule all_reduce_chain() {
  EditableSchedule schedule({CollectiveKind::AllReduce, 3, 0}, 1, 1);
  schedule.operations = {{{Reduce, {2}, {1}, {0}}, {}},
                         {{Reduce, {1}, {0}, {0}}, {0}},
                         {{Copy, {0}, {1}, {0}}, {1}},
                         {{Copy, {1}, {2}, {0}}, {2}}};
  return schedule;
}

TEST(ScheduleChecker, AcceptsTheChainsThatTheseTestsBreak) {
  EXPECT_THAT(check_schedule(broadcast_chain()), IsEmpty());
  EXPECT_THAT(check_schedule(all_reduce_chain()), IsEmpty());
}

TEST(ScheduleChecker, NamesARankThatEndsWithoutItsData) {
  EditableSchedule schedule = broadcast_chain();
  schedule.operations.pop_back();
  EXPECT_THAT(check_schedule(schedule), ElementsAre("rank 2 ends without all of block 0"));
}

TEST(ScheduleChecker, NamesASourceThatHoldsNothing) {
  EditableSchedule schedule = broadcast_chain();
  std::swap(schedule.operations[0].transfer, schedule.operations[1].transfer);
  EXPECT_THAT(check_schedule(schedule),
              ElementsAre("operation 0 sends block 0 that rank 1 does not hold",
                          "rank 2 ends without all of block 0"));
}

TEST(ScheduleChecker, NamesOperationsThatRaceWithoutADependency) {
  EditableSchedule schedule = broadcast_chain();
  schedule.operations[1].after.clear();
  EXPECT_THAT(check_schedule(schedule),
              ElementsAre("operations 0 and 1 race on block 0 of rank 1"));
}

TEST(ScheduleChecker, SeesAWriteThatOvertakesARead) {
  // Operation 2 overwrites rank 1 while operation 1 may still be reading it, and reads at rank 0
  // what operation 1 may still be adding.
  EditableSchedule schedule = all_reduce_chain();
  schedule.operations[2].after = {0};
  EXPECT_THAT(check_schedule(schedule),
              ElementsAre("operations 1 and 2 race on block 0 of rank 1",
                          "operations 1 and 2 race on block 0 of rank 0"));
}

TEST(ScheduleChecker, FollowsOrderOverSeveralDependencies) {
  // Ranks 1 and 3 both learn it from 0; 3's copy of 2 is ordered after 2's by way of 1.
  EditableSchedule schedule({CollectiveKind::Broadcast, 4, 0}, 1, 1);
  schedule.operations = {{{Copy, {0}, {1}, {0}}, {}},
                         {{Copy, {1}, {2}, {0}}, {0}},
                         {{Copy, {0}, {3}, {0}}, {1}},
                         {{Copy, {3}, {2}, {0}}, {2}}};
  EXPECT_THAT(check_schedule(schedule), IsEmpty());
  schedule.operations[2].after.clear();
  EXPECT_THAT(check_schedule(schedule),
              ElementsAre("operations 1 and 3 race on block 0 of rank 2"));
}

TEST(ScheduleChecker, LetsReductionsIntoOneBlockComeInAnyOrder) {
  EditableSchedule schedule({CollectiveKind::Reduce, 3, 0}, 1, 1);
  schedule.operations = {{{Reduce, {1}, {0}, {0}}, {}}, {{Reduce, {2}, {0}, {0}}, {}}};
  EXPECT_THAT(check_schedule(schedule), IsEmpty());
}

TEST(ScheduleChecker, NamesAContributionCountedTwice) {
  EditableSchedule schedule({CollectiveKind::Reduce, 3, 0}, 1, 1);
  schedule.operations = {
      {{Reduce, {1}, {0}, {0}}, {}}, {{Reduce, {2}, {0}, {0}}, {}}, {{Reduce, {1}, {0}, {0}}, {}}};
  EXPECT_THAT(check_schedule(schedule),
              ElementsAre("operation 2 counts a contribution to block 0 twice on rank 0"));
}

TEST(ScheduleChecker, NamesAContributionCountedTwiceInTheSwitch) {
  EditableSchedule schedule({CollectiveKind::Reduce, 3, 0}, 1, 1);
  schedule.operations = {{{Reduce, {1}, {2}, {0}}, {}}, {{Reduce, {0, 1, 2}, {0}, {0}}, {0}}};
  EXPECT_THAT(check_schedule(schedule),
              ElementsAre("operation 1 counts a contribution to block 0 twice in the switch"));
}

TEST(ScheduleChecker, AReductionInTheSwitchReplacesADestinationThatIsNoSource) {
  EditableSchedule schedule({CollectiveKind::Reduce, 3, 0}, 1, 1);
  schedule.operations = {{{Reduce, {1, 2}, {0}, {0}}, {}}};
  EXPECT_THAT(check_schedule(schedule), ElementsAre("rank 0 ends without all of block 0"));
  schedule.operations = {{{Reduce, {0, 1, 2}, {0}, {0}}, {}}};
  EXPECT_THAT(check_schedule(schedule), IsEmpty());
}

TEST(ScheduleChecker, NamesAReductionIntoNothing) {
  EditableSchedule schedule = broadcast_chain();
  schedule.operations[1].transfer.action = Reduce;
  EXPECT_THAT(check_schedule(schedule),
              ElementsAre("operation 1 reduces into block 0 that rank 2 does not hold"));
}

TEST(ScheduleChecker, NamesRanksAndBlocksOutOfRangeOrRepeated) {
  EditableSchedule schedule = broadcast_chain();
  schedule.operations[0].transfer = {Copy, {0, 1}, {3}, {-1}};
  schedule.operations[1].transfer = {Copy, {}, {2, 2}, {0, 0}};
  EXPECT_THAT(
      check_schedule(schedule),
      ElementsAre("operation 0 names destination 3 of 3", "operation 0 names block -1 of 1",
                  "operation 0 copies from 2 sources", "operation 1 has no source",
                  "operation 1 names destination 2 twice", "operation 1 names block 0 twice"));
}

TEST(ScheduleChecker, NamesDependenciesThatAreNotEarlierOrNotAscending) {
  EditableSchedule schedule = all_reduce_chain();
  schedule.operations[1].after = {1};
  schedule.operations[2].after = {1, 0};
  schedule.operations[3].after = {-1};
  EXPECT_THAT(check_schedule(schedule),
              ElementsAre("operation 1 depends on 1, which is not an earlier one",
                          "operation 2 names its dependencies out of order or twice: 0",
                          "operation 3 depends on -1, which is not an earlier one"));
}

TEST(ScheduleChecker, NamesDependentsThatAreNotTheInverse) {
  EditableSchedule schedule = all_reduce_chain();
  schedule.claimed_dependents = {{{1}, {2, 3}, {}, {}}};
  EXPECT_THAT(check_schedule(schedule),
              ElementsAre("operation 1 has the dependents [2, 3], but [2] wait for it",
                          "operation 2 has the dependents [], but [3] wait for it"));
}

TEST(ScheduleChecker, NamesBlocksThatDoNotMakeTheCollective) {
  const EditableSchedule gather({CollectiveKind::AllGather, 3, 0}, 4, 4);
  EXPECT_THAT(check_schedule(gather),
              ElementsAre("4 blocks of 1/4 of the size do not make a all_gather of 3 ranks"));
  const EditableSchedule exchange({CollectiveKind::AllToAll, 3, 0}, 9, 9);
  EXPECT_THAT(check_schedule(exchange),
              ElementsAre("9 blocks of 1/9 of the size do not make a alltoall of 3 ranks"));
}

TEST(ScheduleChecker, StopsAfterTwentyProblemsAndCountsTheRest) {
  const EditableSchedule nothing({CollectiveKind::AllReduce, 5, 0}, 5, 5);
  const std::vector<std::string> problems = check_schedule(nothing);
  // Five ranks lack all of five blocks.
  ASSERT_EQ(problems.size(), 21u);
  EXPECT_EQ(problems.back(), "... and 5 more problems");
}

TEST(ScheduleChecker, CountsEveryRankBeyondTheFirstWordOfASet) {
  // 65 ranks need a second word of 64 bits: without rank 64 the sum is incomplete.
  EditableSchedule schedule(*build_schedule({"direct", CollectiveKind::Reduce}, 65));
  EXPECT_THAT(check_schedule(schedule), IsEmpty());
  schedule.erase(63);
  EXPECT_THAT(check_schedule(schedule), ElementsAre("rank 0 ends without all of block 0"));
}

}  // namespace
}  // namespace ringspan

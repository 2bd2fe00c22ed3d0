#include "models/collectives/operation_table.h"

#include <stdexcept>

#include <gmock/gmock.h>

namespace ringspan {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum TransferAction;

TEST(OperationTable, GivesBackWhatWasAddedWithDependenciesSortedAndInverted) {
  // Three ranks reduce to rank 0 in two blocks, which copies the sum to both.
  OperationTable table;
  EXPECT_EQ(table.add({Reduce, {1}, {0}, {0, 1}}, {}), 0);
  EXPECT_EQ(table.add({Reduce, {2}, {0}, {1, 0}}, {}), 1);
  const std::vector<OperationId> both = {1, 0};
  EXPECT_EQ(table.add({Copy, {0}, {1, 2}, {0, 1}}, both), 2);
  table.finish();

  EXPECT_EQ(table.count(), 3);
  std::vector<OperationId> list;
  table.dependencies(2, list);
  EXPECT_THAT(list, ElementsAre(0, 1));
  table.dependents(0, list);
  EXPECT_THAT(list, ElementsAre(2));
  table.dependents(2, list);
  EXPECT_THAT(list, IsEmpty());
  Transfer move;
  table.transfer(2, move);
  EXPECT_EQ(move.action, Copy);
  EXPECT_THAT(move.sources, ElementsAre(0));
  EXPECT_THAT(move.destinations, ElementsAre(1, 2));
  table.transfer(1, move);
  EXPECT_EQ(move.action, Reduce);
  EXPECT_THAT(move.sources, ElementsAre(2));
  EXPECT_THAT(move.blocks, ElementsAre(1, 0));
}

TEST(OperationTable, RefusesToComeBeforeWhatItDependsOn) {
  OperationTable table;
  const std::vector<OperationId> itself = {0};
  EXPECT_THROW(table.add({Copy, {0}, {1}, {0}}, itself), std::logic_error);
}

}  // namespace
}  // namespace ringspan

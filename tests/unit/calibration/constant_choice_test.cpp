#include "validation/calibration/constant_choice.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ringspan {
namespace {

MeasuredRow row(std::int64_t bytes, double time_us, const std::string& case_name) {
  MeasuredRow row;
  row.system = "dgx-h100";
  row.gpus = 8;
  row.bytes = bytes;
  row.time_us = time_us;
  row.case_name = case_name;
  return row;
}

TEST(ConstantChoice, ASizeThatIsMeasuredAgainCountsOnce) {
  std::vector<MeasuredRow> rows = {row(64, 9, "a"), row(64, 10, "b"), row(128, 9, "a"),
                                   row(64, 9, "a")};
  rows[3].gpus = 4;
  const std::vector<std::size_t> all = {0, 1, 2, 3};
  // 64 B and 128 B on 8 GPUs, 64 B on 4.
  EXPECT_EQ(count_questions(rows, all), 3U);
  const std::vector<std::size_t> two = {0, 1};
  EXPECT_EQ(count_questions(rows, two), 1U);
}

// The second is 0.9 of the first: less alone than the first, and nothing beside it. The third moves
// the last row only, and by less than the second.
TEST(ConstantChoice, TakesWhatMovesTheRowsInAWayOfItsOwn) {
  const Derivatives derivatives = {{1, 1, 0}, {0.9, 0.9, 0}, {0, 0, 0.5}};
  const std::vector<double> weights = {1, 1, 1};
  EXPECT_EQ(best_determined(derivatives, weights, 1), (std::vector<bool>{true, false, false}));
  EXPECT_EQ(best_determined(derivatives, weights, 2), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(best_determined(derivatives, weights, 0), (std::vector<bool>{false, false, false}));
}

// Squares of 1 and 2.25: a weight of 4 makes the first the larger one.
TEST(ConstantChoice, RowsCountByTheirWeights) {
  const Derivatives derivatives = {{1, 0}, {0, 1.5}};
  EXPECT_EQ(best_determined(derivatives, std::vector<double>{1, 1}, 1),
            (std::vector<bool>{false, true}));
  EXPECT_EQ(best_determined(derivatives, std::vector<double>{4, 1}, 1),
            (std::vector<bool>{true, false}));
}

// Of equals the one in front; what moves nothing is never taken.
TEST(ConstantChoice, TakesFewerWhereNoOtherMovesTheRows) {
  const Derivatives derivatives = {{0, 0}, {1, 0}, {1, 0}};
  EXPECT_EQ(best_determined(derivatives, std::vector<double>{1, 1}, 3),
            (std::vector<bool>{false, true, false}));
}

}  // namespace
}  // namespace ringspan

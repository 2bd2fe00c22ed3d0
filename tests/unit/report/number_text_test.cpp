#include "app/report/number_text.h"

#include <gtest/gtest.h>

namespace ringspan {
namespace {

TEST(ColumnNumber, TakesTwoDecimalsWhileTheyFit) {
  EXPECT_EQ(column_number(6.6, 7), "   6.60");
  EXPECT_EQ(column_number(0, 6), "  0.00");
  EXPECT_EQ(column_number(1391.8, 7), "1391.80");
}

TEST(ColumnNumber, DropsDecimalsBeforeItUsesAnExponent) {
  EXPECT_EQ(column_number(12345.67, 7), "12345.7");
  EXPECT_EQ(column_number(1234567.8, 7), "1234568");
  EXPECT_EQ(column_number(12345678.9, 7), "1.2e+07");
  EXPECT_EQ(column_number(1234567.8, 6), " 1e+06");
}

TEST(ColumnNumber, NeverOverflowsByRounding) {
  // 9999.995 with two decimals would be 10000.00, eight characters.
  EXPECT_EQ(column_number(9999.996, 7), "10000.0");
  EXPECT_EQ(column_number(999.996, 6), "1000.0");
}

TEST(ExactMicroseconds, KeepsEveryPicosecondAndNoTrailingZero) {
  EXPECT_EQ(exact_microseconds(picoseconds(6'600'001)), "6.600001");
  EXPECT_EQ(exact_microseconds(picoseconds(1)), "0.000001");
  EXPECT_EQ(exact_microseconds(microseconds(70)), "70");
  EXPECT_EQ(exact_microseconds(picoseconds(0)), "0");
  EXPECT_EQ(exact_microseconds(Duration::max()), "9223372036854.775807");
}

TEST(Significant, NeedsNoExponentForEverydayNumbers) {
  EXPECT_EQ(significant(366.04, 4), "366");
  EXPECT_EQ(significant(366.24, 4), "366.2");
  EXPECT_EQ(significant(123456, 4), "123456");
  EXPECT_EQ(significant(0, 4), "0");
}

TEST(TimeText, PicksTheUnitThatReadsBest) {
  EXPECT_EQ(time_text(nanoseconds(1'234)), "1.234 us");
  EXPECT_EQ(time_text(microseconds(5'200)), "5.2 ms");
  EXPECT_EQ(time_text(microseconds(12'300'000)), "12.3 s");
}

}  // namespace
}  // namespace ringspan

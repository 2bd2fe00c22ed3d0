#include "validation/logs/nccl_tests_line.h"

#include <gtest/gtest.h>

namespace ringspan {
namespace {

TEST(NcclTestsLine, WhatLaunchersPutInFrontIsTakenOff) {
  for (const char* line :
       {"  8 2 float", "[1,0]<stdout>:  8 2 float", "[1,13]<stdout>: 8 2 float", "0: 8 2 float",
        "  12:8 2 float", "[3] 8 2 float", "node-1: 8 2 float"}) {
    const auto fields = output_fields(line);
    // "12:8" has no blank behind the colon and is no prefix.
    if (std::string_view(line).starts_with("  12:8")) {
      EXPECT_EQ(fields.front().text, "12:8");
      continue;
    }
    ASSERT_EQ(fields.size(), 3u) << line;
    EXPECT_EQ(fields[0].text, "8") << line;
    EXPECT_EQ(line[fields[0].column - 1], '8') << line;
  }
  EXPECT_TRUE(output_fields("[1,0]<stdout>:").empty());
  EXPECT_TRUE(output_fields(" \t\r").empty());
}

TEST(NcclTestsLine, TheLineOfNamesTellsTheLayout) {
  const auto now = row_layout(output_fields(
      "#       size         count      type   redop    root     time   algbw   busbw  #wrong     "
      "time   algbw   busbw  #wrong"));
  ASSERT_TRUE(now);
  EXPECT_TRUE(now->has_root);
  EXPECT_EQ(now->values, 8u);
  const auto old = row_layout(output_fields(
      "#       size         count      type   redop     time   algbw   busbw  error     time   "
      "algbw   busbw  error"));
  ASSERT_TRUE(old);
  EXPECT_FALSE(old->has_root);
  const auto cpu = row_layout(output_fields("# size count type cputime algbw busbw"));
  ASSERT_TRUE(cpu);
  EXPECT_TRUE(cpu->cpu_time);
  EXPECT_FALSE(row_layout(output_fields("#        (B)    (elements)      (us)  (GB/s)  (GB/s)")));
}

TestRow row_of(const char* line, const RowLayout& layout = {}) {
  TestRow row;
  const auto mistake = read_test_row(output_fields(line), layout, row);
  EXPECT_FALSE(mistake) << mistake->message;
  return row;
}

TEST(NcclTestsLine, RowsOfAllLayoutsAreRead) {
  const TestRow now =
      row_of("  1024  256  float  sum  -1  34.66  0.03  0.06  0  34.47  0.03  0.06  0");
  EXPECT_EQ(now.bytes, 1024);
  EXPECT_EQ(now.redop, "sum");
  EXPECT_FALSE(now.root);
  EXPECT_EQ(now.time_us, 34.66);
  EXPECT_EQ(now.busbw, 0.06);
  const TestRow rooted = row_of("1024 256 float none 3 34.66 1 2 N/A 34.47 1 2 N/A");
  EXPECT_EQ(rooted.root, 3);
  EXPECT_EQ(rooted.redop, "");
  const TestRow old = row_of("1024 256 float sum 34.66 0.03 0.06 0e+00 34.47 0.03 0.06 0e+00");
  EXPECT_EQ(old.time_text, "34.66");
  const TestRow plain = row_of("1024 256 float 1.2e3 0.03 0.06 0e+00 34.47 0.03 0.06 N/A");
  EXPECT_EQ(plain.time_us, 1200);
  // -S puts a time of day behind; -I puts four fields behind each half.
  const TestRow longer =
      row_of("1024 256 float sum -1 7 1 2 0 8 1 2 0 2025-01-01 10:00:00", {true, true, false, 8});
  EXPECT_EQ(longer.time_us, 7);
}

TEST(NcclTestsLine, ARowThatIsCutOffIsNamed) {
  TestRow row;
  const auto cut =
      read_test_row(output_fields("1024 256 float sum -1 34.66 0.03"), {true, true, false, 8}, row);
  ASSERT_TRUE(cut);
  // 5 fields before the values and 8 of them.
  EXPECT_EQ(cut->message, "the row of size 1024 is cut off: 7 fields of 13");
  EXPECT_EQ(cut->column, 29);
}

// Fastest row of a test: algbw 100, busbw as printed.
std::optional<CollectiveKind> guessed(double busbw, std::string redop, std::optional<int> root,
                                      int ranks) {
  TestRow row;
  row.algbw = 100;
  row.busbw = busbw;
  row.redop = std::move(redop);
  row.root = root;
  return collective_of_rows({row}, ranks);
}

TEST(NcclTestsLine, TheCollectiveIsFoundByItsBandwidthsWhereOneFits) {
  // 8 ranks: 2 x 7/8 = 1.75, 7/8 = 0.875.
  EXPECT_EQ(guessed(175, "sum", std::nullopt, 8), CollectiveKind::AllReduce);
  EXPECT_EQ(guessed(87.5, "sum", std::nullopt, 8), CollectiveKind::ReduceScatter);
  EXPECT_EQ(guessed(100, "sum", 0, 8), CollectiveKind::Reduce);
  EXPECT_EQ(guessed(100, "", 0, 8), CollectiveKind::Broadcast);
  EXPECT_EQ(guessed(100, "", std::nullopt, 8), CollectiveKind::SendRecv);
  // 2 ranks: 2 x 1/2 is 1, which reduce has too, but a root with it.
  EXPECT_EQ(guessed(100, "sum", std::nullopt, 2), CollectiveKind::AllReduce);
  // all_gather and alltoall print the same.
  EXPECT_EQ(guessed(87.5, "", std::nullopt, 8), std::nullopt);
  EXPECT_EQ(guessed(100, "sum", std::nullopt, 1), std::nullopt);
}

}  // namespace
}  // namespace ringspan

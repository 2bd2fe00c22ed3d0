#include "validation/comparison/comparison.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ringspan {
namespace {

MeasuredRow row(std::int64_t bytes, double time_us, CollectiveKind kind, int line) {
  MeasuredRow row;
  row.system = "dgx-h100";
  row.gpus = 8;
  row.collective = kind;
  row.bytes = bytes;
  row.time_us = time_us;
  row.case_name = std::string(collective_name(kind));
  row.file = "t.csv";
  row.line = line;
  row.number = line - 1;
  row.at.fill(1);
  return row;
}

Duration run_time(std::int64_t bytes, CollectiveKind kind, const Catalog& catalog) {
  RunScenario scenario;
  scenario.collective = kind;
  scenario.sizes = {Bytes{bytes}};
  scenario.gpus = 8;
  return run_scenario(scenario, load_system(catalog, "dgx-h100"), catalog).rows.front().time;
}

std::vector<MeasuredRow> some_rows() {
  return {row(1 << 20, 50, CollectiveKind::AllReduce, 2),
          row(128, 10, CollectiveKind::AllGather, 3),
          row(1 << 10, 10, CollectiveKind::AllReduce, 4),
          row(1 << 24, 100, CollectiveKind::AllGather, 5)};
}

TEST(Comparison, RowsArePredictedAsRunDoesAndKeepTheirOrder) {
  const Catalog catalog = builtin_catalog();
  const auto rows = some_rows();
  const Comparison comparison = compare_measured(rows, {}, catalog);
  ASSERT_EQ(comparison.rows.size(), rows.size());
  EXPECT_TRUE(comparison.problems.empty());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ComparedRow& compared = comparison.rows[i];
    EXPECT_EQ(compared.row.line, rows[i].line);
    const Duration time = run_time(rows[i].bytes, rows[i].collective, catalog);
    EXPECT_EQ(compared.prediction.time, time);
    EXPECT_DOUBLE_EQ(compared.error(), to_microseconds(time) / rows[i].time_us - 1);
    EXPECT_EQ(compared.fabric_class, FabricClass::NvlinkDomain);
  }
}

TEST(Comparison, ThreadsChangeNothing) {
  const Catalog catalog = builtin_catalog();
  const auto rows = some_rows();
  ComparisonOptions two;
  two.threads = 2;
  const Comparison alone = compare_measured(rows, {}, catalog);
  const Comparison together = compare_measured(rows, two, catalog);
  ASSERT_EQ(alone.rows.size(), together.rows.size());
  for (std::size_t i = 0; i < alone.rows.size(); ++i) {
    EXPECT_EQ(alone.rows[i].row.line, together.rows[i].row.line);
    EXPECT_EQ(alone.rows[i].prediction.time, together.rows[i].prediction.time);
  }
}

std::string problem(const Comparison& comparison, std::size_t which) {
  return which < comparison.problems.size() ? format_problem(comparison.problems[which]) : "none";
}

TEST(Comparison, RowsThatCannotBePredictedAreNamedWithTheirColumn) {
  const Catalog catalog = builtin_catalog();
  std::vector<MeasuredRow> rows = some_rows();
  rows[0].system = "dgx-h101";
  rows[1].dtype = "floats";
  rows[2].nodes = 3;
  ComparisonOptions options;
  EXPECT_TRUE(compare_measured(rows, options, catalog).rows.empty());
  options.keep_going = true;
  const Comparison comparison = compare_measured(rows, options, catalog);
  ASSERT_EQ(comparison.rows.size(), 1u);
  EXPECT_EQ(comparison.rows.front().row.line, 5);
  EXPECT_EQ(comparison.rows_given, 4u);
  EXPECT_EQ(problem(comparison, 0).substr(0, 67),
            "t.csv:2:1: error: row 1, column system: unknown system 'dgx-h101'\nh");
  EXPECT_EQ(problem(comparison, 1),
            "t.csv:3:1: error: row 2, column dtype: unknown data type 'floats'\n"
            "hint: did you mean 'float'?");
  EXPECT_EQ(
      problem(comparison, 2).substr(0, 97),
      "t.csv:4:1: error: row 3, column gpus: --nodes 3 --gpus 8: 3 servers cannot hold 8 GPUs "
      "in equal p");
}

TEST(Comparison, AnAlgorithmThatCannotIsNamedForItsWholeSeries) {
  const Catalog catalog = builtin_catalog();
  std::vector<MeasuredRow> rows = {row(8, 10, CollectiveKind::AllToAll, 2),
                                   row(16, 10, CollectiveKind::AllToAll, 3)};
  for (MeasuredRow& one : rows) one.algorithm = "ring";
  const Comparison comparison = compare_measured(rows, {}, catalog);
  EXPECT_TRUE(comparison.rows.empty());
  EXPECT_EQ(
      problem(comparison, 0).substr(0, 86),
      "t.csv:2:1: error: row 1 and 1 more of its series, column algorithm: 'ring' cannot do a");
}

TEST(Comparison, ASizeThatCannotBePredictedLeavesTheOthersOfItsSeries) {
  const Catalog catalog = builtin_catalog();
  // 2^62 B take longer than the clock goes; 7 B are no whole number of floats.
  const std::vector<MeasuredRow> rows = {
      row(1 << 20, 50, CollectiveKind::AllReduce, 2),
      row(std::int64_t{1} << 62, 9, CollectiveKind::AllReduce, 3),
      row(7, 9, CollectiveKind::AllReduce, 4), row(64, 9, CollectiveKind::AllReduce, 5)};
  ComparisonOptions options;
  options.keep_going = true;
  const Comparison comparison = compare_measured(rows, options, catalog);
  ASSERT_EQ(comparison.rows.size(), 2u);
  EXPECT_EQ(comparison.rows[0].row.line, 2);
  EXPECT_EQ(comparison.rows[1].row.line, 5);
  EXPECT_EQ(comparison.rows[1].prediction.time, run_time(64, CollectiveKind::AllReduce, catalog));
  EXPECT_EQ(problem(comparison, 0),
            "t.csv:4:1: error: row 3, column bytes: 7 bytes are no whole number of elements of "
            "float, 4 bytes each\nhint: give nccl-tests' size column, or another dtype");
  EXPECT_EQ(problem(comparison, 1),
            "t.csv:3:1: error: row 2, column bytes: the simulated time grows past 25 days\n"
            "hint: raise the slowest bandwidth or lower the size");
}

TEST(Comparison, ACheckNamesWhatARunWouldAndLeavesTheRest) {
  const Catalog catalog = builtin_catalog();
  std::vector<MeasuredRow> rows = some_rows();
  rows[0].system = "dgx-h101";
  rows[1].algorithm = "tree";  // of an all_gather
  rows[2].bytes = 7;
  const MeasuredCheck check = check_measured(rows, {}, catalog);
  ASSERT_EQ(check.rows.size(), 1u);
  EXPECT_EQ(check.rows.front().line, 5);
  EXPECT_EQ(check.problems.size(), 3u);
}

// 32 B over 8 ranks are one float each; nccl-tests of today would make 0 B of it.
TEST(Comparison, AMeasuredSizeIsNotRoundedToSharesOf16Bytes) {
  const Catalog catalog = builtin_catalog();
  const std::vector<MeasuredRow> rows = {row(32, 9, CollectiveKind::AllGather, 2),
                                         row(128, 9, CollectiveKind::AllGather, 3),
                                         row(100, 9, CollectiveKind::AllGather, 4)};
  const Comparison comparison = compare_measured(rows, {}, catalog);
  ASSERT_EQ(comparison.rows.size(), 3u);
  // 128 B are whole shares of 16 B: LL's step carries either.
  EXPECT_EQ(comparison.rows[0].prediction.protocol, Protocol::LL);
  EXPECT_GT(comparison.rows[0].prediction.time,
            comparison.rows[1].prediction.time - nanoseconds(100));
  EXPECT_EQ(comparison.notes,
            (std::vector<std::string>{"note: the size is no whole number of elements per rank: "
                                      "rounded down (1 row)"}));
}

TEST(Comparison, NotesAreToldOnceWithTheirRows) {
  const Catalog catalog = builtin_catalog();
  std::vector<MeasuredRow> rows = some_rows();
  for (MeasuredRow& one : rows) one.env = "NCCL_BUFFSIZE=changed";
  const Comparison comparison = compare_measured(rows, {}, catalog);
  EXPECT_EQ(comparison.notes,
            (std::vector<std::string>{"note: 'NCCL_BUFFSIZE=changed' is not used: the value has no "
                                      "meaning here (4 rows)"}));
}

TEST(Comparison, WhatIsDoneIsKeptWhenAskedToStop) {
  const Catalog catalog = builtin_catalog();
  // 4,000 sizes at chunk take far longer than until the first call of the progress.
  std::vector<MeasuredRow> rows;
  for (int i = 0; i < 4000; ++i) {
    rows.push_back(row((std::int64_t{1} << 30) + 4 * i, 50, CollectiveKind::AllReduce, i + 2));
  }
  const Comparison comparison =
      compare_measured(rows, {}, catalog, [](std::size_t, std::size_t) { return false; });
  EXPECT_TRUE(comparison.interrupted);
  EXPECT_LT(comparison.rows.size(), rows.size());
}

}  // namespace
}  // namespace ringspan

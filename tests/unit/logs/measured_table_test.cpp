#include "validation/logs/measured_table.h"

#include <gtest/gtest.h>

#include <string>

namespace ringspan {
namespace {

constexpr const char* kHeader =
    "system,nodes,gpus,nccl,collective,algorithm,protocol,dtype,bytes,time_us,launch,env,case\n";

LogContents read(const std::string& text, const LogOptions& options = {}) {
  return measured_table_format().read(text, "t.csv", options);
}

// The only problem, as the user sees it.
std::string problem_of(const std::string& text) {
  const LogContents contents = read(text);
  return contents.problems.size() == 1 ? format_problem(contents.problems.front())
                                       : std::to_string(contents.problems.size()) + " problems";
}

TEST(MeasuredTable, EveryColumnIsRead) {
  const LogContents contents = read(std::string(kHeader) +
                                    "dgx-h100,2,16,2.27.3,all_gather,ring,ll128,half,4096,12.50,"
                                    "threads,NCCL_NET=IB X=1,a\n");
  ASSERT_TRUE(contents.problems.empty()) << format_problem(contents.problems.front());
  ASSERT_EQ(contents.rows.size(), 1u);
  const MeasuredRow& row = contents.rows.front();
  EXPECT_EQ(row.system, "dgx-h100");
  EXPECT_EQ(row.nodes, 2);
  EXPECT_EQ(row.gpus, 16);
  EXPECT_EQ(row.nccl, "2.27.3");
  EXPECT_EQ(row.collective, CollectiveKind::AllGather);
  EXPECT_EQ(row.algorithm, "ring");
  EXPECT_EQ(row.protocol, Protocol::LL128);
  EXPECT_EQ(row.dtype, "half");
  EXPECT_EQ(row.bytes, 4096);
  EXPECT_EQ(row.time_us, 12.5);
  EXPECT_EQ(row.launch, "threads");
  EXPECT_EQ(row.env, "NCCL_NET=IB X=1");
  EXPECT_EQ(row.case_name, "a");
  EXPECT_EQ(row.line, 2);
  EXPECT_EQ(row.number, 1);
  // The cells are those that were read, digit by digit.
  const auto cells = measured_cells(row);
  EXPECT_EQ(cells[static_cast<std::size_t>(MeasuredColumn::TimeUs)], "12.50");
  EXPECT_EQ(cells[static_cast<std::size_t>(MeasuredColumn::Protocol)], "ll128");
}

TEST(MeasuredTable, ColumnsAreFoundByNameAndMayBeFew) {
  const LogContents contents = read(
      "\xEF\xBB\xBF# by hand\ntime_us,bytes,collective,gpus,system\r\n"
      "3e1,8,broadcast,4,x.toml\r\n\r\n");
  ASSERT_EQ(contents.rows.size(), 1u);
  const MeasuredRow& row = contents.rows.front();
  EXPECT_EQ(row.time_us, 30);
  EXPECT_EQ(row.collective, CollectiveKind::Broadcast);
  EXPECT_EQ(row.system, "x.toml");
  EXPECT_FALSE(row.nodes);
  EXPECT_FALSE(row.protocol);
  EXPECT_EQ(row.dtype, "float");
  EXPECT_EQ(row.line, 3);
}

TEST(MeasuredTable, WhatValidateWritesIsReadBackWithNotes) {
  const LogContents contents = read(
      "system,gpus,collective,bytes,time_us,predicted_us\n"
      "dgx-h100,8,all_reduce,8,9.5,9.1\n");
  EXPECT_EQ(contents.rows.size(), 1u);
  ASSERT_EQ(contents.notes.size(), 1u);
  EXPECT_EQ(contents.notes.front(), "t.csv:1:38: note: the column 'predicted_us' is not used");
}

TEST(MeasuredTable, AnAlmostKnownColumnIsAskedFor) {
  const LogContents contents =
      read("system,gpus,collective,bytes,time_us,lauch\ndgx-h100,8,all_reduce,8,9.5,threads\n");
  ASSERT_EQ(contents.notes.size(), 1u);
  EXPECT_EQ(contents.notes.front(),
            "t.csv:1:38: note: the column 'lauch' is not used; is launch meant?");
}

TEST(MeasuredTable, ACellThatIsNoNumberIsNamed) {
  // time_us is the tenth cell: behind "dgx-h100,1,8,,all_reduce,,,float,8," of 36 characters.
  EXPECT_EQ(problem_of(std::string(kHeader) + "dgx-h100,1,8,,all_reduce,,,float,8,9.5us,,,a\n"),
            "t.csv:2:36: error: row 1, column time_us: '9.5us' is no number\n"
            "hint: give microseconds without a unit, above 0: 12.5");
  EXPECT_EQ(
      problem_of(std::string(kHeader) + "dgx-h100,1,8,,all_reduce,,,float,8K,9.5,,,a\n"),
      "t.csv:2:34: error: row 1, column bytes: '8K' is no whole number that is possible here\n"
      "hint: give bytes without a unit, up to 2^62: 1048576, not 1M");
  EXPECT_EQ(
      problem_of(std::string(kHeader) + "dgx-h100,1,all,,all_reduce,,,float,8,9.5,,,a\n"),
      "t.csv:2:12: error: row 1, column gpus: 'all' is no whole number that is possible here\n"
      "hint: give the number of GPUs in all, from 1");
  EXPECT_EQ(problem_of(std::string(kHeader) + "dgx-h100,1,8,,all_reduce,,,float,8,,,,a\n"),
            "t.csv:2:36: error: row 1, column time_us: the cell is empty\n"
            "hint: give microseconds without a unit, above 0: 12.5");
}

TEST(MeasuredTable, TimesThatAreNoneAreRefused) {
  // The clock goes from a picosecond to 25 days, 2.16e12 us.
  for (const char* time :
       {"0", "-1", "nan", "inf", "1e999", "0x10", "1,5", "9e-7", "2.17e12", "1e300", "1e-300"}) {
    const LogContents contents =
        read("system,gpus,collective,bytes,time_us\ndgx-h100,8,all_reduce,8,\"" +
             std::string(time) + "\"\n");
    EXPECT_TRUE(contents.rows.empty()) << time;
    EXPECT_EQ(contents.problems.size(), 1u) << time;
  }
}

TEST(MeasuredTable, AnUnknownNameIsRefusedWithTheNearest) {
  EXPECT_EQ(problem_of(std::string(kHeader) + "dgx-h100,1,8,,allreduce,,,float,8,9.5,,,a\n"),
            "t.csv:2:15: error: row 1, column collective: unknown collective 'allreduce'\n"
            "hint: did you mean 'all_reduce'?");
  EXPECT_EQ(problem_of(std::string(kHeader) + "dgx-h100,1,8,,all_reduce,,LL,float,8,9.5,,,a\n"),
            "t.csv:2:27: error: row 1, column protocol: unknown protocol 'LL'\n"
            "hint: did you mean 'll'?");
}

TEST(MeasuredTable, ARowThatEndsEarlyNamesTheColumnItEndsIn) {
  EXPECT_EQ(problem_of(std::string(kHeader) + "dgx-h100,1,8,,all_reduce,,,float,8,9"),
            "t.csv:2:36: error: row 1 has 10 cells, the header has 13: it ends in the column "
            "time_us\nhint: is the file cut off?");
  EXPECT_EQ(problem_of("system,gpus,collective,bytes,time_us\ndgx-h100,8,all_reduce,8,9,5\n"),
            "t.csv:2:27: error: row 1 has 6 cells, the header has 5\n"
            "hint: a cell with a comma needs quotes");
}

TEST(MeasuredTable, AQuoteThatIsNotClosedIsNamed) {
  EXPECT_EQ(problem_of("system,gpus,collective,bytes,time_us\ndgx-h100,8,all_reduce,8,\"9\n"),
            "t.csv:2:25: error: row 1 has a quote that is not closed\n"
            "hint: is the line cut off? a quote within a cell is written twice");
}

TEST(MeasuredTable, OtherSeparatorsAreNamed) {
  EXPECT_EQ(problem_of("system;gpus;collective;bytes;time_us\ns;8;all_reduce;8;9,5\n"),
            "t.csv:1:7: error: the cells are separated by ';'\n"
            "hint: separate them by commas; numbers have a decimal point");
  EXPECT_EQ(problem_of("system\tgpus\tbytes\n").substr(0, 50),
            "t.csv:1:7: error: the cells are separated by tabs\n");
}

TEST(MeasuredTable, StandardInputIsNoSystemOfARow) {
  EXPECT_EQ(problem_of("system,gpus,collective,bytes,time_us\n-,8,all_reduce,8,9\n"),
            "t.csv:2:1: error: row 1, column system: '-' is no system\n"
            "hint: name a system of the catalogue, or a file");
}

TEST(MeasuredTable, GoodRowsStandBesideBadOnes) {
  const LogContents contents = read(
      "system,gpus,collective,bytes,time_us\n"
      "dgx-h100,8,all_reduce,8,x\n"
      "dgx-h100,8,all_reduce,16,9\n"
      "dgx-h100,8,all_reduce,y,9\n");
  ASSERT_EQ(contents.rows.size(), 1u);
  EXPECT_EQ(contents.rows.front().bytes, 16);
  EXPECT_EQ(contents.rows.front().number, 2);
  EXPECT_EQ(contents.problems.size(), 2u);
  EXPECT_EQ(contents.refused, 2u);
}

TEST(MeasuredTable, MissingAndRepeatedColumnsAreNamed) {
  EXPECT_EQ(problem_of("system,gpus,collective,bytes\ndgx-h100,8,all_reduce,8\n"),
            "t.csv:1: error: the column time_us is missing\n"
            "hint: a measured table has the columns system,nodes,gpus,nccl,collective,algorithm,"
            "protocol,dtype,bytes,time_us,launch,env,case");
  EXPECT_EQ(problem_of("system,gpus,collective,bytes,time_us,bytes\n"),
            "t.csv:1:38: error: the column bytes is there twice\nhint: name each column once");
  EXPECT_EQ(problem_of("system,gpus,collective,bytes,time_us\n\n"),
            "t.csv:2: error: the table has no rows\n"
            "hint: below the header comes one line per time");
}

TEST(MeasuredTable, TheOptionNamesTheSystemWhereTheTableDoesNot) {
  const LogContents contents = read(
      "system,gpus,collective,bytes,time_us\n"
      ",8,all_reduce,8,9\n"
      "dgx-a100,8,all_reduce,8,9\n",
      {"dgx-h100", std::nullopt});
  ASSERT_EQ(contents.rows.size(), 2u);
  EXPECT_EQ(contents.rows[0].system, "dgx-h100");
  EXPECT_EQ(contents.rows[1].system, "dgx-a100");
}

}  // namespace
}  // namespace ringspan

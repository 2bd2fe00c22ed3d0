#include "validation/logs/nccl_tests_text.h"

#include <gtest/gtest.h>

#include <string>

namespace ringspan {
namespace {

LogContents read(const std::string& text, const LogOptions& options = {"dgx-h100", std::nullopt},
                 const std::string& file = "runs/night.log") {
  return nccl_tests_text_format().read(text, file, options);
}

std::string first_problem(const LogContents& contents) {
  return contents.problems.empty() ? "none" : format_problem(contents.problems.front());
}

// nccl-tests 2.19 with -g 2: one thread, two GPUs.
const std::string kHead =
    "# nccl-tests version 2.19.6 nccl-headers=22809 nccl-library=22809\n"
    "# Collective test starting: all_gather_perf\n"
    "# nThread 1 nGpus 2 minBytes 1024 maxBytes 4096 step: 2(factor) warmup iters: 1 iters: 20 agg "
    "iters: 1 validation: 1 graph: 0 unalign: 0\n"
    "#\n"
    "# Using devices\n"
    "#  Rank  0 Group  0 Pid    123 on   hosta device  0 [0000:1b:00] NVIDIA H100\n"
    "#  Rank  1 Group  0 Pid    123 on   hosta device  1 [0000:43:00] NVIDIA H100\n"
    "#\n"
    "#                                                              out-of-place                  "
    "     in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw  #wrong     "
    "time   algbw   busbw  #wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             "
    "(us)  (GB/s)  (GB/s)\n";
const std::string kRows =
    "        1024           128     float    none      -1    12.50    0.08    0.04       0    12.1 "
    "  "
    " 0.08    0.04       0\n"
    "        2048           256     float    none      -1    13.00    0.16    0.08       0    12.2 "
    "  "
    " 0.16    0.08       0\n"
    "        4096           512     float    none      -1    14.00    0.29    0.15       0    12.3 "
    "  "
    " 0.29    0.15       0\n";
const std::string kTail =
    "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 0.09\n#\n"
    "# Collective test concluded: all_gather_perf\n";

TEST(NcclTestsText, ALogOfTodayIsRead) {
  const LogContents contents = read(kHead + kRows + kTail);
  EXPECT_EQ(first_problem(contents), "none");
  ASSERT_EQ(contents.rows.size(), 3u);
  const MeasuredRow& row = contents.rows[1];
  EXPECT_EQ(row.system, "dgx-h100");
  EXPECT_EQ(row.nodes, 1);
  EXPECT_EQ(row.gpus, 2);
  EXPECT_EQ(row.nccl, "2.28.9");
  EXPECT_EQ(row.collective, CollectiveKind::AllGather);
  EXPECT_EQ(row.dtype, "float");
  EXPECT_EQ(row.bytes, 2048);
  EXPECT_EQ(row.time_us, 13);  // out of place
  EXPECT_EQ(row.launch, "single-process");
  EXPECT_EQ(row.case_name, "night_all_gather");
  EXPECT_EQ(row.line, 13);  // behind 11 lines of header and one row
}

// Two servers of two GPUs, a process each, an old release, through Open MPI.
std::string mpi_log(const std::string& rows) {
  return "[1,0]<stdout>:# nThread 1 nGpus 1 minBytes 8 maxBytes 33554432 step: 2(factor) warmup "
         "iters: 5 iters: 20 validation: 1\n"
         "[1,0]<stdout>:#   Rank  0 Pid 1 on a device  0 [0x00] A100-SXM4-40GB\n"
         "[1,0]<stdout>:#   Rank  1 Pid 2 on a device  1 [0x00] A100-SXM4-40GB\n"
         "[1,0]<stdout>:#   Rank  2 Pid 1 on b device  0 [0x00] A100-SXM4-40GB\n"
         "[1,0]<stdout>:#   Rank  3 Pid 2 on b device  1 [0x00] A100-SXM4-40GB\n"
         "[1,0]<stdout>:#       size         count      type   redop     time   algbw   busbw  "
         "error "
         "    time   algbw   busbw  error\n" +
         rows;
}

TEST(NcclTestsText, AnOldLogThroughMpirunWithInfoLinesInBetweenIsRead) {
  const LogContents contents = read(mpi_log(
      "[1,0]<stdout>:a:1:9 [0] NCCL INFO NCCL_ALGO set by environment to Ring.\n"
      "[1,2]<stdout>:b:1:9 [0] NCCL INFO NCCL_ALGO set by environment to Ring.\n"
      "[1,0]<stdout>:a:1:9 [0] NCCL INFO NCCL_DEBUG set by environment to INFO.\n"
      "[1,0]<stdout>:NCCL version 2.18.5+cuda12.2\n"
      "[1,0]<stdout>:    16777216       4194304     float     sum    367.2   45.68   68.52    N/A  "
      "  382.6   43.85   65.78    N/A\n"
      "[1,1]<stdout>:a:2:9 [1] NCCL INFO Channel 00/0 : 1[1] -> 2[0] [send] via NET/IB/0\n"
      "[1,0]<stdout>:    33554432       8388608     float     sum    580.1   57.85   86.78    N/A  "
      "  594.3   56.46   84.69    N/A\n"
      "[1,0]<stdout>:# Out of bounds values : 0 OK\n"));
  EXPECT_EQ(first_problem(contents), "none");
  ASSERT_EQ(contents.rows.size(), 2u);
  const MeasuredRow& row = contents.rows.front();
  EXPECT_EQ(row.nodes, 2);
  EXPECT_EQ(row.gpus, 4);
  EXPECT_EQ(row.nccl, "2.18.5");
  EXPECT_EQ(row.env, "NCCL_ALGO=Ring");
  EXPECT_EQ(row.launch, "processes");
  // 4 ranks: busbw / algbw is 1.5 for all_reduce only.
  EXPECT_EQ(row.collective, CollectiveKind::AllReduce);
  EXPECT_EQ(row.time_us, 367.2);
}

TEST(NcclTestsText, EveryProcessOfSeveralThreadsIsThreads) {
  const LogContents contents = read(
      "# nThread 4 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 5\n"
      "8 2 float sum -1 9 0 0 0 9 0 0 0\n# Avg bus bandwidth : 0\n",
      {"dgx-h100", CollectiveKind::AllReduce});
  ASSERT_EQ(contents.rows.size(), 1u) << first_problem(contents);
  EXPECT_EQ(contents.rows.front().launch, "threads");
  EXPECT_EQ(contents.rows.front().gpus, 4);  // no devices are listed: 1 process x 4 threads x 1
  EXPECT_FALSE(contents.rows.front().nodes);
}

TEST(NcclTestsText, SeveralTestsInOneFileAreCasesOfTheirOwn) {
  std::string second = kHead + kRows + kTail;
  second.replace(second.find("all_gather_perf"), 15, "alltoall_perf");
  const LogContents contents = read(kHead + kRows + kTail + second);
  EXPECT_EQ(first_problem(contents), "none");
  ASSERT_EQ(contents.rows.size(), 6u);
  EXPECT_EQ(contents.rows[2].case_name, "night_all_gather");
  EXPECT_EQ(contents.rows[3].case_name, "night_alltoall_2");
  EXPECT_EQ(contents.rows[3].collective, CollectiveKind::AllToAll);
  EXPECT_EQ(contents.rows[5].number, 6);
}

TEST(NcclTestsText, TheCommandLineBeforeAnOldLogNamesTheCollective) {
  const std::string rows = "16777216 4194304 float 367.2 45.68 34.26 0e+00 367 45 34 0e+00\n";
  std::string log = mpi_log(rows + "[1,0]<stdout>:# Out of bounds values : 0 OK\n");
  log.replace(log.find("redop "), 6, "");
  EXPECT_EQ(first_problem(read(log)),
            "runs/night.log:1: error: the log does not say which collective it is of\n"
            "hint: give --collective NAME");
  const LogContents named =
      read("+ mpirun -np 4 /opt/nccl-tests/build/all_gather_perf -b 8\n" + log);
  ASSERT_EQ(named.rows.size(), 1u) << first_problem(named);
  EXPECT_EQ(named.rows.front().collective, CollectiveKind::AllGather);
}

TEST(NcclTestsText, RepeatedCyclesAreCasesOfTheirOwn) {
  const LogContents contents = read(kHead + kRows + kRows + kTail);
  ASSERT_EQ(contents.rows.size(), 6u);
  EXPECT_EQ(contents.rows[0].case_name, "night_all_gather");
  EXPECT_EQ(contents.rows[3].case_name, "night_all_gather#2");
}

TEST(NcclTestsText, ALogThatIsCutOffIsNamedAndItsRowsStand) {
  // In the middle of the third row: its last field begins behind 12 + 14 + 10 + 8 + 8 columns and
  // four blanks.
  const std::string log = kHead + kRows;
  const LogContents within = read(log.substr(0, log.size() - 60));
  EXPECT_EQ(within.rows.size(), 2u);
  EXPECT_EQ(first_problem(within),
            "runs/night.log:14:57: error: the row of size 4096 is cut off: 6 fields of 13\n"
            "hint: rows are size, count, type, redop, root, then time, algbw, busbw and #wrong "
            "twice");
  // Between the second and the third.
  const LogContents between = read(kHead + kRows.substr(0, 2 * kRows.size() / 3));
  EXPECT_EQ(between.rows.size(), 2u);
  EXPECT_EQ(first_problem(between),
            "runs/night.log:13:9: error: the log is cut off: its last row is of size 2048, its "
            "header names sizes up to 4096\n"
            "hint: give the whole log, or --keep-going for the rows that are there");
  // All sizes are there, only the last lines are not: nothing is lost.
  EXPECT_EQ(first_problem(read(kHead + kRows)), "none");
  // Before the first row.
  EXPECT_EQ(first_problem(read(kHead)),
            "runs/night.log:3: error: no row follows this header\n"
            "hint: did the test end before its first size?");
}

TEST(NcclTestsText, ATimeThatIsNoNumberIsNamed) {
  std::string log = kHead + kRows + kTail;
  log.replace(log.find("13.00"), 5, "13.0x");
  const LogContents contents = read(log);
  EXPECT_EQ(contents.rows.size(), 2u);
  EXPECT_EQ(first_problem(contents).substr(0, 79),
            "runs/night.log:13:57: error: column time of size 2048: '13.0x' is no number\nhin");
  EXPECT_EQ(contents.refused, 1u);
  log.replace(log.find("13.0x"), 5, "1e300");
  EXPECT_EQ(first_problem(read(log)).substr(0, 77),
            "runs/night.log:13:57: error: column time of size 2048: '1e300' is no time\nhin");
}

TEST(NcclTestsText, WithoutASystemTheOptionIsAskedFor) {
  EXPECT_EQ(first_problem(read(kHead + kRows + kTail, {})),
            "runs/night.log:3: error: nccl-tests does not say on which system it ran\n"
            "hint: give --system NAME ('ringspan list systems' shows the catalogue)");
}

TEST(NcclTestsText, AProgramThatWeDoNotSimulateIsRefused) {
  std::string log = kHead + kRows + kTail;
  log.replace(log.find("all_gather_perf"), 15, "hypercube_perf");
  const LogContents contents = read(log);
  EXPECT_TRUE(contents.rows.empty());
  EXPECT_EQ(contents.refused, 3u);
  EXPECT_EQ(first_problem(contents).substr(0, 72),
            "runs/night.log:3: error: hypercube_perf: unknown collective 'hypercube'\n");
}

}  // namespace
}  // namespace ringspan

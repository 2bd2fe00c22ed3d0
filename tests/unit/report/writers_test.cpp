#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/report/report_writers.h"
#include "sim/base/version.h"
#include "tests/unit/report/sample_report.h"

namespace ringspan {
namespace {

using testing::HasSubstr;
using testing::Not;

const SizeRange kAsked{Bytes{8}, Bytes{1 << 30}, "2"};

TEST(NcclTestsTable, RowsHaveTheColumnsOfNcclTests) {
  const std::string text = nccl_tests_table(sample_report(), kAsked);
  // Widths 12 12 8 6 6, then 7 6 6 6 twice, two blanks in between (nccl-tests 2.19 src/common.cu).
  EXPECT_THAT(text,
              HasSubstr("\n           8             2     float     sum      -1"
                        "     6.60    0.00    0.00     N/A     6.50    0.00    0.00     N/A\n"));
  EXPECT_THAT(text,
              HasSubstr("\n  1073741824     268435456     float     sum      -1"
                        "  5000.00  214.75  214.75     N/A  4900.00  219.13  219.13     N/A\n"));
}

TEST(NcclTestsTable, EveryOtherLineIsAComment) {
  RunReport report = sample_report();
  report.interrupted = true;
  const std::string text = nccl_tests_table(report, kAsked);
  int rows = 0;
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
    if (text[begin] != '#') ++rows;
  }
  EXPECT_EQ(rows, 2);
}

TEST(NcclTestsTable, HeaderStandsOverTheColumns) {
  const std::string text = nccl_tests_table(sample_report(), kAsked);
  EXPECT_THAT(text,
              HasSubstr("#       size         count      type   redop    root     time   algbw   "
                        "busbw  #wrong     time   algbw   busbw  #wrong"));
  EXPECT_THAT(text, HasSubstr("# Collective test starting: all_reduce_perf\n"));
  EXPECT_THAT(text, HasSubstr(" minBytes 8 maxBytes 1073741824 step: 2(factor) "));
  EXPECT_THAT(text,
              HasSubstr("#  Rank  1 Group  0 Pid      0 on       pair device  1 [gpu1] A100\n"));
}

TEST(NcclTestsTable, AverageIsTheMeanOfAllRowsAndBothHalves) {
  // (0 + 0 + 214.7483648 + 219.13) / 4 = 108.4696
  EXPECT_THAT(nccl_tests_table(sample_report(), kAsked),
              HasSubstr("# Avg bus bandwidth    : 108.47 \n"));
}

TEST(NcclTestsTable, SaysWhatRanAndWhatLimitsIt) {
  const std::string text = nccl_tests_table(sample_report(), kAsked);
  // 5000 us over a bound of 4000 us.
  EXPECT_THAT(text, HasSubstr("# 1073741824  ring             simple         16 chunk            "
                              "   4000     1.25  gpu0 -> gpu1 (4 x nvlink3) (98.2 % busy)\n"));
  EXPECT_THAT(text, HasSubstr("latency (busiest resource 0.04 %)\n"));
  EXPECT_THAT(text, HasSubstr("# note: 1073741824 bytes: larger than half of a GPU's memory\n"));
}

TEST(CsvText, HasTheFixedColumnsInOrder) {
  const std::string text = csv_text(sample_report());
  EXPECT_EQ(text,
            "system,nodes,gpus,nccl,collective,algorithm,protocol,channels,bytes,time_us,algbw_gbs,"
            "busbw_gbs,time_in_place_us,granularity,bottleneck,lower_bound_us\n"
            "pair,1,2,2.28.9,all_reduce,ring,ll,1,8,6.600001,0,0,6.5,chunk,latency,0.5\n"
            "pair,1,2,2.28.9,all_reduce,ring,simple,16,1073741824,5000,214.748365,214.748365,4900,"
            "chunk,gpu0 -> gpu1 (4 x nvlink3),4000\n");
}

TEST(CsvText, QuotesWhatWouldBreakALine) {
  RunReport report = sample_report();
  report.system = "my \"big\", server";
  EXPECT_THAT(csv_text(report), HasSubstr("\n\"my \"\"big\"\", server\",1,2,"));
}

TEST(JsonText, IsOneObjectWithTheContractsFields) {
  RunReport report = sample_report();
  report.rows = {small_row()};
  report.warnings = {"a \"warning\""};
  EXPECT_EQ(json_text(report, false), std::string(R"({
  "version": ")") + std::string(kVersion) +
                                          R"(",
  "system": "pair",
  "profile": "nccl-ampere",
  "seed": 0,
  "results": [
    {
      "system": "pair",
      "nodes": 1,
      "gpus": 2,
      "nccl": "2.28.9",
      "collective": "all_reduce",
      "algorithm": "ring",
      "protocol": "ll",
      "channels": 1,
      "bytes": 8,
      "time_us": 6.600001,
      "algbw_gbs": 0.0,
      "busbw_gbs": 0.0,
      "time_in_place_us": 6.5,
      "granularity": "chunk",
      "bottleneck": "latency",
      "lower_bound_us": 0.5,
      "interval_us": null,
      "extrapolated": true
    }
  ],
  "warnings": [
    "a \"warning\""
  ],
  "interrupted": false,
  "stalled": null
}
)");
}

TEST(JsonText, ListsCandidatesOnlyWhenAsked) {
  EXPECT_THAT(json_text(sample_report(), false), Not(HasSubstr("candidates")));
  const std::string text = json_text(sample_report(), true);
  EXPECT_THAT(text, HasSubstr(R"("algorithm": "tree",
          "protocol": "simple",
          "channels": 16,
          "latency_us": null,
          "algbw_gbs": null,
          "time_us": null,
          "predicted_us": 7500.0,
          "picked": false)"));
}

TEST(JsonText, SurvivesANameThatIsNotUtf8) {
  RunReport report = sample_report();
  report.system = "\xff";
  EXPECT_THAT(json_text(report, false), HasSubstr("\"version\""));
}

TEST(ExplainText, SaysWhatEachRankSendsAsAShareOfTheSize) {
  RunReport report = sample_report();
  report.gpus = 8;
  report.rows[1].rank_send_bytes = 1'879'048'192;  // 2 x 7/8 x 2^30
  EXPECT_THAT(explain_text(report),
              HasSubstr("bytes           each rank sends 1.75 GiB (2 x 7/8 of the size)\n"));
  report.rows[1].rank_send_bytes = 939'524'096;  // 7/8 x 2^30
  EXPECT_THAT(explain_text(report), HasSubstr("each rank sends 896 MiB (7/8 of the size)\n"));
}

TEST(ExplainText, NamesChoiceCutBottleneckAndBound) {
  const std::string text = explain_text(sample_report());
  EXPECT_THAT(text, HasSubstr("Communicator: 2 ranks on pair, 1 server, A100\n"));
  EXPECT_THAT(text, HasSubstr("  rank=device: 0=gpu0 1=gpu1\n"));
  EXPECT_THAT(text, HasSubstr("  NVLink: 2 pairs, 220 GB/s, 0.7 us, e.g. gpu0 -> gpu1\n"));
  EXPECT_THAT(text, HasSubstr("algorithm       ring, protocol simple, 16 channels, "
                              "granularity chunk\n"));
  EXPECT_THAT(text, HasSubstr("cut             chunks up to 4 MiB, slices of 2 MiB, 8 loops\n"));
  EXPECT_THAT(text, HasSubstr("on the wire     nvlink 2 GiB over 2 resources (links in series that "
                              "carry the same count once)\n"));
  EXPECT_THAT(text, HasSubstr("limited by      gpu0 -> gpu1 (4 x nvlink3), 98.2 % busy\n"));
  EXPECT_THAT(text,
              HasSubstr("lower bound     4 ms, this run takes 1.25 times that: every GPU must "
                        "send the size once\n"));
  EXPECT_THAT(text, HasSubstr("tree             simple   16 channels       7.5 ms\n"));
  EXPECT_THAT(text, HasSubstr("5 ms  <- picked\n"));
}

TEST(ExplainText, NamesTheReasonOfAStagedPath) {
  RunReport report = sample_report();
  report.paths[0].kind = "socket, staged through cpu1";
  report.paths[0].reason = "peer-to-peer stops at PCIe switches";
  EXPECT_THAT(explain_text(report), HasSubstr("    staged: peer-to-peer stops at PCIe switches\n"));
}

TEST(Commented, PutsTheSignBeforeEveryLine) {
  EXPECT_EQ(commented("a\n\n  b\n"), "# a\n#\n#   b\n");
  EXPECT_EQ(commented(""), "");
  EXPECT_EQ(commented("no end"), "# no end\n");
}

}  // namespace
}  // namespace ringspan

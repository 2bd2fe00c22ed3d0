#include "validation/replay/replay_writers.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/base/input_error.h"
#include "validation/logs/read_log.h"

namespace ringspan {
namespace {

// Two sizes of all_reduce over two hosts of two ranks: medians 20 and 200 us.
ReplayReport two_rows() {
  ReplayReport report;
  report.program = "ringspan-replay-hosts";
  report.library = "Open MPI v4.1.4";
  report.system = "dgx-h100";
  report.case_name = "mine";
  report.plan.ranks = 4;
  report.plan.repeats = 3;
  for (int rank = 0; rank < 4; ++rank)
    report.ranks.push_back({rank / 2, 100 + rank, rank % 2, "-", "host"});
  report.facts = {{"date", "2026-01-02T03:04:05Z"}};
  report.environment = {"OMPI_MCA_btl=self,tcp"};
  for (const std::int64_t bytes : {1000, 10000}) {
    PlannedCollective item;
    item.size = {bytes};
    report.plan.collectives.push_back(item);
    ReplayRow row;
    row.planned = report.plan.collectives.size() - 1;
    row.ranks = 4;
    row.size = {bytes, bytes / 4};
    const double time = static_cast<double>(bytes) / 50;
    row.out_of_place.repeats_us = {time, time * 1.5, time / 2};
    row.out_of_place.calls_us = {time, time};
    row.out_of_place.wrong = 0;
    row.in_place = row.out_of_place;
    report.rows.push_back(row);
  }
  return report;
}

LogContents read_back(const std::string& text) {
  return read_log(text, "log", LogOptions{"dgx-h100", std::nullopt});
}

// algbw 1000 B / 20 us = 0.05 GB/s, busbw 2 x 3/4 of that = 0.075,
// which two decimals show as 0.08.
TEST(ReplayTable, HasNcclTestsColumns) {
  const std::string text = replay_table(two_rows());
  EXPECT_NE(
      text.find(
          "        1000           250     float     sum      -1    20.00    0.05    0.08       0 "
          "   20.00    0.05    0.08       0\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("# Collective test starting: all_reduce_perf\n"), std::string::npos);
  EXPECT_NE(text.find("# Out of bounds values : 0 OK\n"), std::string::npos);
  EXPECT_NE(text.find("# timing: back-to-back, 3 repeats\n"), std::string::npos);
}

void expect_rows(const LogContents& contents, const std::string& what) {
  for (const InputProblem& problem : contents.problems)
    ADD_FAILURE() << what << format_problem(problem);
  ASSERT_EQ(contents.rows.size(), 2U) << what;
  EXPECT_EQ(contents.rows[1].bytes, 10000) << what;
  EXPECT_DOUBLE_EQ(contents.rows[1].time_us, 200) << what;
  EXPECT_EQ(contents.rows[0].gpus, 4) << what;
  EXPECT_EQ(contents.rows[0].nodes, 2) << what;
  EXPECT_EQ(contents.rows[0].collective, CollectiveKind::AllReduce) << what;
  EXPECT_EQ(contents.rows[0].launch, "processes") << what;
}

TEST(ReplayWriters, WhatValidateReadsIsWhatWasMeasured) {
  expect_rows(read_back(replay_table(two_rows())), "table: ");
  expect_rows(read_back(replay_csv(two_rows())), "csv: ");
  expect_rows(read_back(replay_json(two_rows())), "json: ");
}

TEST(ReplayWriters, WhatIsNotMeasuredOrCheckedIsNotAvailable) {
  ReplayReport report = two_rows();
  for (ReplayRow& row : report.rows) {
    row.in_place.reset();
    row.out_of_place.wrong.reset();
  }
  const std::string text = replay_table(report);
  EXPECT_NE(text.find("  N/A      N/A     N/A     N/A     N/A\n"), std::string::npos) << text;
  expect_rows(read_back(text), "table: ");
  expect_rows(read_back(replay_json(report)), "json: ");
  expect_rows(read_back(replay_csv(report)), "csv: ");
}

TEST(ReplayWriters, ForcedChoicesStandInTheMeasuredTable) {
  ReplayReport report = two_rows();
  for (PlannedCollective& item : report.plan.collectives) {
    item.algorithm = "ring";
    item.protocol = Protocol::Simple;
  }
  const LogContents contents = read_back(replay_csv(report));
  ASSERT_EQ(contents.rows.size(), 2U);
  EXPECT_EQ(contents.rows[0].algorithm, "ring");
  EXPECT_EQ(contents.rows[0].protocol, Protocol::Simple);
  EXPECT_EQ(contents.rows[0].case_name, "mine");
}

TEST(ReplayTable, OtherCollectivesHaveHeadersOfTheirOwn) {
  ReplayReport report = two_rows();
  report.plan.collectives[1].collective = CollectiveKind::AllToAll;
  const std::vector<ReplaySection> sections = replay_sections(report);
  ASSERT_EQ(sections.size(), 2U);
  const LogContents contents = read_back(replay_table(report));
  ASSERT_EQ(contents.rows.size(), 2U);
  EXPECT_EQ(contents.rows[1].collective, CollectiveKind::AllToAll);
  EXPECT_THROW(replay_json(report), InputError);
}

TEST(ReplayTable, WrongElementsAreCountedAndFail) {
  ReplayReport report = two_rows();
  report.rows[0].out_of_place.wrong = 3;
  const std::string text = replay_table(report);
  EXPECT_NE(text.find("# Out of bounds values : 3 FAILED\n"), std::string::npos) << text;
}

TEST(ReplayJson, SaysHowTimesWereTaken) {
  const nlohmann::json json = nlohmann::json::parse(replay_json(two_rows()));
  EXPECT_EQ(json["version"], 3);
  EXPECT_EQ(json["system"], "dgx-h100");
  EXPECT_EQ(json["config"]["timing"], "back-to-back");
  EXPECT_EQ(json["results"][0]["out_of_place_per_iter"]["p99_us"], 20);
  EXPECT_EQ(json["out_of_bounds"]["okay"], "true");
  EXPECT_EQ(json["env"][0], "OMPI_MCA_btl=self,tcp");
  EXPECT_EQ(json["facts"]["date"], "2026-01-02T03:04:05Z");
}

TEST(ReplayWriters, AnEarlyEndIsSaid) {
  ReplayReport report = two_rows();
  report.ended_early = "interrupted";
  EXPECT_NE(replay_table(report).find("# ended early: interrupted\n"), std::string::npos);
  EXPECT_NE(replay_csv(report).find("# ended early: interrupted\n"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(replay_json(report))["errors"][0], "interrupted");
}

}  // namespace
}  // namespace ringspan

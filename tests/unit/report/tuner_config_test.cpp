#include "app/report/tuner_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <sstream>

#include "app/scenario/scenario.h"
#include "sim/base/input_error.h"
#include "sim/base/version.h"
#include "tests/unit/report/sample_report.h"

namespace ringspan {
namespace {

using testing::HasSubstr;

Candidate candidate(std::string algorithm, Protocol protocol, int channels, int us,
                    bool picked = false) {
  return {std::move(algorithm), protocol, channels, microseconds(us), picked, {}, {}};
}

RunRow row_of(std::int64_t bytes, std::vector<Candidate> candidates) {
  RunRow row = small_row();
  row.bytes = bytes;
  row.candidates = std::move(candidates);
  return row;
}

std::string lines_after_head(const std::string& text) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    if (line.front() != '#') kept += line + '\n';
  }
  return kept;
}

TEST(TunerConfig, HeadSaysWhatItIsAndIsCommentOnly) {
  RunReport report = sample_report();
  report.rows = {row_of(8, {candidate("ring", Protocol::LL, 2, 6)}),
                 row_of(16, {candidate("ring", Protocol::LL, 2, 6)})};
  const std::string text = tuner_config_text(report);
  EXPECT_EQ(text, std::string("# ringspan ") + std::string(kVersion) +
                      ": least predicted time, for NCCL's example tuner plugin\n"
                      "# pair\n"
                      "# all_reduce, float, 2 GPUs, sizes 8 to 16, profile nccl-ampere\n"
                      "# collective_type,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,"
                      "nRanks,numPipeOps,regBuff\n"
                      "allreduce,0,18446744073709551615,ring,ll,2,1,2,-1,-1\n");
}

TEST(TunerConfig, RangesMeetAtTheGeometricMeanOfTheSizesOnBothSides) {
  RunReport report = sample_report();
  report.domains = 4;
  report.gpus = 32;
  const auto ll = candidate("ring", Protocol::LL, 2, 6);
  const auto tree = candidate("tree", Protocol::LL128, 16, 5);
  // sqrt(1024 x 4096) = 2048; sqrt(4096 x 4100) = 4097.99...
  report.rows = {row_of(512, {ll}), row_of(1024, {ll}), row_of(4096, {tree, ll}),
                 row_of(4100, {candidate("nvlstree", Protocol::Simple, 16, 4), tree})};
  EXPECT_EQ(lines_after_head(tuner_config_text(report)),
            "allreduce,0,2048,ring,ll,2,4,32,-1,-1\n"
            "allreduce,2049,4097,tree,ll128,16,4,32,-1,-1\n"
            "allreduce,4098,18446744073709551615,nvls_tree,simple,16,4,32,-1,-1\n");
}

TEST(TunerConfig, AnotherNumberOfChannelsIsAnotherRange) {
  RunReport report = sample_report();
  report.rows = {row_of(100, {candidate("ring", Protocol::LL, 1, 6)}),
                 row_of(400, {candidate("ring", Protocol::LL, 2, 6)})};
  EXPECT_EQ(lines_after_head(tuner_config_text(report)),
            "allreduce,0,200,ring,ll,1,1,2,-1,-1\n"
            "allreduce,201,18446744073709551615,ring,ll,2,1,2,-1,-1\n");
}

TEST(TunerConfig, TakesTheLeastPredictedTimeNotNcclsPick) {
  RunReport report = sample_report();
  report.rows = {row_of(
      64, {candidate("ring", Protocol::LL, 1, 6, true), candidate("tree", Protocol::LL, 1, 5)})};
  EXPECT_THAT(tuner_config_text(report), HasSubstr(",tree,ll,1,"));
}

TEST(TunerConfig, TiesGoToNcclsPick) {
  RunReport report = sample_report();
  report.rows = {row_of(
      64, {candidate("ring", Protocol::LL, 1, 5), candidate("tree", Protocol::LL, 1, 5, true)})};
  EXPECT_THAT(tuner_config_text(report), HasSubstr(",tree,ll,1,"));
}

TEST(TunerConfig, LeavesOutWhatNcclsTunerMayNotTake) {
  RunReport report = sample_report();
  Candidate barred = candidate("nvls", Protocol::Simple, 16, 1);
  barred.bar = "ncclAvg";
  report.rows = {row_of(64, {barred, candidate("direct", Protocol::Simple, 1, 2),
                             candidate("collnetchain", Protocol::Simple, 4, 3)})};
  EXPECT_EQ(lines_after_head(tuner_config_text(report)),
            "allreduce,0,18446744073709551615,collnet_chain,simple,4,1,2,-1,-1\n");
}

TEST(TunerConfig, RefusesWhatThePluginHasNoWordFor) {
  try {
    require_tuner_collective(CollectiveKind::AllToAll);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "error: --emit-tuner: NCCL's tuner chooses nothing for alltoall\n"
                 "hint: give it with all_reduce, all_gather, reduce_scatter, broadcast or reduce");
  }
}

TEST(TunerConfig, RefusesARunInWhichNothingIsChosen) {
  RunReport report = sample_report();
  report.rows = {row_of(0, {}), row_of(64, {candidate("direct", Protocol::Simple, 1, 2)})};
  EXPECT_THROW(tuner_config_text(report), InputError);
}

struct Range {
  std::uint64_t least = 0, most = 0;
  std::string algorithm, protocol;
  int channels = 0;
};

std::vector<Range> read_ranges(const std::string& text) {
  std::vector<Range> ranges;
  std::istringstream lines(lines_after_head(text));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(fields, cell, ',');) cells.push_back(cell);
    EXPECT_EQ(cells.size(), 10u) << line;
    ranges.push_back(
        {std::stoull(cells[1]), std::stoull(cells[2]), cells[3], cells[4], std::stoi(cells[5])});
  }
  return ranges;
}

RunReport weighed(const char* system_name, CollectiveKind kind, int nodes) {
  const Catalog catalog = builtin_catalog();
  SystemSize size;
  size.servers = nodes;
  RunScenario scenario;
  scenario.collective = kind;
  scenario.nodes = nodes;
  scenario.sizes = size_steps(Bytes{8}, Bytes{std::int64_t{1} << 30}, 3);
  scenario.explain = true;
  return run_scenario(scenario, load_system(catalog, system_name, {}, size), catalog);
}

// With real candidates: every size is in one range, the first to the last byte are covered, and a
// tried size gets the least predicted time.
void expect_least_times(const RunReport& report) {
  const std::vector<Range> ranges = read_ranges(tuner_config_text(report));
  ASSERT_FALSE(ranges.empty());
  EXPECT_EQ(ranges.front().least, 0u);
  EXPECT_EQ(ranges.back().most, std::numeric_limits<std::uint64_t>::max());
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    EXPECT_EQ(ranges[i].least, ranges[i - 1].most + 1);
    EXPECT_LE(ranges[i].least, ranges[i].most);
  }
  for (const RunRow& row : report.rows) {
    if (row.bytes == 0) continue;
    const auto bytes = static_cast<std::uint64_t>(row.bytes);
    const auto range = std::find_if(ranges.begin(), ranges.end(),
                                    [&](const Range& one) { return bytes <= one.most; });
    Duration least = Duration::max(), taken = Duration::max();
    for (const Candidate& one : row.candidates) {
      if (!one.bar.empty()) continue;
      least = std::min(least, one.predicted);
      if (one.algorithm == range->algorithm && protocol_name(one.protocol) == range->protocol &&
          one.channels == range->channels) {
        taken = one.predicted;
      }
    }
    EXPECT_EQ(taken, least) << row.bytes;
  }
}

TEST(TunerConfig, HoldsOnSystemsOfTheCatalogue) {
  expect_least_times(weighed("dgx-h100", CollectiveKind::AllReduce, 1));
  expect_least_times(weighed("dgx-h100", CollectiveKind::ReduceScatter, 4));
  expect_least_times(weighed("rtx-4090-8x-shm", CollectiveKind::AllGather, 1));
}

}  // namespace
}  // namespace ringspan

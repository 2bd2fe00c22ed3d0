#include "validation/comparison/measured_series.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ringspan {
namespace {

using Notes = std::vector<std::string>;

MeasuredRow row(std::int64_t bytes) {
  MeasuredRow row;
  row.system = "dgx-h100";
  row.gpus = 8;
  row.bytes = bytes;
  row.time_us = 10;
  row.time_text = "10";
  return row;
}

TEST(MeasuredSeries, RowsThatDifferInSizeAndTimeAreOneSeries) {
  std::vector<MeasuredRow> rows = {row(8), row(8), row(16), row(32)};
  rows[1].launch = "threads";
  rows[2].time_text = "11";
  const auto series = find_series(rows);
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0].rows, (std::vector<std::size_t>{0, 2, 3}));
  EXPECT_EQ(series[1].rows, (std::vector<std::size_t>{1}));
}

TEST(MeasuredSeries, ARowBecomesAScenario) {
  MeasuredRow measured = row(8);
  measured.nodes = 2;
  measured.gpus = 16;
  measured.nccl = "2.21.5+cuda12.4";
  measured.launch = "single-process";
  measured.algorithm = "ring";
  measured.protocol = Protocol::LL;
  measured.dtype = "half";
  const SeriesScenario series = scenario_of(measured);
  EXPECT_EQ(series.scenario.nodes, 2);
  EXPECT_EQ(series.scenario.gpus, 16);
  EXPECT_EQ(series.scenario.nccl, "2.21.5");
  EXPECT_EQ(series.scenario.launch, LaunchMode::SingleProcess);
  EXPECT_EQ(series.scenario.algorithm, "ring");
  EXPECT_EQ(series.scenario.protocol, Protocol::LL);
  EXPECT_EQ(series.scenario.dtype, "half");
  EXPECT_EQ(series.notes, Notes{});
}

TEST(MeasuredSeries, WhatIsOldOrUnknownIsNoted) {
  MeasuredRow measured = row(8);
  measured.nccl = "2.8.3";
  measured.launch = "slurm";
  SeriesScenario series = scenario_of(measured);
  EXPECT_EQ(series.scenario.nccl, "2.18");
  EXPECT_EQ(series.scenario.launch, LaunchMode::Processes);
  EXPECT_EQ(series.notes, (Notes{"NCCL 2.8.3 is taken as 2.18, the oldest one modelled",
                                 "launch mode 'slurm' is taken as processes"}));
  measured = row(8);
  measured.nccl = "new";
  series = scenario_of(measured);
  EXPECT_EQ(series.scenario.nccl, "");
  EXPECT_EQ(series.notes, (Notes{"NCCL version 'new' is not used: predicted for the newest one"}));
}

TEST(MeasuredSeries, SettingsOfTheEnvironmentGoWithTheScenario) {
  MeasuredRow measured = row(8);
  measured.env = "NCCL_ALGO=Ring NCCL_PROTO=ll128 NCCL_MAX_NCHANNELS=4";
  const SeriesScenario series = scenario_of(measured);
  const NcclEnvironment& environment = series.scenario.environment;
  EXPECT_EQ(environment.algorithms, std::vector<std::string>{"ring"});
  EXPECT_EQ(environment.protocols, std::vector<Protocol>{Protocol::LL128});
  EXPECT_EQ(environment.max_channels, 4);
  EXPECT_EQ(series.notes, Notes{});
}

TEST(MeasuredSeries, AColumnWinsOverTheEnvironment) {
  MeasuredRow measured = row(8);
  measured.algorithm = "tree";
  measured.env = "NCCL_ALGO=Ring";
  EXPECT_EQ(scenario_of(measured).scenario.algorithm, "tree");
}

TEST(MeasuredSeries, SettingsWithoutEffectAreNoted) {
  MeasuredRow measured = row(8);
  measured.env = "NCCL_ALGO=Ring,Tree NCCL_NET=Socket NCCL_NVLS_ENABLE=0 X=1";
  EXPECT_EQ(scenario_of(measured).notes,
            (Notes{"'X=1' is not used: it is no setting known here",
                   "NCCL_NET=Socket is not modelled: predicted without it"}));
}

}  // namespace
}  // namespace ringspan

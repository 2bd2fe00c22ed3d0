#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "app/scenario/scenario.h"

namespace ringspan {
namespace {

RunScenario all_reduce_of(std::vector<Bytes> sizes) {
  RunScenario scenario;
  scenario.collective = CollectiveKind::AllReduce;
  scenario.sizes = std::move(sizes);
  return scenario;
}

// The pick changes with the size (tree, ring, NVLS; LL, LL128, Simple); the time must not show it.
TEST(RunScenario, WithNothingForcedTimeNeverFallsWithSize) {
  const Catalog catalog = builtin_catalog();
  for (const char* name : {"dgx-h100", "dgx-a100", "rtx-4090-8x-shm", "l40s-pcie-8x"}) {
    const System system = load_system(catalog, name);
    const RunReport report = run_scenario(
        all_reduce_of(size_steps(Bytes{8}, Bytes{std::int64_t{256} << 20}, 1.3)), system, catalog);
    const RunRow* last = nullptr;
    for (const RunRow& row : report.rows) {
      // NCCL's pick need not be the fastest: with another one a larger size may take less time.
      const bool same =
          last != nullptr && row.algorithm == last->algorithm && row.protocol == last->protocol;
      if (same) {
        EXPECT_GE(row.time, last->time) << name << ", " << row.bytes << " bytes, " << row.algorithm;
      }
      last = &row;
    }
  }
}

TEST(RunScenario, TheCandidateThatIsPickedHasTheTimeOfTheRow) {
  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, "dgx-h100");
  RunScenario scenario = all_reduce_of({Bytes{1 << 10}, Bytes{1 << 26}});
  scenario.explain = true;
  scenario.granularity = Granularity::Stream;  // at which candidates are weighed
  const RunReport report = run_scenario(scenario, system, catalog);
  for (const RunRow& row : report.rows) {
    int picked = 0;
    for (const Candidate& candidate : row.candidates) {
      if (!candidate.picked) continue;
      ++picked;
      EXPECT_EQ(candidate.predicted, row.time_in_place);
      EXPECT_EQ(candidate.algorithm, row.algorithm);
    }
    EXPECT_EQ(picked, 1);
  }
}

// NCCL's tuner, 2.28.9 and later: ring with LL below 2 MiB, NVLS from there on.
TEST(RunScenario, NcclsTunerPicksOnDgxH100) {
  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, "dgx-h100");
  const RunReport report =
      run_scenario(all_reduce_of({Bytes{1 << 20}, Bytes{1 << 21}}), system, catalog);
  EXPECT_EQ(report.rows[0].algorithm, "ring");
  EXPECT_EQ(report.rows[0].protocol, Protocol::LL);
  EXPECT_EQ(report.rows[1].algorithm, "nvls");
}

// Its estimate of ring with LL: 15.0 us + 1 MiB at 80.6 GB/s = 28.0 us.
TEST(RunScenario, CandidatesCarryWhatTheTunerSays) {
  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, "dgx-h100");
  RunScenario scenario = all_reduce_of({Bytes{1 << 20}});
  scenario.explain = true;
  const RunReport report = run_scenario(scenario, system, catalog);
  for (const Candidate& candidate : report.rows[0].candidates) {
    if (!candidate.picked) continue;
    ASSERT_TRUE(candidate.tuner.has_value());
    EXPECT_NEAR(candidate.tuner->latency_us, 15.0, 0.05);
    EXPECT_NEAR(candidate.tuner->algbw_gbs, 80.6, 0.05);
    EXPECT_NEAR(candidate.tuner->time_us, 28.0, 0.05);
  }
}

// One rank is a local copy: 1 GiB at the H100's copy rate, in place only the launch.
TEST(RunScenario, OneRankCopiesItsVectorOnce) {
  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, "dgx-h100");
  RunScenario scenario = all_reduce_of({Bytes{std::int64_t{1} << 30}});
  scenario.gpus = 1;
  const RunReport report = run_scenario(scenario, system, catalog);
  ASSERT_EQ(report.rows.size(), 1u);
  const Bandwidth copy = system.topology().gpu_model(system.topology().gpus()[0]).memory_copy;
  EXPECT_EQ(report.rows[0].time - report.rows[0].time_in_place,
            transfer_time(Bytes{std::int64_t{1} << 30}, copy));
  EXPECT_EQ(report.rows[0].busbw_gbs, 0);
}

TEST(RunScenario, TwoRunsInOneProcessAreAlike) {
  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, "dgx1-v100");
  const RunScenario scenario = all_reduce_of({Bytes{1 << 12}, Bytes{1 << 27}});
  const RunReport first = run_scenario(scenario, system, catalog);
  const RunReport second = run_scenario(scenario, system, catalog);
  ASSERT_EQ(first.rows.size(), second.rows.size());
  for (std::size_t i = 0; i < first.rows.size(); ++i) {
    EXPECT_EQ(first.rows[i].time, second.rows[i].time);
    EXPECT_EQ(first.rows[i].events, second.rows[i].events);
  }
}

TEST(RunScenario, StopsWhenAskedAndKeepsTheRowsDone) {
  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, "dgx-h100");
  const RunScenario scenario = all_reduce_of({Bytes{8}, Bytes{16}, Bytes{32}});
  const RunReport report = run_scenario(
      scenario, system, catalog, [](const Progress& progress) { return progress.sizes_done < 2; });
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(report.rows.size(), 2u);
}

// Between servers, where loads are built for a while: whenever the answer is no, the run ends there
// and has the rows of the sizes before.
TEST(RunScenario, StopsAtAnyQuestionWithTheRowsDone) {
  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, "superpod-h100", {}, {8, std::nullopt, 0});
  RunScenario scenario = all_reduce_of({Bytes{1 << 10}, Bytes{1 << 20}, Bytes{1 << 28}});
  scenario.nodes = 8;
  std::vector<std::size_t> done_at;  // by question
  const RunReport whole = run_scenario(scenario, system, catalog, [&](const Progress& progress) {
    done_at.push_back(progress.sizes_done);
    return true;
  });
  ASSERT_EQ(whole.rows.size(), 3u);
  // Tree, ring and NVLSTree over 64 ranks: many questions before the first size is done.
  EXPECT_GT(std::count(done_at.begin(), done_at.end(), 0u), 10);
  const std::size_t stride = done_at.size() / 8 + 1;
  for (std::size_t last = 0; last < done_at.size(); last += stride) {
    std::size_t asked = 0;
    const RunReport report =
        run_scenario(scenario, system, catalog, [&](const Progress&) { return asked++ < last; });
    EXPECT_TRUE(report.interrupted);
    EXPECT_EQ(asked, last + 1) << "asked again after it was told to stop";
    EXPECT_EQ(report.rows.size(), done_at[last]);
  }
}

}  // namespace
}  // namespace ringspan

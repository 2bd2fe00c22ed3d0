#include "validation/comparison/nccl_model.h"

#include <gtest/gtest.h>

#include "app/scenario/collective_run.h"

namespace ringspan {
namespace {

TEST(NcclModel, ItIsTheTunersTimeOfItsPick) {
  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, "dgx-h100");
  RunScenario scenario;
  scenario.explain = true;
  scenario.sizes = {Bytes{8}, Bytes{std::int64_t{1} << 30}};
  const RunReport report = run_scenario(scenario, system, catalog);
  const BaselineTimes times = nccl_model_baseline(scenario, system, catalog);
  ASSERT_EQ(report.rows.size(), 2u);
  for (const RunRow& row : report.rows) {
    for (const Candidate& candidate : row.candidates) {
      if (!candidate.picked) continue;
      ASSERT_TRUE(candidate.tuner);
      EXPECT_NEAR(to_microseconds(*times(Bytes{row.bytes})), candidate.tuner->time_us, 1e-3);
    }
  }
}

TEST(NcclModel, AForcedAlgorithmIsItsOwnTime) {
  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, "dgx-h100");
  RunScenario free, ring;
  ring.algorithm = "ring";
  ring.protocol = Protocol::Simple;
  const Bytes size{std::int64_t{1} << 20};
  EXPECT_GT(*nccl_model_baseline(ring, system, catalog)(size),
            *nccl_model_baseline(free, system, catalog)(size));
}

TEST(NcclModel, GroupedSendReceiveHasNone) {
  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, "dgx-h100");
  RunScenario scenario;
  scenario.collective = CollectiveKind::AllToAll;
  EXPECT_FALSE(nccl_model_baseline(scenario, system, catalog)(Bytes{1 << 20}));
}

}  // namespace
}  // namespace ringspan

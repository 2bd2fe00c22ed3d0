#include "validation/comparison/alpha_beta.h"

#include <gtest/gtest.h>

namespace ringspan {
namespace {

Duration time(const char* system_name, CollectiveKind kind, int gpus, std::int64_t bytes) {
  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, system_name, {}, {std::nullopt, gpus, 0});
  RunScenario scenario;
  scenario.collective = kind;
  scenario.gpus = gpus;
  scenario.profile = load_profile(catalog, "nccl-hopper");  // round, published constants
  return *alpha_beta_baseline(scenario, system, catalog)(Bytes{bytes});
}

TEST(AlphaBeta, ASmallSizeIsStartAndSteps) {
  // dgx-h100, ring with LL: 6.6 us and, over NVLink, 14 steps of 0.6 us.
  EXPECT_NEAR(to_microseconds(time("dgx-h100", CollectiveKind::AllReduce, 8, 8)), 15, 1e-3);
  // 7 steps; between servers 15 steps of 2.7 us.
  EXPECT_NEAR(to_microseconds(time("dgx-h100", CollectiveKind::AllGather, 8, 8)), 10.8, 1e-3);
  EXPECT_NEAR(to_microseconds(time("dgx-h100", CollectiveKind::AllGather, 16, 8)), 47.1, 1e-3);
}

TEST(AlphaBeta, ALargeSizeIsBytesOverBandwidth) {
  const auto slope = [](CollectiveKind kind, int gpus) {
    constexpr std::int64_t kBytes = std::int64_t{1} << 40;
    const Duration two = time("dgx-h100", kind, gpus, 2 * kBytes);
    const Duration one = time("dgx-h100", kind, gpus, kBytes);
    return static_cast<double>(kBytes) / to_seconds(two - one) / 1e9;  // GB/s of the size
  };
  // 18 NVLinks of 21.8 GB/s of payload, 392.4 GB/s: all_gather sends 7/8 of the size.
  EXPECT_NEAR(slope(CollectiveKind::AllGather, 8), 392.4 / (7.0 / 8), 0.1);
  // Between servers 8 NICs carry 400 GB/s, so NVLink still limits; all_reduce sends 2 x 15/16.
  EXPECT_NEAR(slope(CollectiveKind::AllReduce, 16), 392.4 / (2 * 15.0 / 16), 0.1);
  // alltoall sends 15/16 of it, and eight GPUs share the NICs.
  EXPECT_NEAR(slope(CollectiveKind::AllToAll, 16), 50 / (15.0 / 16), 0.1);
}

TEST(AlphaBeta, OneRankSendsNothing) {
  EXPECT_NEAR(to_microseconds(time("dgx-h100", CollectiveKind::AllReduce, 1, 1 << 30)), 6.6, 1e-3);
}

}  // namespace
}  // namespace ringspan

// What holds for every registered algorithm and collective: more bytes never take less time, faster
// links never more.

#include <gtest/gtest.h>

#include "tests/support/plain_fabrics.h"
#include "tests/support/plans.h"

namespace ringspan {
namespace {

using testing::AlgorithmCase;
using testing::TestPlan;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

class EveryAlgorithm : public ::testing::TestWithParam<AlgorithmCase> {};

TEST_P(EveryAlgorithm, TimeNeverFallsWithSize) {
  // NCCL's chunks of CollNet grow by steps with the size, and at a step the longer chunks may save
  // more latency than the further bytes cost.
  if (GetParam().algorithm.starts_with("collnet")) return;
  for (const int gpus : {2, 3, 8}) {
    const Topology fabric = testing::gpus_on_one_switch(gpus);
    for (const Protocol protocol : kAllProtocols) {
      if (testing::runs_with_simple_only(GetParam()) && protocol != Protocol::Simple) continue;
      const TestPlan test(fabric, GetParam(), protocol, 4, testing::hopper_profile());
      Duration last{};
      for (std::int64_t size = 8; size <= 256 * kMiB; size = size * 5 / 4 + 1) {
        const Duration time = testing::chunk_time(test, Bytes{size});
        ASSERT_GE(time, last) << gpus << " GPUs, " << protocol_name(protocol) << ", " << size;
        last = time;
      }
    }
  }
}

TEST_P(EveryAlgorithm, DoublingTheRatesNeverSlows) {
  for (const int gpus : {2, 3, 8}) {
    const Topology slow = testing::gpus_on_one_switch(gpus, bandwidth_from_gbytes_per_second(100));
    const Topology fast = testing::gpus_on_one_switch(gpus, bandwidth_from_gbytes_per_second(200));
    const TestPlan slow_test(slow, GetParam(), Protocol::Simple, 4, testing::hopper_profile());
    const TestPlan fast_test(fast, GetParam(), Protocol::Simple, 4, testing::hopper_profile());
    for (std::int64_t size = 8; size <= 256 * kMiB; size = size * 3 + 7) {
      EXPECT_LE(testing::chunk_time(fast_test, Bytes{size}),
                testing::chunk_time(slow_test, Bytes{size}))
          << gpus << " GPUs, " << size << " B";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryAlgorithm,
                         ::testing::ValuesIn(testing::all_algorithm_cases()),
                         [](const auto& test) { return testing::case_name(test.param); });

}  // namespace
}  // namespace ringspan

// The granularities and the network models tell one story where nothing contends.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/plain_fabrics.h"
#include "tests/support/plans.h"

namespace ringspan {
namespace {

using testing::AlgorithmCase;
using testing::TestPlan;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

double difference(Duration a, Duration b) {
  return std::abs(static_cast<double>(a.count()) / static_cast<double>(b.count()) - 1);
}

class EveryAlgorithm : public ::testing::TestWithParam<AlgorithmCase> {};

TEST_P(EveryAlgorithm, StreamAndChunkAgreeWithinTwoPercentFrom64MiB) {
  for (const int gpus : {2, 3, 4, 8, 16, 31, 64}) {
    const Topology fabric = testing::gpus_on_one_switch(gpus);
    for (const Protocol protocol : kAllProtocols) {
      if (testing::runs_with_simple_only(GetParam()) && protocol != Protocol::Simple) continue;
      const TestPlan test(fabric, GetParam(), protocol, 24, testing::hopper_profile());
      for (const std::int64_t size : {64 * kMiB, 1000 * kMiB}) {
        if (size > 64 * kMiB && gpus > 8) continue;  // more of the same slices
        const Duration stream = testing::stream_time(test, Bytes{size});
        const Duration chunk = testing::chunk_time(test, Bytes{size});
        EXPECT_LE(difference(stream, chunk), 0.02)
            << gpus << " GPUs, " << protocol_name(protocol) << ", " << size / kMiB
            << " MiB: stream " << to_microseconds(stream) << " us, chunk " << to_microseconds(chunk)
            << " us";
      }
    }
  }
}

TEST(Granularity, QueueingAgreesWithFluidWithinATenthOfAPercentOnRings) {
  for (const AlgorithmCase& algorithm_case : testing::all_algorithm_cases()) {
    if (algorithm_case.algorithm != "ring") continue;
    for (const int gpus : {8, 64}) {
      const Topology fabric = testing::gpus_on_one_switch(gpus);
      const TestPlan test(fabric, algorithm_case, Protocol::Simple, 2, testing::hopper_profile());
      const Duration fluid = testing::chunk_time(test, Bytes{256 * kMiB});
      const Duration queueing = testing::chunk_time_queueing(test, Bytes{256 * kMiB});
      EXPECT_LE(difference(queueing, fluid), 0.001)
          << testing::case_name(algorithm_case) << ", " << gpus << " GPUs";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryAlgorithm,
                         ::testing::ValuesIn(testing::all_algorithm_cases()),
                         [](const auto& test) { return testing::case_name(test.param); });

}  // namespace
}  // namespace ringspan

// What holds for every registered algorithm and collective: more bytes never take less time, faster
// links never more.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/clusters.h"
#include "tests/support/plain_fabrics.h"
#include "tests/support/plans.h"

namespace ringspan {
namespace {

using testing::AlgorithmCase;
using testing::TestPlan;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

// Two servers of four GPUs on a switch that reduces; `link`: of the fabric.
Cluster two_servers(const std::string& link) {
  return testing::servers_on_fabric(
      2, 4, "kind = \"single-switch\"\nlink = \"" + link + "\"\nin_network_reduction = true\n");
}

bool runs_between_servers(const AlgorithmCase& which) {
  const RankLayout layout{{0, 0, 1, 1}, {}};
  const auto algorithm = builtin_algorithms().at(which.algorithm).factory();
  return algorithm->layout_bar({{which.collective, 4, 0}, layout}).empty();
}

// Chunks that grow by steps with the size (CollNet, PAT) may save more latency at a step than the
// further bytes cost; between the steps time never falls.
void expect_time_never_falls(const TestPlan& test, std::int64_t most, const std::string& what) {
  Duration last{};
  SizeCut last_cut;
  for (std::int64_t size = 8; size <= most; size = size * 5 / 4 + 1) {
    const SizeCut cut = test.cut(Bytes{size});
    const bool stepped = last_cut.loops > 1 && cut.chunk_payload != last_cut.chunk_payload;
    const Duration time = testing::chunk_time(test, Bytes{size});
    if (!stepped) {
      ASSERT_GE(time, last) << what << ", " << size;
    }
    last = time;
    last_cut = cut;
  }
}

class EveryAlgorithm : public ::testing::TestWithParam<AlgorithmCase> {};

TEST_P(EveryAlgorithm, TimeNeverFallsWithSize) {
  for (const Protocol protocol : kAllProtocols) {
    if (testing::runs_with_simple_only(GetParam()) && protocol != Protocol::Simple) continue;
    const auto test_on = [&](Cluster cluster) {
      return TestPlan(std::move(cluster), GetParam(), protocol, 4, testing::hopper_profile());
    };
    const std::string name(protocol_name(protocol));
    for (const int gpus : {2, 3, 8}) {
      expect_time_never_falls(test_on(Cluster(testing::gpus_on_one_switch(gpus))), 256 * kMiB,
                              std::to_string(gpus) + " GPUs, " + name);
    }
    if (!runs_between_servers(GetParam())) continue;
    expect_time_never_falls(test_on(two_servers("ib-ndr")), 32 * kMiB, "two servers, " + name);
  }
}

// Two fabrics, the second with twice the rates.
void expect_never_slows(const AlgorithmCase& which, Cluster slow, Cluster fast,
                        const std::string& what) {
  const TestPlan slow_test(std::move(slow), which, Protocol::Simple, 4, testing::hopper_profile());
  const TestPlan fast_test(std::move(fast), which, Protocol::Simple, 4, testing::hopper_profile());
  for (std::int64_t size = 8; size <= 256 * kMiB; size = size * 3 + 7) {
    EXPECT_LE(testing::chunk_time(fast_test, Bytes{size}),
              testing::chunk_time(slow_test, Bytes{size}))
        << what << ", " << size << " B";
  }
}

TEST_P(EveryAlgorithm, DoublingTheRatesNeverSlows) {
  const auto gpus_on = [](int gpus, double rate) {
    return Cluster(testing::gpus_on_one_switch(gpus, bandwidth_from_gbytes_per_second(rate)));
  };
  for (const int gpus : {2, 3, 8}) {
    expect_never_slows(GetParam(), gpus_on(gpus, 100), gpus_on(gpus, 200),
                       std::to_string(gpus) + " GPUs");
  }
  if (!runs_between_servers(GetParam())) return;
  expect_never_slows(GetParam(), two_servers("ib-hdr"), two_servers("ib-ndr"), "two servers");
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryAlgorithm,
                         ::testing::ValuesIn(testing::all_algorithm_cases()),
                         [](const auto& test) { return testing::case_name(test.param); });

}  // namespace
}  // namespace ringspan

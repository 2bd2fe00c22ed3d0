// The estimate by which a run is refused before it begins, against what the heap gives out while
// loads are built.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/clusters.h"
#include "tests/support/heap_count.h"
#include "tests/support/plain_fabrics.h"
#include "tests/support/plans.h"

namespace ringspan {
namespace {

using testing::AlgorithmCase;
using testing::TestPlan;

struct NamedCluster {
  std::string name;
  Cluster cluster;
};

// One domain, small and large; servers whose channels go one way, each their own, and servers whose
// switches reduce, of several GPUs and of one.
std::vector<NamedCluster> clusters() {
  const auto fabric = [](const std::string& kind, const std::string& routing) {
    return "kind = \"" + kind + "\"\nlink = \"ib-ndr\"\nservers_per_leaf = 4\nrouting = \"" +
           routing + "\"\n";
  };
  const std::string sharp = fabric("rail-optimized", "adaptive") + "in_network_reduction = true\n";
  std::vector<NamedCluster> all;
  for (const int gpus : {8, 72}) {
    all.push_back({std::to_string(gpus) + " GPUs", Cluster(testing::gpus_on_one_switch(gpus))});
  }
  all.push_back({"crossbar", testing::servers_on_a_crossbar(12, 8)});
  all.push_back({"spray", testing::servers_on_fabric(16, 8, fabric("leaf-spine", "spray"))});
  all.push_back({"ecmp", testing::servers_on_fabric(16, 8, fabric("leaf-spine", "ecmp"))});
  all.push_back({"SHARP", testing::servers_on_fabric(32, 8, sharp)});
  all.push_back({"SHARP, one GPU a server", testing::servers_on_fabric(64, 1, sharp)});
  return all;
}

bool runs_on(const AlgorithmCase& which, const Cluster& cluster) {
  const auto algorithm = builtin_algorithms().at(which.algorithm).factory();
  RankLayout layout;
  for (std::int64_t gpu = 0; cluster.domain_count() > 1 && gpu < cluster.gpu_count(); ++gpu) {
    layout.node.push_back(cluster.place(gpu).domain);
  }
  const CollectiveSpec spec{which.collective, static_cast<int>(cluster.gpu_count()), 0};
  return algorithm->layout_bar({spec, layout}).empty() &&
         (!algorithm->needs_network_reduction(layout) || cluster.fabric()->reduces_in_network());
}

class EveryAlgorithm : public ::testing::TestWithParam<AlgorithmCase> {};

TEST_P(EveryAlgorithm, NeedsNoMoreMemoryForLoadsThanIsEstimated) {
  for (auto& [name, cluster] : clusters()) {
    if (!runs_on(GetParam(), cluster)) continue;
    const TestPlan test(std::move(cluster), GetParam(), Protocol::Simple, 16,
                        testing::hopper_profile());
    const std::int64_t estimate = stream_memory_bytes(test.input(), test.outline());
    const std::int64_t before = testing::heap_bytes();
    testing::take_heap_peak();
    test.loads();
    const std::int64_t needed = testing::take_heap_peak() - before;
    EXPECT_LE(needed, estimate) << name;
    // Not so far above it that what fits is refused. Small clusters are all constants.
    EXPECT_LT(estimate, 30 * needed) << name;
  }
}

// 4,096 GPUs whose flows are told apart: 512 servers, 8 a leaf, two tiers of 64 leaves and 64
// spines. A class of a ring crosses 512 of the 8,192 links between them up and 512 down.
TEST(RingMemory, IsEstimatedWithinAFactorOfSixWhereFlowsAreToldApart) {
  Cluster cluster =
      testing::servers_on_fabric(512, 8,
                                 "kind = \"leaf-spine\"\nlink = \"ib-ndr\"\nservers_per_leaf = "
                                 "8\nspines = 64\nrouting = \"ecmp\"\n");
  const TestPlan test(std::move(cluster), {"ring", CollectiveKind::AllReduce}, Protocol::Simple, 16,
                      testing::hopper_profile());
  ASSERT_EQ(test.outline().classes.size(), 16U);
  const std::int64_t estimate = stream_memory_bytes(test.input(), test.outline());
  const std::int64_t before = testing::heap_bytes();
  testing::take_heap_peak();
  test.loads();
  const std::int64_t needed = testing::take_heap_peak() - before;
  EXPECT_LE(needed, estimate);
  EXPECT_LT(estimate, 6 * needed);
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryAlgorithm,
                         ::testing::ValuesIn(testing::all_algorithm_cases()),
                         [](const auto& test) { return testing::case_name(test.param); });

}  // namespace
}  // namespace ringspan

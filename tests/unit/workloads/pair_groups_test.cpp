#include "models/workloads/pair_groups.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/clusters.h"
#include "tests/support/plans.h"

namespace ringspan {
namespace {

using testing::TestPlan;

std::string fault(const std::string& keys) { return "[[fault]]\n" + keys; }

// On the fabric's links, transfer by transfer: every GPU sends one byte to every other one, in
// equal parts over the channels, by the even route from the NIC it leaves by to the one it lands
// on.
std::vector<double> one_by_one(const PlanInput& input, const std::vector<std::int32_t>& channels) {
  const Fabric& fabric = *input.cluster->fabric();
  std::vector<double> loads(fabric.link_count(), 0);
  FabricRoute route;
  for (const GpuPlace& from : input.ranks) {
    for (const GpuPlace& to : input.ranks) {
      if (from.domain == to.domain) continue;
      for (const std::int32_t channel : channels) {
        const Transport::Legs legs = input.transport->legs(from, to, channel);
        fabric.even_route({input.cluster->port(from.domain, legs.send.nic),
                           input.cluster->port(to.domain, legs.receive.nic), 0},
                          route);
        for (const FabricUse& use : route.uses) {
          loads[use.link] += static_cast<double>(use.share) / static_cast<double>(channels.size());
        }
      }
    }
  }
  return loads;
}

std::vector<double> by_groups(const PlanInput& input, const std::vector<std::int32_t>& channels) {
  ClusterPaths paths(*input.cluster, *input.profile, input.transport);
  PairGroups groups(input, channels);
  groups.declare(paths);
  paths.finish();
  LoadSums sums(paths.resource_count());
  groups.sum(paths, 1, sums);
  std::vector<double> loads;
  for (std::uint32_t r = paths.first_resource(input.cluster->domain_count());
       r < paths.resource_count(); ++r) {
    loads.push_back(sums[r].bytes);
  }
  return loads;
}

void expect_sums_of_pairs(int servers, int gpus, const std::string& text) {
  SCOPED_TRACE(text);
  const TestPlan test(testing::servers_on_fabric(servers, gpus, text),
                      {"direct", CollectiveKind::AllToAll}, Protocol::Simple, 2,
                      testing::ideal_profile());
  const std::vector<std::int32_t> channels{0, 1};
  const std::vector<double> expected = one_by_one(test.input(), channels);
  const std::vector<double> found = by_groups(test.input(), channels);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t link = 0; link < found.size(); ++link) {
    ASSERT_NEAR(found[link], expected[link], 1e-9 * expected[link]) << "link " << link;
  }
}

// Summed over alike leaves: the same as every pair for itself, whole and with faults on every
// level, which even routes avoid. 7 servers leave a leaf half empty.
TEST(PairGroups, SumWhatEveryPairPutsOnTheFabric) {
  const std::string faults[] = {
      "",
      fault("from = \"leaf0\"\nto = \"spine1\"\ncables = 1\n"),
      fault("from = \"leaf0\"\nto = \"spine0\"\n") + fault("from = \"leaf1\"\nto = \"spine1\"\n"),
      fault("switch = \"spine1\"\n"),
      fault("switch = \"spine0\"\nrate = 0.5\n") + fault("switch = \"leaf0\"\nrate = 0.25\n"),
  };
  for (const char* routing : {"ecmp", "static", "spray"}) {
    const std::string by =
        std::string("link = \"ib-ndr\"\nservers_per_leaf = 2\nrouting = \"") + routing + "\"\n";
    expect_sums_of_pairs(5, 2, "kind = \"single-switch\"\nlink = \"ib-ndr\"\n");
    for (const std::string& broken : faults) {
      expect_sums_of_pairs(7, 2, "kind = \"leaf-spine\"\nspines = 4\n" + by + broken);
      expect_sums_of_pairs(7, 2, "kind = \"rail-optimized\"\nspines = 4\n" + by + broken);
      expect_sums_of_pairs(11, 2,
                           "kind = \"fat-tree\"\ntiers = 3\nservers_per_pod = 4\nspines = 4\n"
                           "cores = 4\n" +
                               by + broken);
    }
    const std::string two_planes =
        "kind = \"fat-tree\"\ntiers = 3\nplanes = 2\nservers_per_pod = 4\nspines = 4\n" + by;
    expect_sums_of_pairs(8, 2, two_planes);
    expect_sums_of_pairs(8, 2,
                         two_planes + fault("switch = \"plane1.spine0\"\n") +
                             fault("from = \"plane0.leaf0\"\nto = \"plane0.spine1\"\n") +
                             fault("from = \"plane0.spine1\"\nto = \"plane0.core0\"\n"));
    expect_sums_of_pairs(6, 3, "kind = \"rail-only\"\ntiers = 2\n" + by);
  }
  expect_sums_of_pairs(8, 2, "kind = \"torus\"\nlink = \"ib-ndr\"\ndimensions = [4, 2]\n");
}

// Not all GPUs take part, and not on all servers alike: two groups of domains.
TEST(PairGroups, SumWhatGroupsOfDomainsSendEachOther) {
  const TestPlan test(
      testing::servers_on_fabric(6, 3,
                                 "kind = \"fat-tree\"\ntiers = 3\nlink = \"ib-ndr\"\nspines = 2\n"
                                 "servers_per_leaf = 1\nservers_per_pod = 3\nrouting = \"ecmp\"\n"),
      {"direct", CollectiveKind::AllToAll}, Protocol::Simple, 2, testing::ideal_profile());
  std::vector<GpuPlace> some;
  for (const GpuPlace& place : test.input().ranks) {
    if (place.gpu == 0 || place.domain % 2 == 0) some.push_back(place);
  }
  PlanInput input = test.input();
  input.ranks = some;
  const std::vector<double> expected = one_by_one(input, {0});
  const std::vector<double> found = by_groups(input, {0});
  for (std::size_t link = 0; link < found.size(); ++link) {
    ASSERT_NEAR(found[link], expected[link], 1e-9 * expected[link]) << "link " << link;
  }
}

}  // namespace
}  // namespace ringspan

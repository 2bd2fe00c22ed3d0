#include "models/workloads/stream_loads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "tests/support/clusters.h"
#include "tests/support/nic_servers.h"
#include "tests/support/plans.h"

namespace ringspan {
namespace {

using testing::AlgorithmCase;
using testing::TestPlan;

// What every resource carries in one pass, per byte of a block.
std::vector<double> load_of_resources(const StreamLoads& loads) {
  std::vector<double> of_links(loads.links.size(), 0);
  for (const ClassLoads& channel_class : loads.classes) {
    for (const ClassLoads::Row& row : channel_class.rows) {
      of_links[row.link] += channel_class.steps * row.load.load;
    }
  }
  std::vector<double> of_resources;
  for (const std::uint32_t link : loads.links_of) {
    of_resources.push_back(link == LoadPartition::kUnloaded ? 0 : of_links[link]);
  }
  return of_resources;
}

// Calls visit(class, round, sources, destinations, blocks) for every transfer.
template <typename Visit>
void for_each_transfer(const TestPlan& test, Visit visit) {
  const PlanInput& input = test.input();
  const auto places = [&input](std::span<const std::int32_t> ranks) {
    std::vector<GpuPlace> sitting;
    for (const std::int32_t rank : ranks) sitting.push_back(input.ranks[rank]);
    return sitting;
  };
  for (const ChannelClass& channel_class : test.outline().classes) {
    for (const Round& round : channel_class.schedule->rounds()) {
      round.for_each_pair(
          input.spec.ranks, [&](std::int32_t from, std::int32_t to, std::int64_t blocks) {
            visit(channel_class, round, places({&from, 1}), places({&to, 1}), blocks);
          });
      round.for_each_switched([&](const auto& from, const auto& to, std::int64_t blocks) {
        visit(channel_class, round, places(from), places(to), blocks);
      });
    }
  }
}

// The same as load_of_resources(), transfer by transfer and without merging.
std::vector<double> load_of_transfers(const TestPlan& test) {
  ClusterPaths paths(*test.input().cluster, *test.input().profile, test.input().transport);
  for_each_transfer(
      test, [&](const ChannelClass& channel_class, const Round&, const auto& from, const auto& to,
                std::int64_t) { paths.declare(from, to, channel_class.channels); });
  paths.finish();
  std::vector<double> sums(paths.resource_count(), 0);
  FabricPath path;
  for_each_transfer(test, [&](const ChannelClass& channel_class, const Round& round,
                              const auto& from, const auto& to, std::int64_t blocks) {
    paths.find(from, to, channel_class.channels, path);
    const auto times = static_cast<double>(round.repeat * blocks * channel_class.count);
    for (const ResourceUse& use : path.uses) sums[use.resource] += use.weight * times;
  });
  return sums;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-6 * expected[i]) << what << ", resource " << i;
  }
}

// No network reduces here.
bool runs_between_domains(const AlgorithmCase& algorithm_case) {
  const auto algorithm = builtin_algorithms().at(algorithm_case.algorithm).factory();
  const RankLayout two_nodes{{0, 0, 1, 1}, {}};
  return !algorithm->needs_network_reduction(two_nodes) &&
         algorithm->layout_bar({{algorithm_case.collective, 4, 0}, two_nodes}).empty();
}

class EveryAlgorithm : public ::testing::TestWithParam<AlgorithmCase> {};

TEST_P(EveryAlgorithm, AlikeLinksCarryWhatTheirTransfersPutOnThem) {
  if (!runs_between_domains(GetParam())) return;
  for (const int servers : {2, 5}) {
    const TestPlan test(testing::servers_on_a_crossbar(servers, 4), GetParam(), Protocol::Simple, 6,
                        testing::ideal_profile());
    expect_near(load_of_resources(test.loads()), load_of_transfers(test),
                std::to_string(servers) + " servers");
  }
}

// Nodes of two kinds, and one order of the GPUs in each: several patterns of switched nodes.
TEST(StreamLoads, SwitchedNodesByPatternsAreTheirEdgesOneByOne) {
  std::vector<DomainKind> kinds;
  kinds.push_back(testing::nvlink_server(4));
  kinds.push_back(testing::nvlink_server(3));
  const Cluster cluster = testing::make_cluster(std::move(kinds), {0, 1, 0, 1, 0}, 50);
  std::vector<std::int32_t> order(18), turned;
  std::iota(order.begin(), order.end(), 0);
  turned.assign(order.rbegin(), order.rend());
  for (const Profile& profile : {testing::ideal_profile(), testing::hopper_profile()}) {
    const TestPlan test(cluster, {"nvlstree", CollectiveKind::AllReduce}, Protocol::Simple, 4,
                        profile, {order, turned});
    expect_near(load_of_resources(test.loads()), load_of_transfers(test), "two kinds");
    // The smallest node has three ranks, so each of the five nodes reduces to three heads.
    EXPECT_EQ(test.loads().classes[0].rounds.front().transfers, 3 * 5);
  }
}

// Rows on merged links and rows on every link for itself are the same flows: a ring over 64 servers
// has as many kinds of links as one over 16, since only its length differs.
TEST(StreamLoads, AlikeLinksDoNotGrowWithTheCluster) {
  std::vector<std::size_t> kinds;
  for (const int servers : {16, 64}) {
    const TestPlan test(testing::servers_on_a_crossbar(servers, 8),
                        {"ring", CollectiveKind::AllReduce}, Protocol::Simple, 8,
                        testing::hopper_profile());
    kinds.push_back(test.loads().links.size());
    EXPECT_EQ(test.loads().ranks.size(), 1U);
  }
  EXPECT_EQ(kinds[0], kinds[1]);
  EXPECT_LT(kinds[0], 100U);
}

// Counting by groups against every pair for itself: servers of two kinds, some left out of a leaf.
TEST(StreamLoads, AllPairsByGroupsAreAllPairsOneByOne) {
  for (const char* text :
       {"kind = \"single-switch\"\nlink = \"ib-ndr\"\n",
        "kind = \"leaf-spine\"\nlink = \"ib-ndr\"\nservers_per_leaf = 2\nrouting = \"spray\"\n",
        "kind = \"rail-optimized\"\nlink = \"ib-ndr\"\nservers_per_leaf = 2\n"
        "routing = \"spray\"\noversubscription = \"2:1\"\n"}) {
    for (const int servers : {4, 7}) {
      const TestPlan test(testing::servers_on_fabric(servers, 4, text),
                          {"direct", CollectiveKind::AllToAll}, Protocol::Simple, 4,
                          testing::hopper_profile());
      const auto by_groups =
          StreamLoads::build(test.input(), test.outline(), PairCounting::ByGroups);
      const auto one_by_one =
          StreamLoads::build(test.input(), test.outline(), PairCounting::OneByOne);
      expect_near(load_of_resources(by_groups), load_of_resources(one_by_one), text);
      EXPECT_EQ(by_groups.most_blocks_sent, one_by_one.most_blocks_sent);
      EXPECT_EQ(by_groups.classes[0].rounds[0].transfers,
                one_by_one.classes[0].rounds[0].transfers);
    }
  }
}

// 64 ranks: more than a check's 128 steps, whichever way the pairs are counted.
TEST(StreamLoads, AreGivenUpWhenTheUserStops) {
  const TestPlan test(testing::servers_on_fabric(16, 4,
                                                 "kind = \"leaf-spine\"\nlink = \"ib-ndr\"\n"
                                                 "servers_per_leaf = 2\nrouting = \"ecmp\"\n"),
                      {"direct", CollectiveKind::AllToAll}, Protocol::Simple, 2,
                      testing::hopper_profile());
  PlanInput input = test.input();
  input.stop = StopCheck([] { return false; });
  for (const PairCounting counting : {PairCounting::OneByOne, PairCounting::ByGroups}) {
    EXPECT_THROW(StreamLoads::build(input, test.outline(), counting), Stopped);
  }
  EXPECT_THROW(CollectivePlan::build(input, test.outline(), Protocol::Simple), Stopped);
}

// The same where servers of one kind stage what they send and receive: on their own links alone.
TEST(StreamLoads, AllPairsByGroupsAreStagedWhereTheyAreOneByOne) {
  std::vector<DomainKind> kinds;
  kinds.push_back(testing::nvlink_server(2));
  kinds.push_back(testing::nvlink_server(2));
  kinds[1].gpu_direct = GpuDirectReach::Off;
  Profile profile = testing::ideal_profile();
  profile.staging_efficiency = 0.5;
  const TestPlan test(testing::make_cluster(std::move(kinds), {0, 1, 1}, 50),
                      {"direct", CollectiveKind::AllToAll}, Protocol::Simple, 1, profile);
  const auto by_groups = StreamLoads::build(test.input(), test.outline(), PairCounting::ByGroups);
  const auto one_by_one = StreamLoads::build(test.input(), test.outline(), PairCounting::OneByOne);
  const std::vector<double> loads = load_of_resources(by_groups);
  expect_near(loads, load_of_resources(one_by_one), "staged");
  // A port's cables carry 4 blocks, one for each GPU of the other servers, as they are.
  const std::uint32_t first = by_groups.paths->first_resource(3);
  for (std::size_t link = first; link < loads.size(); ++link) EXPECT_EQ(loads[link], 4) << link;
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryAlgorithm,
                         ::testing::ValuesIn(testing::all_algorithm_cases()),
                         [](const auto& test) { return testing::case_name(test.param); });

}  // namespace
}  // namespace ringspan

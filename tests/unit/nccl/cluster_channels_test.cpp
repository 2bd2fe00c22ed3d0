#include "models/nccl/cluster_channels.h"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>

#include "tests/support/nic_servers.h"

namespace ringspan {
namespace {

using ringspan::testing::all_places;
using ringspan::testing::make_cluster;
using ringspan::testing::make_domain;
using ringspan::testing::NicServer;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using Order = std::vector<std::int32_t>;

// Machines as NCCL's search saw them for the table that the expected values below come from.
NicServer dgx_a100() {
  return {
      .compute_capability = 80, .nvlinks = 12, .pcie = 4, .switches_per_cpu = 1, .vendor = "amd"};
}
NicServer dgx_h100() { return {}; }
NicServer h100_own_switches() {
  return {.gpus_per_switch = 1, .nics_per_switch = 1, .switches_per_cpu = 4};
}
NicServer dgx_b200() { return {.compute_capability = 100, .nvlink_rate = 50}; }
NicServer b300() { return {.compute_capability = 103, .nvlink_rate = 50, .pcie = 6}; }
NicServer nvl72() {
  return {.gpus = 4,
          .compute_capability = 100,
          .nvlink_rate = 50,
          .switches_per_cpu = 1,
          .vendor = "arm",
          .c2c = true,
          .servers = 18};
}

ChannelSet search(const Cluster& cluster) {
  return search_cluster_channels(cluster, all_places(cluster), Transport(cluster));
}

// "8x48 -> 16": search channels x class in GB/s -> channels of the kernels.
std::string summary(const ChannelSet& channels) {
  std::string rate = std::to_string(to_gbytes_per_second(channels.class_rate));
  rate.erase(rate.find_last_not_of('0') + 1);
  if (rate.back() == '.') rate.pop_back();
  return std::to_string(channels.search_channels) + "x" + rate + " -> " +
         std::to_string(channels.orders.size());
}

void expect_permutations(const ChannelSet& channels, std::size_t ranks) {
  Order all(ranks);
  std::iota(all.begin(), all.end(), 0);
  ASSERT_FALSE(channels.orders.empty());
  for (const auto* orders : {&channels.orders, &channels.tree_orders}) {
    for (const Order& order : *orders) {
      EXPECT_THAT(order, ::testing::UnorderedElementsAreArray(all));
    }
  }
}

// The ranks of node `node` in order c, where every node has `per_node` ranks.
Order part(const Order& order, std::size_t node, std::size_t per_node) {
  const auto first = order.begin() + static_cast<std::ptrdiff_t>(node * per_node);
  return {first, first + static_cast<std::ptrdiff_t>(per_node)};
}

// What NCCL 2.28.9's own search gives for these machines (its src/graph run on a description of
// each): search channels x class, and channels of the kernels.
TEST(ClusterChannels, FindsWhatNcclFinds) {
  for (const int nodes : {2, 4}) {
    EXPECT_EQ(summary(search(make_cluster(dgx_a100(), nodes, 25))), "8x24 -> 16");
    EXPECT_EQ(summary(search(make_cluster(dgx_h100(), nodes, 50))), "8x48 -> 16");
    EXPECT_EQ(summary(search(make_cluster(dgx_b200(), nodes, 50))), "8x48 -> 16");
  }
  EXPECT_EQ(summary(search(make_cluster(h100_own_switches(), 2, 50))), "8x48 -> 16");
  EXPECT_EQ(summary(search(make_cluster(b300(), 2, 100))), "16x48 -> 32");
  EXPECT_EQ(summary(search(make_cluster(nvl72(), 2, 50))), "16x45.1 -> 32");
}

TEST(ClusterChannels, FindsWhatNcclFindsWithFewNics) {
  EXPECT_EQ(summary(search(make_cluster(NicServer{.nics_per_switch = 1}, 2, 50))), "8x24 -> 16");
  DomainKind two = make_domain({.nics_per_switch = 1});
  two.nics = {two.nics[0], two.nics[2]};
  two.rails = {0, 1};
  std::vector<DomainKind> kinds;
  kinds.push_back(std::move(two));
  EXPECT_EQ(summary(search(make_cluster(std::move(kinds), {0, 0}, 50))), "4x24 -> 8");
  DomainKind one = make_domain({.nics_per_switch = 1});
  one.nics.resize(1);
  one.rails.resize(1);
  kinds.clear();
  kinds.push_back(std::move(one));
  EXPECT_EQ(summary(search(make_cluster(std::move(kinds), {0, 0}, 25))), "1x24 -> 2");
}

TEST(ClusterChannels, FindsWhatNcclFindsForOneGpuANode) {
  const NicServer shape{.gpus = 1, .nvlinks = 0, .gpus_per_switch = 1, .nics_per_switch = 1};
  for (const int nodes : {2, 16}) {
    const ChannelSet channels = search(make_cluster(shape, nodes, 50));
    EXPECT_EQ(summary(channels), "2x24 -> 4");
    expect_permutations(channels, static_cast<std::size_t>(nodes));
  }
}

// Ring c enters a node at GPU c through NIC c. Even rings walk downwards, odd ones upwards, so that
// the last GPU shares a switch with the first and the ring can leave through NIC c.
TEST(ClusterChannels, WalksDgxH100AsNcclDoes) {
  const ChannelSet channels = search(make_cluster(dgx_h100(), 2, 50));
  EXPECT_THAT(channels.orders[0],
              ElementsAre(0, 7, 6, 5, 4, 3, 2, 1, 8, 15, 14, 13, 12, 11, 10, 9));
  EXPECT_THAT(channels.orders[1],
              ElementsAre(1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8));
  EXPECT_THAT(part(channels.orders[6], 0, 8), ElementsAre(6, 5, 4, 3, 2, 1, 0, 7));
  EXPECT_THAT(part(channels.orders[7], 1, 8), ElementsAre(15, 8, 9, 10, 11, 12, 13, 14));
  for (std::size_t c = 0; c < 8; ++c) EXPECT_EQ(channels.orders[c + 8], channels.orders[c]);
}

// The chain of tree c starts at GPU c; its second GPU shares the switch with NIC c, since in a
// balanced tree it talks to a child domain through it.
TEST(ClusterChannels, StartsTreeChainsAtTheChannelsGpu) {
  const ChannelSet channels = search(make_cluster(dgx_h100(), 2, 50));
  EXPECT_TRUE(channels.tree_balanced);
  EXPECT_THAT(part(channels.tree_orders[0], 1, 8), ElementsAre(8, 9, 10, 11, 12, 13, 14, 15));
  EXPECT_THAT(part(channels.tree_orders[3], 0, 8), ElementsAre(3, 2, 1, 0, 7, 6, 5, 4));
}

// With a PCIe switch for every GPU and its NIC a ring comes in by NIC 2k and leaves by NIC 2k + 1,
// or the other way round; odd nodes use the other ring of the pair, so that rails are kept.
TEST(ClusterChannels, CrossesNicsWhereEveryGpuHasItsOwn) {
  const ChannelSet channels = search(make_cluster(h100_own_switches(), 4, 50));
  EXPECT_FALSE(channels.tree_balanced);
  for (std::size_t c = 0; c < 8; ++c) {
    for (std::size_t node = 0; node < 4; ++node) {
      const Order walk = part(channels.orders[c], node, 8);
      const auto first = static_cast<std::int32_t>(node % 2 == 0 ? c : c ^ 1U);
      EXPECT_EQ(walk.front() % 8, first);
      EXPECT_EQ(walk.back() % 8, first ^ 1);  // where the next node's ring begins
      EXPECT_EQ(part(channels.tree_orders[c], node, 8).front() % 8, static_cast<std::int32_t>(c));
    }
  }
  expect_permutations(channels, 32);
}

// NCCL numbers nodes by their first rank and knows GPUs by their place; ranks may sit anywhere.
TEST(ClusterChannels, FollowsRanksWhereverTheySit) {
  const Cluster cluster = make_cluster(dgx_h100(), 3, 50);
  const std::vector<GpuPlace> ranks = {{2, 5}, {0, 1}, {2, 4}, {0, 0}};
  const ChannelSet channels = search_cluster_channels(cluster, ranks, Transport(cluster));
  expect_permutations(channels, 4);
  // Node of domain 2: GPUs 4, 5 are ranks 2, 0; of domain 0: GPUs 0, 1 are ranks 3, 1. The first
  // ring begins with the lowest GPU of each.
  EXPECT_THAT(channels.orders[0], ElementsAre(2, 0, 3, 1));
  EXPECT_THAT(channels.orders[1], ElementsAre(0, 2, 1, 3));
}

// The poorest node decides: 8 GPUs with 8 NICs beside 8 with 2 NICs (4 x 24 alone).
TEST(ClusterChannels, TakesTheFewestChannelsOfUnequalNodes) {
  DomainKind poor = make_domain({.nics_per_switch = 1});
  poor.nics = {poor.nics[0], poor.nics[2]};
  poor.rails = {0, 1};
  std::vector<DomainKind> kinds;
  kinds.push_back(make_domain(dgx_h100()));
  kinds.push_back(std::move(poor));
  const Cluster cluster = make_cluster(std::move(kinds), {0, 1, 0}, 50);
  const ChannelSet channels = search(cluster);
  EXPECT_EQ(summary(channels), "4x24 -> 8");
  expect_permutations(channels, 24);
}

TEST(ClusterChannels, RingsAreValidForAnyPartOfTheRanks) {
  for (const NicServer& shape : {dgx_a100(), h100_own_switches(), nvl72()}) {
    const Cluster cluster = make_cluster(shape, 3, 50);
    const std::vector<GpuPlace> all = all_places(cluster);
    for (const std::size_t step : {1U, 3U, 5U, 7U}) {
      std::vector<GpuPlace> ranks;
      for (std::size_t gpu = 0; gpu < all.size(); gpu += step) ranks.push_back(all[gpu]);
      const ChannelSet channels = search_cluster_channels(cluster, ranks, Transport(cluster));
      expect_permutations(channels, ranks.size());
    }
  }
}

TEST(ClusterChannels, SearchesAMachineWithoutNvlink) {
  const Cluster cluster = make_cluster(NicServer{.compute_capability = 89,
                                                 .nvlinks = 0,
                                                 .pcie = 4,
                                                 .gpus_per_switch = 4,
                                                 .nics_per_switch = 1,
                                                 .switches_per_cpu = 1,
                                                 .vendor = "amd"},
                                       2, 25);
  const ChannelSet channels = search(cluster);
  expect_permutations(channels, 16);
}

TEST(ClusterChannels, OneDomainIsSearchedAlone) {
  const Cluster cluster = make_cluster(dgx_h100(), 2, 50);
  const std::vector<GpuPlace> ranks = {{1, 0}, {1, 1}, {1, 2}, {1, 3},
                                       {1, 4}, {1, 5}, {1, 6}, {1, 7}};
  const ChannelSet channels = search_cluster_channels(cluster, ranks, Transport(cluster));
  EXPECT_EQ(summary(channels), "12x30 -> 24");
  EXPECT_TRUE(channels.tree_orders.empty());
}

}  // namespace
}  // namespace ringspan

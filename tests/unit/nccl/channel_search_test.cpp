#include "models/nccl/channel_search.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <gmock/gmock.h>

#include "tests/support/fabrics.h"

namespace ringspan {
namespace {

using fabrics::Maker;
using fabrics::one_switch_level;
using fabrics::pcie_server;
using testing::ElementsAre;

ChannelSet search(const Topology& topology) { return search_channels(topology, topology.gpus()); }

ChannelSet search(const Topology& topology, const std::vector<std::size_t>& gpus) {
  std::vector<NodeId> nodes;
  for (const std::size_t gpu : gpus) nodes.push_back(topology.gpus()[gpu]);
  return search_channels(topology, nodes);
}

// "12x20 -> 24": search channels x class in GB/s -> channels of the kernels.
std::string summary(const ChannelSet& channels) {
  const double rate = to_gbytes_per_second(channels.class_rate);
  std::string text = std::to_string(rate);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return std::to_string(channels.search_channels) + "x" + text + " -> " +
         std::to_string(channels.orders.size());
}

void expect_rings(const ChannelSet& channels, std::size_t ranks) {
  std::vector<std::int32_t> all(ranks);
  std::iota(all.begin(), all.end(), 0);
  for (const auto& order : channels.orders) {
    EXPECT_THAT(order, testing::UnorderedElementsAreArray(all));
    EXPECT_EQ(order.front(), 0);
  }
}

// How often each directed pair is a hop, over the search's channels.
std::map<std::pair<int, int>, int> hop_uses(const ChannelSet& channels) {
  std::map<std::pair<int, int>, int> uses;
  for (std::size_t c = 0; c < static_cast<std::size_t>(channels.search_channels); ++c) {
    const auto& order = channels.orders[c];
    for (std::size_t i = 0; i < order.size(); ++i) {
      ++uses[{order[i], order[(i + 1) % order.size()]}];
    }
  }
  return uses;
}

// What NCCL 2.28.9's own search gives for these machines on one node (its src/graph run on a
// description of each): channels x class, and channels of the kernels.
TEST(ChannelSearch, FindsWhatNcclFindsOnDgxA100) {
  EXPECT_EQ(summary(search(one_switch_level(8, {2, 2, 2, 2, 2, 2}, 80))), "12x20 -> 24");
}

TEST(ChannelSearch, FindsWhatNcclFindsOnDgxH100) {
  EXPECT_EQ(summary(search(one_switch_level(8, {5, 4, 4, 5}, 90))), "12x30 -> 24");
}

TEST(ChannelSearch, FindsWhatNcclFindsOnDgxB200) {
  EXPECT_EQ(summary(search(one_switch_level(8, {9, 9}, 100, 50.0))), "16x45 -> 32");
}

TEST(ChannelSearch, FindsWhatNcclFindsOnNvl72) {
  EXPECT_EQ(summary(search(one_switch_level(72, std::vector<int>(18, 1), 100, 50.0))),
            "16x45 -> 32");
}

TEST(ChannelSearch, FindsWhatNcclFindsForTwoGpusUnderOneSwitch) {
  EXPECT_EQ(
      summary(search(pcie_server({.sockets = 1, .switches_per_socket = 1, .gpus_per_socket = 2}))),
      "2x12 -> 4");
}

TEST(ChannelSearch, FindsWhatNcclFindsForTwoGpusUnderOneCpu) {
  const Topology intel = pcie_server(
      {.vendor = "intel", .sockets = 1, .switches_per_socket = 0, .gpus_per_socket = 2});
  EXPECT_EQ(summary(search(intel)), "1x20 -> 2");
  const Topology amd =
      pcie_server({.vendor = "amd", .sockets = 1, .switches_per_socket = 0, .gpus_per_socket = 2});
  EXPECT_EQ(summary(search(amd)), "2x12 -> 4");
}

TEST(ChannelSearch, FindsWhatNcclFindsForEightPcieGpusOnTwoSockets) {
  for (const int switches : {0, 2}) {
    const Topology sapphire_rapids =
        pcie_server({.generation = 5, .vendor = "intel", .switches_per_socket = switches});
    EXPECT_EQ(summary(search(sapphire_rapids)), "1x20 -> 2");
    EXPECT_THAT(search(sapphire_rapids).orders[0], ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    const Topology amd = pcie_server({.vendor = "amd", .switches_per_socket = switches});
    EXPECT_EQ(summary(search(amd)), "1x15 -> 2");
  }
}

TEST(ChannelSearch, FindsWhatNcclFindsForABridgedPair) {
  Maker make("bridged", 80);
  make.gpus_until(2);
  make.builder.add_duplex(make.gpus[0], make.gpus[1], fabrics::nvlinks(12));
  EXPECT_EQ(summary(search(std::move(make.builder).build())), "12x20 -> 24");
}

// 8 x V100: six NVLinks of 20 GB/s each give six rings, which use every link in both directions.
// A DGX-1V logs 12 channels.
TEST(ChannelSearch, UsesEveryLinkOfTheCubeMesh) {
  const ChannelSet channels = search(fabrics::dgx1());
  EXPECT_EQ(summary(channels), "6x20 -> 12");
  expect_rings(channels, 8);
  const auto uses = hop_uses(channels);
  EXPECT_EQ(uses.size(), 32u);  // 16 joined pairs, two directions
  int total = 0;
  for (const auto& [hop, count] : uses) total += count;
  EXPECT_EQ(total, 48);  // 8 GPUs x 6 links
}

// Four A100, four NVLinks (80 GB/s) a pair: each of the six directed rings of four at 40 GB/s, then
// duplicated.
TEST(ChannelSearch, UsesEveryLinkOfTheFullMesh) {
  const ChannelSet channels = search(fabrics::full_mesh4());
  EXPECT_EQ(summary(channels), "12x20 -> 24");
  expect_rings(channels, 4);
  for (const auto& [hop, count] : hop_uses(channels)) EXPECT_EQ(count, 4);
  EXPECT_EQ(hop_uses(channels).size(), 12u);
}

// Four V100, two NVLinks (40 GB/s) a pair. NCCL 2.7.8 logs twelve channels there: the six directed
// rings of four, twice (bigscience-workshop/bigscience, n1_32gb_all_reduce_bench.txt).
TEST(ChannelSearch, FindsTheRingsThatNcclLogsOnFourV100) {
  Maker make("four-v100", 70);
  make.gpus_until(4);
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = a + 1; b < 4; ++b) {
      make.builder.add_duplex(make.gpus[a], make.gpus[b], fabrics::nvlinks(2));
    }
  }
  const ChannelSet channels = search(std::move(make.builder).build());
  EXPECT_EQ(summary(channels), "6x20 -> 12");
  std::map<std::vector<std::int32_t>, int> uses;
  for (const auto& order : channels.orders) ++uses[order];
  EXPECT_THAT(uses, testing::ElementsAre(testing::Pair(ElementsAre(0, 1, 2, 3), 2),
                                         testing::Pair(ElementsAre(0, 1, 3, 2), 2),
                                         testing::Pair(ElementsAre(0, 2, 1, 3), 2),
                                         testing::Pair(ElementsAre(0, 2, 3, 1), 2),
                                         testing::Pair(ElementsAre(0, 3, 1, 2), 2),
                                         testing::Pair(ElementsAre(0, 3, 2, 1), 2)));
}

TEST(ChannelSearch, GivesOneChannelToOneGpu) {
  const ChannelSet channels = search(fabrics::full_mesh4(), {2});
  EXPECT_THAT(channels.orders, ElementsAre(ElementsAre(0)));
  EXPECT_EQ(channels.search_channels, 1);
}

// NCCL knows GPUs by their place, so ranks on GPUs 4, 0, 6, 2 form the ring 0 2 4 6 of GPUs: from
// rank 0 (GPU 4) on to GPU 6 (rank 2), GPU 0 (rank 1), GPU 2 (rank 3).
TEST(ChannelSearch, VisitsGpusByPlaceWhateverTheirRanks) {
  const ChannelSet channels = search(one_switch_level(8, {5, 4, 4, 5}, 90), {4, 0, 6, 2});
  for (const auto& order : channels.orders) EXPECT_THAT(order, ElementsAre(0, 2, 1, 3));
}

TEST(ChannelSearch, SearchesSubsetsOfTheCubeMesh) {
  const Topology topology = fabrics::dgx1();
  EXPECT_EQ(summary(search(topology, {0, 3})), "2x20 -> 4");  // two links
  EXPECT_EQ(summary(search(topology, {0, 1})), "1x20 -> 2");  // one link
  for (std::size_t n = 2; n <= 8; ++n) {
    std::vector<std::size_t> gpus(n);
    std::iota(gpus.begin(), gpus.end(), 0);
    expect_rings(search(topology, gpus), n);
  }
}

// Every hop goes up to host memory and down again: all four GPUs' hops share the uplink, which
// Intel's root complex charges 6/5: 24 / (4 x 1.2) = 5 GB/s.
TEST(ChannelSearch, CountsTheUplinkTwiceWithPeerToPeerOff) {
  const Topology topology = pcie_server({.vendor = "intel",
                                         .reach = PeerReach::Off,
                                         .sockets = 1,
                                         .switches_per_socket = 1,
                                         .gpus_per_socket = 4});
  EXPECT_EQ(summary(search(topology)), "1x5 -> 2");
}

TEST(ChannelSearch, FallsBackToOneSlowRing) {
  const Topology topology = pcie_server({.generation = 3,
                                         .reach = PeerReach::Off,
                                         .sockets = 1,
                                         .switches_per_socket = 1,
                                         .gpus_per_socket = 8});
  EXPECT_EQ(summary(search(topology)), "1x0.1 -> 2");  // 12 / 8 = 1.5 is below every class
}

TEST(ChannelSearch, ServesLargeDomainsInOrder) {
  const ChannelSet channels = search(one_switch_level(4096, {18}, 100, 50.0));
  EXPECT_EQ(summary(channels), "16x45 -> 32");
  EXPECT_EQ(channels.orders[5][4095], 4095);
}

}  // namespace
}  // namespace ringspan

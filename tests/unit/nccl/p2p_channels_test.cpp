#include "models/nccl/p2p_channels.h"

#include <gtest/gtest.h>

#include "models/nccl/cluster_channels.h"
#include "tests/support/fabrics.h"
#include "tests/support/nic_servers.h"

namespace ringspan {
namespace {

using ringspan::testing::all_places;
using ringspan::testing::make_cluster;
using ringspan::testing::make_domain;
using ringspan::testing::NicServer;

// "16 / 2": channels of grouped send/receive, and for one peer.
std::string summary(const Cluster& cluster, const Transport& transport) {
  const std::vector<GpuPlace> ranks = all_places(cluster);
  const ChannelSet set = search_cluster_channels(cluster, ranks, transport);
  const int channels = p2p_channels(static_cast<int>(set.orders.size()));
  return std::to_string(channels) + " / " +
         std::to_string(p2p_channels_per_peer(cluster, ranks, &transport, channels));
}
std::string summary(const Cluster& cluster) { return summary(cluster, Transport(cluster)); }
std::string alone(Topology topology) { return summary(Cluster(std::move(topology))); }

NicServer dgx_a100() {
  return {
      .compute_capability = 80, .nvlinks = 12, .pcie = 4, .switches_per_cpu = 1, .vendor = "amd"};
}

// What NCCL 2.28.9's own code gives for these machines (its src/graph run on a description of
// each): the columns "p2p ch" and "p2p ch per peer".
TEST(P2pChannels, AreWhatNcclOpensOnOneNode) {
  EXPECT_EQ(alone(make_domain(dgx_a100()).topology), "32 / 32");
  EXPECT_EQ(alone(make_domain(NicServer{}).topology), "32 / 32");
  EXPECT_EQ(
      alone(fabrics::pcie_server({.sockets = 1, .switches_per_socket = 1, .gpus_per_socket = 2})),
      "4 / 2");
  EXPECT_EQ(alone(fabrics::pcie_server({.generation = 5, .vendor = "intel"})), "2 / 2");
}

TEST(P2pChannels, AreWhatNcclOpensOverSeveralNodes) {
  for (const int nodes : {2, 4}) {
    EXPECT_EQ(summary(make_cluster(dgx_a100(), nodes, 25)), "16 / 2");
    EXPECT_EQ(summary(make_cluster(NicServer{}, nodes, 50)), "16 / 2");
  }
  EXPECT_EQ(summary(make_cluster(NicServer{.nics_per_switch = 1}, 2, 50)), "16 / 2");
  const NicServer one{.gpus = 1, .nvlinks = 0, .gpus_per_switch = 1, .nics_per_switch = 1};
  EXPECT_EQ(summary(make_cluster(one, 2, 50)), "4 / 2");
  EXPECT_EQ(summary(make_cluster(one, 8, 50)), "4 / 2");   // 2 x 8 = 4 x 4
  EXPECT_EQ(summary(make_cluster(one, 16, 50)), "4 / 1");  // 2 x 16 > 4 x 4
}

TEST(P2pChannels, FewerOverOneNicForAllGpus) {
  DomainKind kind = make_domain({.nics_per_switch = 1});
  kind.nics.resize(1);
  kind.rails.resize(1);
  std::vector<DomainKind> kinds;
  kinds.push_back(std::move(kind));
  EXPECT_EQ(summary(make_cluster(std::move(kinds), {0, 0}, 25)), "2 / 1");
}

// 144 ranks are too many for two channels a peer (288 > 4 x 32), but a GPU's C2C link needs both of
// the NICs of its CPU.
TEST(P2pChannels, AsManyAsNicsThatFillAC2cLink) {
  const NicServer nvl72{.gpus = 4,
                        .compute_capability = 100,
                        .nvlink_rate = 50,
                        .switches_per_cpu = 1,
                        .vendor = "arm",
                        .c2c = true,
                        .servers = 18};
  EXPECT_EQ(summary(make_cluster(nvl72, 2, 50)), "32 / 2");
}

// A cube mesh has pairs with one link, and pairs with none, which are relayed like PCIe: two.
TEST(P2pChannels, TheNarrowestPairDecides) {
  const Cluster cluster{fabrics::dgx1()};
  const Transport transport(cluster);
  const std::vector<GpuPlace> doubled = {{0, 0}, {0, 3}};
  EXPECT_EQ(p2p_channels_per_peer(cluster, doubled, nullptr, 16), 4);
  EXPECT_EQ(p2p_channels_per_peer(cluster, all_places(cluster), nullptr, 16), 2);
  EXPECT_EQ(p2p_channels_per_peer(cluster, std::vector<GpuPlace>{{0, 5}}, nullptr, 16), 16);
}

TEST(P2pChannels, AreAPowerOfTwo) {
  EXPECT_EQ(p2p_channels(1), 1);
  EXPECT_EQ(p2p_channels(12), 16);
  EXPECT_EQ(p2p_channels(24), 32);
  EXPECT_EQ(p2p_channels(64), 64);
}

}  // namespace
}  // namespace ringspan

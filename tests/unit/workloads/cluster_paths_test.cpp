#include "models/workloads/cluster_paths.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "sim/base/input_error.h"
#include "tests/support/clusters.h"
#include "tests/support/nic_servers.h"
#include "tests/support/plans.h"

namespace ringspan {
namespace {

using ringspan::testing::ideal_profile;
using ringspan::testing::make_cluster;
using ringspan::testing::make_domain;
using ringspan::testing::NicServer;
using ringspan::testing::servers_on_a_crossbar;
using ::testing::ElementsAre;

// "stage: weight x name", in order.
std::vector<std::string> uses_of(const FabricPath& path, const ClusterPaths& paths) {
  std::vector<std::string> text;
  for (const ResourceUse& use : path.uses) {
    std::string weight = std::to_string(use.weight);
    weight.erase(weight.find_last_not_of('0') + 1);
    if (weight.back() == '.') weight.pop_back();
    text.push_back(std::to_string(use.stage) + ": " + weight + " x " +
                   paths.describe(use.resource).name);
  }
  return text;
}

// One transfer of a cluster, the only one that is declared.
struct OneTransfer {
  OneTransfer(const Cluster& cluster, const GpuPlace& from, const GpuPlace& to,
              std::vector<std::int32_t> channels = {0}, const TransportOptions& options = {})
      : transport(cluster, options), paths(cluster, profile, &transport) {
    paths.declare({&from, 1}, {&to, 1}, channels);
    paths.finish();
    paths.find({&from, 1}, {&to, 1}, channels, path);
  }

  std::vector<std::string> uses() const { return uses_of(path, paths); }

  Profile profile = ideal_profile();
  Transport transport;
  ClusterPaths paths;
  FabricPath path;
};

// Two links of 300 ns, used by this transfer alone: one resource.
TEST(ClusterPaths, StayInsideADomain) {
  const Cluster cluster = servers_on_a_crossbar(2, 4);
  const OneTransfer transfer(cluster, {1, 0}, {1, 1});
  EXPECT_THAT(transfer.uses(), ElementsAre("0: 1 x server1: gpu0 -> nvswitch -> gpu1 (1 x test)"));
  EXPECT_EQ(transfer.path.latency, nanoseconds(600));
  EXPECT_EQ(transfer.path.slowest_class, LinkClass::NvLink);
  EXPECT_EQ(transfer.path.uses[0].resource, transfer.paths.first_resource(1));
}

// GPU, switch, NIC: 2 x 110 ns; 1200 ns from NIC to NIC; 2 x 110 ns again. Server 0 has ports
// 0 .. 3, server 1 ports 4 .. 7.
TEST(ClusterPaths, LeaveAndEnterByTheGpusNic) {
  const Cluster cluster = servers_on_a_crossbar(2, 4);
  const OneTransfer transfer(cluster, {0, 2}, {1, 2});
  EXPECT_THAT(transfer.uses(), ElementsAre("0: 1 x server0: gpu2 -> psw2 -> nic2 (test x1)",
                                           "1: 1 x port2 -> switch", "2: 1 x switch -> port6",
                                           "3: 1 x server1: nic2 -> psw2 -> gpu2 (test x1)"));
  EXPECT_EQ(transfer.path.latency, nanoseconds(220 + 1200 + 220));
  EXPECT_EQ(transfer.path.slowest_class, LinkClass::Network);
  EXPECT_FALSE(transfer.path.staged);
  EXPECT_EQ(transfer.paths.rate(transfer.path.uses[0].resource),
            bandwidth_from_gbytes_per_second(55));
  EXPECT_EQ(transfer.paths.rate(transfer.path.uses[1].resource),
            bandwidth_from_gbytes_per_second(50));
}

// PXN: over NVLink (600 ns) to GPU 2, which owns the NIC on the receiver's rail.
TEST(ClusterPaths, PassTheGpuThatOwnsTheRail) {
  const Cluster cluster = servers_on_a_crossbar(2, 4);
  const OneTransfer transfer(cluster, {0, 0}, {1, 2});
  EXPECT_THAT(transfer.uses(), ElementsAre("0: 1 x server0: gpu0 -> nvswitch -> gpu2 (1 x test)",
                                           "1: 1 x server0: gpu2 -> psw2 -> nic2 (test x1)",
                                           "2: 1 x port2 -> switch", "3: 1 x switch -> port6",
                                           "4: 1 x server1: nic2 -> psw2 -> gpu2 (test x1)"));
  EXPECT_EQ(transfer.path.latency, nanoseconds(600 + 220 + 1200 + 220));
  const OneTransfer without(cluster, {0, 0}, {1, 2}, {0}, {.pxn = false});
  EXPECT_EQ(without.uses()[1], "1: 1 x port0 -> switch");
  EXPECT_EQ(without.path.latency, nanoseconds(220 + 1200 + 220));
}

// Without GPUDirect RDMA data goes up to the CPU and down again at both ends: 4 x 110 ns each. The
// switch's uplink, which sends and receives cross in both directions, is a resource of its own.
TEST(ClusterPaths, StageOnBothSides) {
  DomainKind kind = ringspan::testing::nvlink_server(2);
  kind.gpu_direct = GpuDirectReach::Off;
  std::vector<DomainKind> kinds;
  kinds.push_back(std::move(kind));
  const Cluster cluster = make_cluster(std::move(kinds), {0, 0}, 50);
  const OneTransfer transfer(cluster, {0, 0}, {1, 0});
  EXPECT_TRUE(transfer.path.staged);
  EXPECT_EQ(transfer.path.latency, nanoseconds(440 + 1200 + 440));
  EXPECT_THAT(transfer.uses(), ElementsAre("0: 1 x server0: gpu0 -> psw0 -> nic0 (test x1)",
                                           "1: 1 x server0: cpu -> psw0 -> cpu (test x1)",
                                           "2: 1 x port0 -> switch", "3: 1 x switch -> port2",
                                           "4: 1 x server1: nic0 -> psw0 -> gpu0 (test x1)",
                                           "5: 1 x server1: cpu -> psw0 -> cpu (test x1)"));
}

// Two of a GPU's four NICs carry half of the bytes each; the GPU's own link all of them.
TEST(ClusterPaths, AverageOverChannels) {
  const Cluster cluster = make_cluster(
      NicServer{.gpus = 1, .nvlinks = 0, .gpus_per_switch = 1, .nics_per_switch = 4}, 2, 12.5);
  const OneTransfer transfer(cluster, {0, 0}, {1, 0}, {0, 1});
  EXPECT_TRUE(transfer.paths.tells_channels_apart());
  EXPECT_THAT(transfer.uses(),
              ElementsAre("0: 1 x server0: gpu0 -> psw0 (pcie5 x16)",
                          "1: 0.5 x server0: psw0 -> nic0 (pcie5 x16)",
                          "1: 0.5 x server0: psw0 -> nic1 (pcie5 x16)", "2: 0.5 x port0 -> switch",
                          "2: 0.5 x port1 -> switch", "3: 0.5 x switch -> port4",
                          "3: 0.5 x switch -> port5", "4: 0.5 x server1: nic0 -> psw0 (pcie5 x16)",
                          "4: 0.5 x server1: nic1 -> psw0 (pcie5 x16)",
                          "5: 1 x server1: psw0 -> gpu0 (pcie5 x16)"));
  EXPECT_EQ(transfer.path.latency, nanoseconds(200 + 1200 + 200));
  // Channels 4 and 8 both use the first NIC.
  const OneTransfer alike(cluster, {0, 0}, {1, 0}, {4, 8});
  ASSERT_EQ(alike.path.uses.size(), 4u);
  for (const ResourceUse& use : alike.path.uses) EXPECT_EQ(use.weight, 1);
}

// Domains of two kinds: resources are numbered domain by domain, then the fabric's links.
TEST(ClusterPaths, NumberResourcesDomainByDomain) {
  std::vector<DomainKind> kinds;
  kinds.push_back(ringspan::testing::nvlink_server(4));
  kinds.push_back(ringspan::testing::nvlink_server(2));
  const Cluster cluster = make_cluster(std::move(kinds), {0, 1, 0}, 50);
  const Profile profile = ideal_profile();
  const Transport transport(cluster);
  ClusterPaths paths(cluster, profile, &transport);
  const std::vector<GpuPlace> ring = {{0, 3}, {1, 1}, {2, 0}};
  const std::vector<std::int32_t> channels = {0};
  const auto each_hop = [&](auto&& visit) {
    for (std::size_t i = 0; i < ring.size(); ++i) visit(ring[i], ring[(i + 1) % ring.size()]);
  };
  each_hop([&](const GpuPlace& from, const GpuPlace& to) {
    paths.declare({&from, 1}, {&to, 1}, channels);
  });
  paths.finish();
  EXPECT_EQ(paths.first_resource(0), 0u);
  EXPECT_EQ(paths.resource_count(), paths.first_resource(3) + 2 * 10);  // 4 + 2 + 4 ports
  std::vector<std::string> names;
  each_hop([&](const GpuPlace& from, const GpuPlace& to) {
    FabricPath path;
    paths.find({&from, 1}, {&to, 1}, channels, path);
    for (const ResourceUse& use : path.uses) {
      names.push_back(paths.describe(use.resource).name);
      const bool fabric = use.resource >= paths.first_resource(3);
      EXPECT_EQ(paths.describe(use.resource).link_class == "network", fabric);
    }
  });
  // From GPU 3 of server 0 by way of GPU 1, whose rail the receiver is on.
  EXPECT_THAT(names, ::testing::Contains("port1 -> switch"));
  EXPECT_THAT(names, ::testing::Contains("switch -> port5"));
  EXPECT_THAT(names, ::testing::Contains("switch -> port6"));
}

// Two GPUs share their server's NIC: the link to it carries the bytes of both and is listed once.
TEST(ClusterPaths, ListALinkOfAReductionOnce) {
  std::vector<DomainKind> kinds;
  kinds.push_back(
      make_domain({.gpus = 2, .nvlinks = 0, .gpus_per_switch = 2, .nics_per_switch = 1}));
  const Cluster cluster(std::move(kinds), {0, 0},
                        ringspan::testing::fabric_of(2, 1,
                                                     "kind = \"single-switch\"\nlink = \"ib-ndr\"\n"
                                                     "in_network_reduction = true\n"));
  const Profile profile = ideal_profile();
  const Transport transport(cluster);
  ClusterPaths paths(cluster, profile, &transport);
  const std::vector<GpuPlace> all = ringspan::testing::all_places(cluster);
  const std::vector<std::int32_t> channels = {0};
  paths.declare(all, all, channels);
  paths.finish();
  FabricPath path;
  paths.find(all, all, channels, path);
  EXPECT_THAT(
      uses_of(path, paths),
      ElementsAre(
          "0: 1 x server0: gpu0 -> psw0 (pcie5 x16)", "0: 1 x server0: gpu1 -> psw0 (pcie5 x16)",
          "0: 1 x server1: gpu0 -> psw0 (pcie5 x16)", "0: 1 x server1: gpu1 -> psw0 (pcie5 x16)",
          "1: 2 x server0: psw0 -> nic0 (pcie5 x16)", "1: 2 x server1: psw0 -> nic0 (pcie5 x16)",
          "2: 1 x server0.nic0 -> switch0", "2: 1 x server1.nic0 -> switch0",
          "3: 1 x switch0 -> server0.nic0", "3: 1 x switch0 -> server1.nic0",
          "4: 2 x server0: nic0 -> psw0 (pcie5 x16)", "4: 2 x server1: nic0 -> psw0 (pcie5 x16)",
          "5: 1 x server0: psw0 -> gpu0 (pcie5 x16)", "5: 1 x server0: psw0 -> gpu1 (pcie5 x16)",
          "5: 1 x server1: psw0 -> gpu0 (pcie5 x16)", "5: 1 x server1: psw0 -> gpu1 (pcie5 x16)"));
}

TEST(ClusterPaths, RefuseAReductionTheFabricCannotDo) {
  const Cluster cluster = servers_on_a_crossbar(2, 2);
  const Profile profile = ideal_profile();
  const Transport transport(cluster);
  ClusterPaths paths(cluster, profile, &transport);
  const std::vector<GpuPlace> all = {{0, 0}, {1, 0}};
  const std::vector<std::int32_t> channels = {0};
  paths.declare(all, all, channels);
  paths.finish();
  FabricPath path;
  EXPECT_THROW(paths.find(all, all, channels, path), InputError);
}

}  // namespace
}  // namespace ringspan

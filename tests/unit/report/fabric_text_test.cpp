#include "app/report/fabric_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/report/cluster_pairs.h"
#include "app/report/system_text.h"
#include "tests/support/clusters.h"
#include "tests/unit/report/leaf_pod_fabric.h"

namespace ringspan {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<ClusterPairClass> classes_of(const Cluster& cluster, bool pxn = true) {
  return cluster_pair_classes(cluster, Transport(cluster, {pxn}));
}

std::int64_t all_pairs(const std::vector<ClusterPairClass>& classes) {
  std::int64_t sum = 0;
  for (const ClusterPairClass& pairs : classes) sum += pairs.pairs;
  return sum;
}

std::string fabric_text(const Cluster& cluster) {
  std::string text;
  append_fabric(cluster, {}, text);
  return text;
}

TEST(ClusterPairClasses, SplitByNearnessAndRail) {
  // 8 servers of 2 GPUs, 2 servers a leaf, 2 leaves a pod. Of a server's GPU there are, in other
  // servers on its rail: 1 on its leaf, 2 more in its pod, 4 in the other one; as many on the other
  // rail. 16 GPUs.
  const std::vector<ClusterPairClass> classes = classes_of(leaf_pod_cluster({}));
  ASSERT_EQ(classes.size(), 6U);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    EXPECT_EQ(classes[c].level, c / 2);
    EXPECT_EQ(classes[c].legs.same_rail, c % 2 == 0);
    EXPECT_EQ(classes[c].legs.pxn, c % 2 == 1);
    EXPECT_EQ(classes[c].pairs, 16 * (1 << c / 2));
    // A leaf; leaf, spine, leaf; and a core with a spine on both sides.
    EXPECT_EQ(classes[c].switches.least, 1 + 2 * static_cast<std::int32_t>(c / 2));
    EXPECT_TRUE(classes[c].switches.single());
    EXPECT_TRUE(classes[c].all_routed);
  }
}

TEST(ClusterPairClasses, LatencyIsThatOfBothLegsAndTheFabric) {
  const std::vector<ClusterPairClass> classes = classes_of(leaf_pod_cluster({}));
  // 2 x 110 ns to the NIC and from it, 2 cables of 300 ns; by PXN 2 x 300 ns of NVLink before.
  EXPECT_EQ(classes[0].latency.least, nanoseconds(2 * 220 + 600));
  EXPECT_EQ(classes[1].latency.most, nanoseconds(2 * 220 + 600 + 600));
  // The port's 50 GB/s are less than PCIe's 55.
  EXPECT_EQ(classes[0].payload.least, bandwidth_from_gbytes_per_second(50));
}

TEST(ClusterPairClasses, WithoutPxnRailsMeetAboveTheirLeaves) {
  LeafPodShape shape;
  shape.leaf_per_rail = true;
  const Cluster cluster = leaf_pod_cluster(shape);
  const std::vector<ClusterPairClass> with_pxn = classes_of(cluster);
  EXPECT_EQ(with_pxn.front().level, 0U);
  EXPECT_EQ(with_pxn[1].legs.pxn, true);
  EXPECT_EQ(with_pxn[1].level, 0U);  // it changed rails over NVLink
  const std::vector<ClusterPairClass> without = classes_of(cluster, false);
  // The other rail has no leaf in common: same leaf for one rail only.
  ASSERT_EQ(without.size(), 5U);
  EXPECT_TRUE(without[0].legs.same_rail);
  EXPECT_EQ(without[1].level, 1U);
  EXPECT_TRUE(without[1].legs.same_rail);
  EXPECT_FALSE(without[2].legs.same_rail);
  // The other server on the leaf group and the 2 of the other group in the pod, for 16 GPUs.
  EXPECT_EQ(without[2].pairs, 16 * 3);
  EXPECT_EQ(all_pairs(without), all_pairs(with_pxn));
}

TEST(ClusterPairClasses, Of131072GpusAreCountedExactly) {
  // 16,384 servers of 8; 32 a leaf group, 16 groups a pod. Each GPU meets, on its rail, 31 on its
  // leaf, 15 x 32 more in its pod, 31 pods x 512 in the others; on the 7 other rails 7 times that.
  const std::vector<ClusterPairClass> classes =
      classes_of(leaf_pod_cluster({16384, 8, 32, 16, true, 1}));
  ASSERT_EQ(classes.size(), 6U);
  constexpr std::int64_t kGpus = 131'072;
  for (std::size_t c = 0; c < 6; ++c) {
    constexpr std::int64_t kMet[] = {31, 15 * 32, 31 * 512};
    EXPECT_EQ(classes[c].pairs, kGpus * kMet[c / 2] * (c % 2 == 0 ? 1 : 7));
    EXPECT_TRUE(classes[c].latency.single());
    EXPECT_FALSE(classes[c].all_routed);
  }
  EXPECT_EQ(all_pairs(classes), kGpus * (kGpus - 8));
}

TEST(ClusterPairClasses, OfRacksLeaveOutPairsInsideOne) {
  // 4 racks of 2 trays of 2 GPUs, a leaf per rack, 2 racks a pod: 16 GPUs, each with 12 in other
  // racks, of which 4 in its pod and 8 in the other one, half of them on its rail.
  const std::vector<ClusterPairClass> classes = classes_of(rack_cluster({}));
  ASSERT_EQ(classes.size(), 4U);
  EXPECT_EQ(classes[0].level, 1U);
  EXPECT_EQ(classes[0].pairs, 16 * 2);
  EXPECT_EQ(classes[3].level, 2U);
  EXPECT_EQ(classes[3].pairs, 16 * 4);
}

TEST(FabricText, SaysWhatTheTiersCarry) {
  const std::string text = fabric_text(leaf_pod_cluster({}));
  EXPECT_THAT(text, HasSubstr("\nFabric: leaf-pod, routing static\n  pods = 2: derived for the "
                              "test\n"));
  // 16 ports of 50 GB/s; half of that goes up; half of the servers send half of it across.
  EXPECT_THAT(text,
              HasSubstr("  port: server -> leaf                                 4        16   "
                        "    800 GB/s              1:1\n"));
  EXPECT_THAT(text,
              HasSubstr("  leaf-spine: leaf -> spine                            4         8   "
                        "    400 GB/s              2:1\n"));
  EXPECT_THAT(text, HasSubstr("  across the middle: 200 GB/s each way, 25 % of what all NICs send "
                              "(800 GB/s); 50 % is full bisection\n"));
}

TEST(FabricText, ListsPairClassesWithAnExample) {
  const std::string text = fabric_text(leaf_pod_cluster({}));
  EXPECT_THAT(text, HasSubstr("  same pod, another rail by PXN: 32 pairs\n"
                              "    3 switches, latency 2.24 us, nominal 50 GB/s, payload 50 GB/s, "
                              "such as server0.gpu0 -> server2.gpu1\n"));
  EXPECT_THAT(text, HasSubstr("  another pod, same rail: 64 pairs\n"));
}

TEST(FabricText, MapsGpusToNicsAndRailsToLeaves) {
  const std::string flat = fabric_text(leaf_pod_cluster({}));
  EXPECT_THAT(flat, HasSubstr("\nNICs (GPUDirect RDMA reaches: switch)\n"
                              "  gpu0 -> nic0: rail 0, pcie-switch, GPUDirect RDMA, nominal 55 "
                              "GB/s, payload 55 GB/s, latency 220 ns\n"));
  EXPECT_THAT(flat, HasSubstr("  rails 0 .. 1, each: 8 NICs on leaf0, leaf1, leaf2, leaf3\n"));
  LeafPodShape shape;
  shape.leaf_per_rail = true;
  EXPECT_THAT(fabric_text(leaf_pod_cluster(shape)),
              HasSubstr("  rail 0: 8 NICs on leaf0, leaf2, leaf4, leaf6\n"
                        "  rail 1: 8 NICs on leaf1, leaf3, leaf5, leaf7\n"));
}

TEST(FabricText, ShowsOneServerOfARackForItsLike) {
  const std::string text = fabric_text(rack_cluster({}));
  EXPECT_THAT(text, HasSubstr("\nGPU pairs of different NVLink domains ("));
  EXPECT_THAT(text, HasSubstr("  each of 2 servers of a rack:\n  gpu0 -> nic0: "));
}

System system_of(Cluster cluster) {
  SystemInfo info;
  info.name = "small";
  info.description = "a cluster for tests";
  return {info, std::move(cluster), {}, {}};
}

TEST(SystemText, OfAClusterHasEachPartOnce) {
  const std::string text = system_text(system_of(leaf_pod_cluster({})));
  EXPECT_THAT(text, HasSubstr("small: a cluster for tests\n\nCluster: 8 servers, 16 GPUs, 16 NICs "
                              "on the compute network\n\nOne server, one of server0 .. server7\n"
                              "\nDevices\n"));
  EXPECT_EQ(text.find("\nDevices\n"), text.rfind("\nDevices\n"));
  EXPECT_THAT(text, HasSubstr("\nFabric: "));
  EXPECT_THAT(system_text(system_of(rack_cluster({}))),
              HasSubstr("Cluster: 4 NVLink domains, 8 servers, 16 GPUs, 16 NICs on the compute "
                        "network\n\nOne rack of 2 servers, one of server0 .. server7\n"));
}

// Servers of 2, 1, 2 and 2 GPUs on one switch.
Cluster uneven_cluster() {
  std::vector<DomainKind> kinds;
  kinds.push_back(testing::nvlink_server(2));
  kinds.push_back(testing::nvlink_server(1));
  const std::vector<FabricPort> ports = {{0, 0, 0}, {0, 0, 1}, {1, 1, 0}, {2, 2, 0},
                                         {2, 2, 1}, {3, 3, 0}, {3, 3, 1}};
  return Cluster(std::move(kinds), {0, 1, 0, 0},
                 testing::crossbar_fabric(ports, bandwidth_from_gbytes_per_second(50)));
}

TEST(ClusterPairClasses, CountPairsOfUnlikeServers) {
  // 3 x 2 GPUs with 5 in other servers each, 1 with 6.
  const std::vector<ClusterPairClass> classes = classes_of(uneven_cluster());
  EXPECT_EQ(all_pairs(classes), 6 * 5 + 6);
  // On one rail: 4 GPUs on rail 0 and 3 on rail 1, each with all others there.
  EXPECT_EQ(classes.front().pairs, 4 * 3 + 3 * 2);
  EXPECT_TRUE(classes.front().all_routed);
  // server1 has no NIC on rail 1: what it sends there changes rails in the switch.
  EXPECT_EQ(classes.back().pairs, 3);
  EXPECT_FALSE(classes.back().legs.pxn);
  EXPECT_FALSE(classes.back().legs.same_rail);
}

TEST(SystemText, NamesTheServersOfEachKind) {
  const std::string text = system_text(system_of(uneven_cluster()));
  EXPECT_THAT(text, HasSubstr("\nOne server, one of server0, server2 .. server3\n"));
  EXPECT_THAT(text, HasSubstr("\nOne server, one of server1\n"));
  EXPECT_THAT(text, HasSubstr(", another rail: 3 pairs\n"));
}

}  // namespace
}  // namespace ringspan

#include "models/cost/fabric_class.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/support/clusters.h"

namespace ringspan {
namespace {

std::vector<GpuPlace> places(const Cluster& cluster, std::initializer_list<int> gpus) {
  std::vector<GpuPlace> places;
  for (const int gpu : gpus) places.push_back(cluster.place(gpu));
  return places;
}

TEST(FabricClass, OneDomainOfNvlinkAndSeveral) {
  const Cluster cluster = testing::servers_on_a_crossbar(2, 4);
  EXPECT_EQ(fabric_class_of(cluster, places(cluster, {0, 1, 3})), FabricClass::NvlinkDomain);
  EXPECT_EQ(fabric_class_of(cluster, places(cluster, {2})), FabricClass::NvlinkDomain);
  EXPECT_EQ(fabric_class_of(cluster, places(cluster, {0, 4})), FabricClass::SeveralServers);
}

// Four GPUs under one PCIe switch; NVLink bridges join 0-1, 1-2 and no more.
Cluster bridged_server() {
  TopologyBuilder builder("bridged");
  GpuModel model;
  model.name = "card";
  const std::int32_t gpu_model = builder.add_gpu_model(model);
  const NodeId pcie = builder.add_device({"psw0", DeviceKind::PcieSwitch, 0, -1, "", false});
  std::vector<NodeId> gpus;
  for (int i = 0; i < 4; ++i) {
    gpus.push_back(
        builder.add_device({"gpu" + std::to_string(i), DeviceKind::Gpu, 0, gpu_model, "", false}));
    Link link;
    link.raw = link.nominal = bandwidth_from_gbytes_per_second(32);
    builder.add_duplex(gpus.back(), pcie, link);
  }
  Link bridge;
  bridge.link_class = LinkClass::NvLink;
  bridge.raw = bridge.nominal = bandwidth_from_gbytes_per_second(100);
  builder.add_duplex(gpus[0], gpus[1], bridge);
  builder.add_duplex(gpus[1], gpus[2], bridge);
  return Cluster(std::move(builder).build());
}

TEST(FabricClass, BridgesCountOnlyBetweenRanks) {
  const Cluster cluster = bridged_server();
  EXPECT_EQ(fabric_class_of(cluster, places(cluster, {0, 1})), FabricClass::NvlinkDomain);
  EXPECT_EQ(fabric_class_of(cluster, places(cluster, {0, 1, 2})), FabricClass::NvlinkDomain);
  // 0 and 2 meet through 1, which is no rank.
  EXPECT_EQ(fabric_class_of(cluster, places(cluster, {0, 2})), FabricClass::PcieServer);
  EXPECT_EQ(fabric_class_of(cluster, places(cluster, {0, 1, 2, 3})), FabricClass::PcieServer);
}

TEST(FabricClass, LargeBeginsAtFourMebibytes) {
  EXPECT_EQ(size_class_of((4 << 20) - 1), SizeClass::Small);
  EXPECT_EQ(size_class_of(4 << 20), SizeClass::Large);
}

}  // namespace
}  // namespace ringspan

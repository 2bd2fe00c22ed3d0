#include "topologies/builders/system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/builders/system_fixture.h"

namespace ringspan {
namespace {

using testing::ElementsAre;

const Link& first_link(const System& system) { return system.topology().links().front(); }

// A file with one link table between two GPUs.
std::string with_link(std::string_view link) {
  return R"(name = "pair"
[node]
[[node.device]]
name = "gpu"
kind = "gpu"
count = 2
model = "X"
compute_capability = 90
memory = "80 GiB"
memory_copy = "850 GB/s"
[[node.link]]
from = "gpu0"
to = "gpu1"
)" + std::string(link);
}

TEST(System, ReadsDevicesOfEveryKind) {
  const System system = read_text(two_gpus(R"(
[[node.device]]
name = "nvswitch"
kind = "nvswitch"
multicast = true
[[node.device]]
name = "host"
kind = "cpu"
vendor = "amd"
[[node.device]]
name = "nic"
kind = "nic"
count = 1
)"));
  const auto devices = system.topology().devices();
  ASSERT_EQ(devices.size(), 6u);
  EXPECT_EQ(devices[1].name, "gpu1");
  EXPECT_EQ(devices[2].name, "psw");  // no count: the name itself
  EXPECT_EQ(devices[2].kind, DeviceKind::PcieSwitch);
  EXPECT_TRUE(devices[3].multicast);
  EXPECT_EQ(devices[4].vendor, "amd");
  EXPECT_EQ(devices[5].name, "nic0");  // count = 1: numbered
  EXPECT_EQ(system.info.gpus, 2);
  const GpuModel& gpu = system.topology().gpu_model(system.topology().gpus()[1]);
  EXPECT_EQ(gpu.name, "H100 PCIe");
  EXPECT_EQ(gpu.compute_capability, 90);
  EXPECT_EQ(gpu.memory.count, std::int64_t{80} << 30);
  EXPECT_EQ(gpu.memory_copy, bandwidth_from_gbytes_per_second(850));
}

TEST(System, PeerReachIsNcclsDefaultUnlessSaid) {
  EXPECT_EQ(read_text(two_gpus()).topology().peer_reach(), PeerReach::Switch);
  EXPECT_EQ(read_text(two_gpus(), {{"node.peer_to_peer", "off"}}).topology().peer_reach(),
            PeerReach::Off);
}

// PCI Express 6.0: 64 GT/s x 16 lanes / 8 = 128 GB/s; 236 of 256 bytes carry packets: 118 GB/s.
TEST(System, Pcie6HasTwoRates) {
  const Link link = first_link(read_text(two_gpus(), {{"node.link.0.link", "pcie6"}}));
  EXPECT_EQ(link.count, 16);
  EXPECT_EQ(link.raw, bandwidth_from_gbytes_per_second(128));
  EXPECT_EQ(link.nominal, bandwidth_from_gbytes_per_second(118));
  EXPECT_EQ(link.preset, "pcie6");
}

TEST(System, LanesScaleAPcieLink) {
  const Link link = first_link(read_text(two_gpus("lanes = 8\n")));
  EXPECT_EQ(link.count, 8);
  EXPECT_EQ(link.raw, bandwidth_from_gbytes_per_second(32));  // 32 GT/s x 8 / 8
}

TEST(System, CountBundlesParallelLinks) {
  const Link link = first_link(read_text(with_link("link = \"nvlink4\"\ncount = 12\n")));
  EXPECT_EQ(link.count, 12);
  EXPECT_EQ(link.nominal, bandwidth_from_gbytes_per_second(300));  // 12 x 25 GB/s
  EXPECT_EQ(link.raw, bandwidth_from_gbytes_per_second(318.75));   // 12 x 26.5625 GB/s
}

TEST(System, ATotalOfBothDirectionsIsHalvedAndNoted) {
  const System system =
      read_text(with_link("class = \"nvlink\"\nrate = \"900 GB/s bidir\"\nlatency = \"450 ns\"\n"));
  EXPECT_EQ(first_link(system).nominal, bandwidth_from_gbytes_per_second(450));
  EXPECT_EQ(first_link(system).raw, bandwidth_from_gbytes_per_second(450));
  EXPECT_EQ(first_link(system).preset, "custom");
  EXPECT_DOUBLE_EQ(first_link(system).efficiency, 1.0);
  EXPECT_THAT(system.info.notes, ElementsAre("f.toml:15: rate = \"900 GB/s bidir\" counts both "
                                             "directions: 450 GB/s in each"));
}

// A Gen5 card that trained at Gen4: 16 GT/s x 16 lanes / 8 = 32 GB/s, x 128/130 = 31.508 GB/s.
TEST(System, TransfersPerLaneAreARateWherePcieGivesThemAMeaning) {
  const Link link = first_link(read_text(two_gpus("rate = \"16 GT/s\"\n")));
  EXPECT_EQ(link.raw, bandwidth_from_gbytes_per_second(32));
  EXPECT_NEAR(to_gbytes_per_second(link.nominal), 32 * 128.0 / 130.0, 1e-6);
}

// 8b/10b: 5 GT/s x 16 lanes / 8 x 0.8 = 8 GB/s.
TEST(System, TransfersOfOldPcieCarryEightOfTenBits) {
  const Link link = first_link(read_text(two_gpus("rate = \"5 GT/s\"\n")));
  EXPECT_EQ(link.nominal, bandwidth_from_gbytes_per_second(8));
}

TEST(System, OverridesReplaceThePresetsFigures) {
  const Link link = first_link(
      read_text(with_link("link = \"nvlink3\"\ncount = 2\nrate = \"50 GB/s\"\nefficiency = 0.5\n"
                          "latency = \"1 us\"\n")));
  EXPECT_EQ(link.nominal, bandwidth_from_gbytes_per_second(100));  // 2 links of 50 GB/s
  EXPECT_EQ(link.payload(), bandwidth_from_gbytes_per_second(50));
  EXPECT_EQ(link.latency, microseconds(1));
}

TEST(System, ARateOfAPcieLinkIsThatOfAllItsLanes) {
  const Link link = first_link(read_text(two_gpus("rate = \"26 GB/s\"\n")));
  EXPECT_EQ(link.nominal, bandwidth_from_gbytes_per_second(26));
}

std::string four_gpus(std::string_view links) {
  return R"(name = "four"
[node]
[[node.device]]
name = "gpu"
kind = "gpu"
count = 4
model = "X"
compute_capability = 90
memory = "80 GiB"
memory_copy = "850 GB/s"
)" + std::string(links);
}

std::vector<std::string> ends_of(const System& system) {
  std::vector<std::string> ends;
  for (std::size_t i = 0; i < system.topology().links().size(); i += 2) {
    const Link& link = system.topology().links()[i];
    ends.push_back(system.topology().device(link.from).name + "-" +
                   system.topology().device(link.to).name);
  }
  return ends;
}

TEST(System, PairsAllLinksEveryDeviceWithEveryOther) {
  EXPECT_THAT(ends_of(read_text(four_gpus(
                  "[[node.link]]\nfrom = \"gpu[0-1]\"\nto = \"gpu[2-3]\"\nlink = \"nvlink3\"\n"))),
              ElementsAre("gpu0-gpu2", "gpu0-gpu3", "gpu1-gpu2", "gpu1-gpu3"));
}

TEST(System, PairsEachLinksOneByOne) {
  EXPECT_THAT(ends_of(read_text(four_gpus("[[node.link]]\nfrom = [\"gpu0\", \"gpu[1-2]\"]\n"
                                          "to = [\"gpu1\", \"gpu[2-3]\"]\npairs = \"each\"\n"
                                          "link = \"nvlink3\"\n"))),
              ElementsAre("gpu0-gpu1", "gpu1-gpu2", "gpu2-gpu3"));
}

TEST(System, PairsMeshLinksEveryTwoOnce) {
  EXPECT_THAT(
      ends_of(read_text(
          four_gpus("[[node.link]]\nfrom = \"gpu*\"\npairs = \"mesh\"\nlink = \"nvlink3\"\n"))),
      ElementsAre("gpu0-gpu1", "gpu0-gpu2", "gpu0-gpu3", "gpu1-gpu2", "gpu1-gpu3", "gpu2-gpu3"));
}

TEST(System, ASummaryNeedsNoWiring) {
  ConfigDocument document = ConfigDocument::parse_text(
      "name = \"x\"\ndescription = \"two cards\"\nsources = [\"a\", \"b\"]\n[node]\ncount = 3\n"
      "use = \"dgx-a100\"\n",
      "f.toml");
  const SystemInfo info = read_system_summary(document, find_in_catalogue);
  EXPECT_EQ(info.gpus, 8);
  EXPECT_EQ(info.servers, 3);
  EXPECT_EQ(info.name, "x");
  EXPECT_EQ(info.description, "two cards");
  EXPECT_THAT(info.sources, ElementsAre("a", "b"));
}

}  // namespace
}  // namespace ringspan

// Every server of the catalogue, read and compared with what it is known to be.

#include <map>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/unit/builders/system_fixture.h"
#include "topologies/data/catalogue.h"

namespace ringspan {
namespace {

// GPUs of one server.
const std::map<std::string_view, int>& stated_gpus() {
  static const std::map<std::string_view, int> stated = {
      {"dgx2", 16},        {"hgx-a100-4", 4},    {"a100-4x-nv4", 4},    {"gh200-slingshot", 4},
      {"v100-pcie-4x", 4}, {"rtx-2080ti-2x", 2}, {"l4-2x", 2},          {"h100-pcie-nvl-2x", 2},
      {"gb200-nvl72", 4},  {"gb300-nvl72", 4},   {"superpod-gb200", 4}, {"slingshot-dragonfly", 4}};
  return stated;
}

TEST(CatalogueSystems, EveryFileReadsAndHasItsGpus) {
  for (const EmbeddedFile& file : catalogue_systems()) {
    SCOPED_TRACE(file.name);
    const System system = read_catalogue(file.name);
    const auto stated = stated_gpus().find(file.name);
    EXPECT_EQ(system.info.gpus, stated == stated_gpus().end() ? 8 : stated->second);
    EXPECT_EQ(system.info.name, file.name);
    EXPECT_EQ(system.topology().name(), file.name);
    EXPECT_FALSE(system.info.description.empty());
    EXPECT_FALSE(system.info.sources.empty());
    EXPECT_TRUE(system.info.notes.empty());
  }
}

// Staging through host memory needs a CPU that every GPU reaches over PCIe or C2C.
TEST(CatalogueSystems, EveryGpuHasAHost) {
  for (const EmbeddedFile& file : catalogue_systems()) {
    SCOPED_TRACE(file.name);
    const Topology topology = read_catalogue(file.name).topology();
    for (NodeId gpu : topology.gpus()) {
      std::vector<NodeId> seen = {gpu};
      bool has_cpu = false;
      for (std::size_t i = 0; i < seen.size(); ++i) {
        for (LinkId id : topology.out_links(seen[i])) {
          const Link& link = topology.link(id);
          if (link.link_class != LinkClass::Pcie && link.link_class != LinkClass::C2c) continue;
          has_cpu = has_cpu || topology.device(link.to).kind == DeviceKind::Cpu;
          if (topology.device(link.to).kind == DeviceKind::PcieSwitch &&
              std::find(seen.begin(), seen.end(), link.to) == seen.end()) {
            seen.push_back(link.to);
          }
        }
      }
      EXPECT_TRUE(has_cpu) << topology.device(gpu).name;
    }
  }
}

struct Capacity {
  const char* system;
  DeviceKind to;
  double gbytes_per_second;  // of one GPU, each way
};

// Vendors give the totals of both directions: 300, 600, 900 and 1800 GB/s (stas00/ml-engineering
// network/README.md). Mesh of 4: 3 x 4 links x 25 GB/s. H800: 8 links. MI300X: 7 x 64 GB/s.
// GH200: 3 x 6 links x 25 GB/s. DGX-2 has one link to each of 6 switches: 150 GB/s.
constexpr Capacity kCapacities[] = {
    {"dgx1-v100", DeviceKind::Gpu, 150},        {"dgx2", DeviceKind::NvSwitch, 150},
    {"dgx-a100", DeviceKind::NvSwitch, 300},    {"hgx-a100-4", DeviceKind::Gpu, 300},
    {"a100-4x-nv4", DeviceKind::Gpu, 300},      {"dgx-h100", DeviceKind::NvSwitch, 450},
    {"dgx-h200", DeviceKind::NvSwitch, 450},    {"h800-8x", DeviceKind::NvSwitch, 200},
    {"dgx-b200", DeviceKind::NvSwitch, 900},    {"dgx-b300", DeviceKind::NvSwitch, 900},
    {"aws-p6-b200", DeviceKind::NvSwitch, 900}, {"gh200-slingshot", DeviceKind::Gpu, 450},
    {"mi300x-8x", DeviceKind::Gpu, 448},        {"h100-pcie-nvl-2x", DeviceKind::Gpu, 300}};

TEST(CatalogueSystems, EveryGpuHasItsNvlinkCapacity) {
  for (const Capacity& expected : kCapacities) {
    SCOPED_TRACE(expected.system);
    const Topology topology = read_catalogue(expected.system).topology();
    for (NodeId gpu : topology.gpus()) {
      const Bandwidth sum = nominal_between(topology, topology.device(gpu).name, expected.to);
      EXPECT_DOUBLE_EQ(to_gbytes_per_second(sum), expected.gbytes_per_second);
    }
  }
}

// The hybrid cube mesh as NVIDIA draws it: 0-3 has two links, 0-1 one, 0-5 none.
TEST(CatalogueSystems, Dgx1IsAHybridCubeMesh) {
  const Topology topology = read_catalogue("dgx1-v100").topology();
  std::map<std::string, int> counts;
  for (const Link& link : topology.links()) {
    if (link.link_class != LinkClass::NvLink) continue;
    counts[topology.device(link.from).name + topology.device(link.to).name] += link.count;
  }
  EXPECT_EQ(counts.size(), 32u);  // 16 pairs, both directions
  EXPECT_EQ(counts["gpu0gpu3"], 2);
  EXPECT_EQ(counts["gpu6gpu5"], 2);
  EXPECT_EQ(counts["gpu0gpu1"], 1);
  EXPECT_EQ(counts.count("gpu0gpu5"), 0u);
}

// GPU to GPU through one NVSwitch: two legs of 325 ns.
TEST(CatalogueSystems, NvswitchLegsAddUpToTheLatencyOfThePath) {
  for (const char* name : {"dgx-a100", "dgx-h100", "dgx-b200"}) {
    const System system = read_catalogue(name);
    for (const Link& link : system.topology().links()) {
      if (link.link_class == LinkClass::NvLink) {
        EXPECT_EQ(link.latency, nanoseconds(325)) << name;
      }
    }
  }
}

TEST(CatalogueSystems, MulticastBeginsWithHopper) {
  EXPECT_FALSE(read_catalogue("dgx-a100").topology().has_multicast());
  EXPECT_TRUE(read_catalogue("dgx-h100").topology().has_multicast());
  EXPECT_TRUE(read_catalogue("h20-8x").topology().has_multicast());
  EXPECT_TRUE(read_catalogue("dgx-b300").topology().has_multicast());
  EXPECT_FALSE(read_catalogue("mi300x-8x").topology().has_multicast());
}

TEST(CatalogueSystems, PeerToPeerIsAsEachMachineHasIt) {
  EXPECT_EQ(read_catalogue("rtx-4090-8x-p2p").topology().peer_reach(), PeerReach::All);
  EXPECT_EQ(read_catalogue("rtx-4090-8x-shm").topology().peer_reach(), PeerReach::Off);
  EXPECT_EQ(read_catalogue("rtx-2080ti-2x").topology().peer_reach(), PeerReach::Off);
  EXPECT_EQ(read_catalogue("v100-pcie-4x").topology().peer_reach(), PeerReach::Switch);
}

TEST(CatalogueSystems, AVariantHasTheWiringOfItsBaseAndItsOwnGpus) {
  const System h200 = read_catalogue("dgx-h200");
  const System h100 = read_catalogue("dgx-h100");
  EXPECT_EQ(h200.topology().links().size(), h100.topology().links().size());
  ASSERT_EQ(h200.topology().gpu_models().size(), 1u);
  EXPECT_EQ(h200.topology().gpu_models().front().name, "H200 SXM");
  EXPECT_EQ(h200.topology().gpu_models().front().memory.count, std::int64_t{141} << 30);
}

}  // namespace
}  // namespace ringspan

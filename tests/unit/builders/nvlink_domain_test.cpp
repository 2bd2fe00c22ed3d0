// Racks: trays whose GPUs are joined by NVSwitches.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/input_error.h"
#include "tests/unit/builders/system_fixture.h"

namespace ringspan {
namespace {

using testing::StartsWith;

// 18 trays of two GPUs, each GPU with one link to each of 18 switches.
constexpr const char* kRack = "servers = 18\nswitches = 18\nlink = \"nvlink5\"\n";
constexpr const char* kRacks =
    "servers = 18\nswitches = 18\nlink = \"nvlink5\"\n[fabric.scale_out]\n"
    "kind = \"rail-optimized\"\nlink = \"ib-ndr\"\n";

System racks(int trays, const char* domain = kRacks) {
  return read_text(two_gpu_trays(domain), {}, {trays, std::nullopt});
}

TEST(NvlinkDomain, OneRackIsTheDefaultAndOneTopology) {
  const System system = read_text(two_gpu_trays(kRack));
  EXPECT_EQ(system.info.servers, 18);
  EXPECT_EQ(system.info.gpus, 2);
  EXPECT_EQ(system.cluster.domain_count(), 1);
  EXPECT_EQ(system.cluster.server_count(), 18);
  EXPECT_EQ(system.cluster.gpu_count(), 36);
  EXPECT_EQ(system.cluster.fabric(), nullptr);
  const Topology& topology = system.topology();
  EXPECT_EQ(topology.server_count(), 18);
  EXPECT_TRUE(topology.has_multicast());
  const auto devices = topology.devices();
  const auto switches = std::count_if(devices.begin(), devices.end(), [](const Device& device) {
    return device.kind == DeviceKind::NvSwitch && device.server == kNoServer;
  });
  EXPECT_EQ(switches, 18);
  // 18 trays x (4 PCIe links + 2 GPUs x 18 switches), two directions each.
  EXPECT_EQ(topology.links().size(), 2u * 18 * (4 + 2 * 18));
  EXPECT_EQ(topology.device(topology.gpus()[35]).server, 17);
  // 18 links of 50 GB/s.
  EXPECT_EQ(nominal_between(topology, "gpu1", DeviceKind::NvSwitch),
            bandwidth_from_gbytes_per_second(900));
}

TEST(NvlinkDomain, NamesTellTraysAndSwitchesApart) {
  const System one = read_text(two_gpu_trays(kRack));
  EXPECT_EQ(one.cluster.device_name(0, one.topology().gpus()[35]), "server17.gpu1");
  EXPECT_EQ(one.cluster.device_name(0, device_named(one.topology(), "nvswitch3")), "nvswitch3");
  const System two = racks(36);
  EXPECT_EQ(two.cluster.device_name(1, two.topology().gpus()[0]), "server18.gpu0");
  EXPECT_EQ(two.cluster.device_name(1, device_named(two.topology(), "nvswitch3")),
            "rack1.nvswitch3");
}

TEST(NvlinkDomain, TheLastDomainMayBeFilledInPart) {
  EXPECT_EQ(racks(1).cluster.gpu_count(), 2);
  EXPECT_EQ(racks(1).topology().server_count(), 1);
  EXPECT_EQ(racks(17).cluster.domain_count(), 1);
  const System system = racks(19);
  EXPECT_EQ(system.cluster.domain_count(), 2);
  EXPECT_EQ(system.cluster.domain(0).servers(), 18);
  EXPECT_EQ(system.cluster.domain(1).servers(), 1);
  EXPECT_EQ(system.cluster.gpu_count(), 38);
  const auto ports = system.cluster.fabric()->ports();
  ASSERT_EQ(ports.size(), 38u);
  EXPECT_EQ(ports[37].domain, 1);
  EXPECT_EQ(ports[37].server, 18);
  EXPECT_EQ(ports[37].rail, 1);
  EXPECT_EQ(ports[35].domain, 0);
  EXPECT_EQ(ports[35].server, 17);
}

TEST(NvlinkDomain, FullRacksShareOneKind) {
  const System system = racks(36);
  EXPECT_EQ(system.cluster.domain_count(), 2);
  EXPECT_EQ(system.cluster.kinds().size(), 1u);
  EXPECT_EQ(system.cluster.fabric()->kind(), "rail-optimized");
}

// 40 GPUs are 20 trays of 2.
TEST(NvlinkDomain, GpusAskForTrays) {
  const System system = read_text(two_gpu_trays(kRacks), {}, {std::nullopt, 40});
  EXPECT_EQ(system.cluster.server_count(), 20);
}

TEST(NvlinkDomain, ScaleOutIsCheckedWithOneRackToo) {
  EXPECT_THAT(refusal(two_gpu_trays(kRacks), {{"fabric.scale_out.lnk", "3"}}),
              StartsWith("--set fabric.scale_out.lnk: error: unknown key 'lnk'"));
}

TEST(NvlinkDomain, GpusWithoutHostAreJoinedByTheSwitches) {
  const System system = read_text(two_gpu_trays(kRack), {{"node.link.0.to", "[\"gpu0\"]"}});
  EXPECT_EQ(system.cluster.gpu_count(), 36);
}

TEST(NvlinkDomain, LinksPerSwitchAndNoMulticast) {
  const System system =
      read_text(two_gpu_trays("servers = 2\nswitches = 9\nlink = \"nvlink4\"\nmulticast = false\n"
                              "links_per_switch = 2\nlatency = \"400 ns\"\n"));
  EXPECT_FALSE(system.topology().has_multicast());
  // 9 switches x 2 links x 25 GB/s.
  EXPECT_EQ(nominal_between(system.topology(), "gpu0", DeviceKind::NvSwitch),
            bandwidth_from_gbytes_per_second(450));
  EXPECT_EQ(system.topology().links().back().latency, nanoseconds(400));
}

TEST(NvlinkDomain, PodsOfTraysBeginDomainsOfTheirOwn) {
  const System system =
      read_text(two_gpu_trays(std::string(kRacks) + "[[pod]]\ncount = 19\n[[pod]]\ncount = 4\n"));
  ASSERT_EQ(system.cluster.domain_count(), 3);
  EXPECT_EQ(system.cluster.domain(0).servers(), 18);
  EXPECT_EQ(system.cluster.domain(1).servers(), 1);
  EXPECT_EQ(system.cluster.domain(2).servers(), 4);
}

TEST(NvlinkDomain, MistakesAreNamedWhereTheyStand) {
  EXPECT_EQ(refusal(two_gpu_trays(kRack), {}, {19, std::nullopt}),
            "error: 19 trays are more than the 18 of one NVLink domain\n"
            "hint: at most 18 trays, or join several domains with a table [fabric.scale_out]");
  EXPECT_EQ(refusal(two_gpu_trays(kRack), {{"node.count", "36"}}),
            "f.toml:24:11: error: 36 trays are more than the 18 of one NVLink domain\n"
            "hint: at most 18 trays, or join several domains with a table [fabric.scale_out]");
  EXPECT_EQ(refusal(two_gpu_trays("switches = 18\nlink = \"nvlink5\"\n")),
            "f.toml:22:1: error: missing key 'servers' in [fabric]\nhint: add servers = 1");
  EXPECT_EQ(refusal(two_gpu_trays("servers = 1000000000\n")),
            "f.toml:24:11: error: 'servers' in [fabric] is out of range: 1000000000\n"
            "hint: allowed: 1 to 1024");
  EXPECT_EQ(refusal(two_gpu_trays("servers = 18\nswitches = 18\nlink = \"pcie5\"\n")),
            "f.toml:26:8: error: GPUs are joined to NVSwitches by NVLink, not by pcie\n"
            "hint: link = \"nvlink5\"");
  EXPECT_EQ(refusal(two_gpu_trays("servers = 1024\nswitches = 1024\nlink = \"nvlink5\"\n")),
            "f.toml:24:11: error: a domain of 1024 trays has 6144 devices and 2101248 links, too "
            "many\nhint: at most 65536 devices and 1000000 links");
  EXPECT_THAT(refusal(two_gpu_trays(std::string(kRack) + "spines = 3\n")),
              StartsWith("f.toml:27:1: error: unknown key 'spines' in [fabric]"));
  EXPECT_THAT(
      refusal(two_gpu_trays(kRacks), {{"fabric.scale_out.kind", "nvlink-domain"}}),
      StartsWith("--set fabric.scale_out.kind: error: an NVLink domain cannot join others"));
}

}  // namespace
}  // namespace ringspan

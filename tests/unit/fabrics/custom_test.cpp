// kind = "custom": names, shortest ways, routings, faults, refusals.

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "sim/base/input_error.h"
#include "tests/unit/fabrics/written_fabric.h"
#include "topologies/fabrics/max_flow.h"

namespace ringspan {
namespace {

using testing::expect_sound_route;
using testing::fabric_refusal;
using testing::uniform_loads;
using testing::way_of;
using testing::written_fabric;
using Names = std::vector<std::string>;

// 4 leaves of 4 servers, 2 spines, 2 cables from each leaf to each spine; ib-ndr is 50 GB/s.
std::string two_tiers(const std::string& routing, const std::string& more = "") {
  return "[fabric]\nkind = \"custom\"\ndefault_link = \"ib-ndr\"\nrouting = \"" + routing + "\"\n" +
         R"([[fabric.switch]]
name = "leaf"
count = 4
[[fabric.switch]]
name = "spine"
count = 2
[[fabric.link]]
from = "server[0-3].nic0"
to = "leaf0"
[[fabric.link]]
from = "server[4-7].nic*"
to = "leaf1"
[[fabric.link]]
from = "leaf2"
to = "server[8-9,10-11].nic0"
[[fabric.link]]
from = "server[12-15].nic0"
to = "leaf3"
[[fabric.link]]
from = "leaf*"
to = "spine[0-1]"
count = 2
)" + more;
}

// 1 Gb/s at 95 % is 118.75 MB/s.
TEST(Custom, ACableMayHaveRatesOfItsOwn) {
  const std::string text = R"([fabric]
kind = "custom"
default_link = "custom"
custom_default_link = { rate = "1 Gb/s", efficiency = 0.95, latency = "5 us" }
[[fabric.switch]]
name = "leaf"
count = 2
[[fabric.link]]
from = "server[0-1].nic0"
to = "leaf0"
[[fabric.link]]
from = "server[2-3].nic0"
to = "leaf1"
[[fabric.link]]
from = "leaf0"
to = "leaf1"
link = "custom"
custom_link = { rate = "100 Mb/s", latency = "1 us" }
)";
  const auto fabric = written_fabric(text, 4);
  std::map<std::string, std::int64_t> rates;  // payload in kB/s, by preset
  for (std::uint32_t l = 0; l < fabric->link_count(); ++l) {
    rates[fabric->link(l).preset] = fabric->payload(l).bits_per_second / 8'000;
  }
  EXPECT_EQ(rates, (std::map<std::string, std::int64_t>{{"custom 125 MB/s", 118'750},
                                                        {"custom 12.5 MB/s", 12'500}}));
  EXPECT_NE(fabric_refusal("[fabric]\nkind = \"single-switch\"\nlink = \"custom\"\n", 4)
                .find("missing key 'custom_link' in [fabric]"),
            std::string::npos);
}

FabricRoute route_of(const Fabric& fabric, const FlowKey& flow) {
  FabricRoute route;
  fabric.route(flow, route);
  return route;
}

TEST(Custom, EveryPairIsJoinedBySoundRoutesWhateverTheRouting) {
  for (const char* routing : {"ecmp", "static", "spray", "adaptive", "minimal"}) {
    const auto fabric = written_fabric(two_tiers(routing), 16);
    for (std::uint32_t from = 0; from < 16; ++from) {
      for (std::uint32_t to = 0; to < 16; ++to) {
        if (from == to) continue;
        expect_sound_route(*fabric, {from, to, 3});
        EXPECT_EQ(route_of(*fabric, {from, to, 3}).switches, from / 4 == to / 4 ? 1 : 3);
      }
    }
  }
}

TEST(Custom, LatencyIsAdaptersAndCables) {
  // 740 of the adapters, four cables of 230.
  for (const char* routing : {"ecmp", "spray"}) {
    const auto fabric = written_fabric(two_tiers(routing), 16);
    EXPECT_EQ(route_of(*fabric, {0, 4, 0}).latency, nanoseconds(740 + 4 * 230));
    EXPECT_EQ(route_of(*fabric, {0, 1, 0}).latency, nanoseconds(740 + 2 * 230));
  }
}

TEST(Custom, StaticWaysSpreadConsecutiveDestinationsOverAllCables) {
  const auto fabric = written_fabric(two_tiers("static"), 16);
  // Destinations 4 .. 7, modulo the four cables up: spine 0 twice, spine 1 twice, each cable once.
  // Down again modulo two cables: each once as well.
  std::set<std::string> ups;
  std::set<std::string> downs;
  for (std::uint32_t to = 4; to < 8; ++to) {
    const Names way = way_of(*fabric, {0, to, 0});
    ups.insert(way.at(1));
    downs.insert(way.at(2));
  }
  EXPECT_EQ(ups, (std::set<std::string>{"leaf0 -> spine0, cable 0", "leaf0 -> spine0, cable 1",
                                        "leaf0 -> spine1, cable 0", "leaf0 -> spine1, cable 1"}));
  EXPECT_EQ(downs.size(), 4U);
}

TEST(Custom, SprayingLoadsAllCablesAlike) {
  // Uniform, one unit from each to each: 4 x 12 leave a leaf over two pools: 24 each; the pool of
  // two cables carries 100 GB/s.
  const auto fabric = written_fabric(two_tiers("spray"), 16);
  EXPECT_EQ(fabric->link_count(), 32U + 16);
  const std::vector<double> loads = uniform_loads(*fabric);
  for (std::uint32_t link = 32; link < fabric->link_count(); ++link) {
    EXPECT_NEAR(loads[link], 24, 1e-4);
    EXPECT_EQ(fabric->link(link).nominal, bandwidth_from_gbytes_per_second(100));
  }
  EXPECT_EQ(fabric->link(32).name, "leaf0 -> spine0 (2 x ib-ndr)");
}

TEST(Custom, EvenRoutesOfHashedFlowsSplitAtEveryFork) {
  const auto fabric = written_fabric(two_tiers("ecmp"), 16);
  FabricRoute route;
  fabric->even_route({0, 4, 0}, route);
  // The port, four cables up with a quarter each, four down, the port.
  ASSERT_EQ(route.uses.size(), 1U + 4 + 4 + 1);
  for (std::size_t i = 1; i < 9; ++i) EXPECT_EQ(route.uses[i].share, 0.25F);
}

TEST(Custom, AdaptiveRoutesFollowWhatEachWayCanCarry) {
  // From leaf0 half of one of the two cables to spine0 is left: 1.5 to 2 in 3.5; down to leaf1 the
  // same shares go on.
  const std::string fault =
      "[[fault]]\nfrom = \"leaf0\"\nto = \"spine0\"\ncables = 1\nrate = 0.5\n";
  const auto fabric = written_fabric(two_tiers("adaptive", fault), 16);
  const FabricRoute route = route_of(*fabric, {0, 4, 0});
  ASSERT_EQ(route.uses.size(), 6U);
  EXPECT_NEAR(route.uses[1].share, 1.5 / 3.5, 1e-6);
  EXPECT_NEAR(route.uses[2].share, 2.0 / 3.5, 1e-6);
  EXPECT_NEAR(route.uses[3].share, 1.5 / 3.5, 1e-6);
  EXPECT_EQ(fabric->link(route.uses[1].link).nominal, bandwidth_from_gbytes_per_second(75));
  // A slow cable further on counts as well: into leaf0 through spine0.
  const FabricRoute back = route_of(*fabric, {4, 0, 0});
  EXPECT_NEAR(back.uses[1].share, 1.5 / 3.5, 1e-6);
  // Spraying in equal parts is as fast as the slow cable lets both be.
  const auto spray = written_fabric(two_tiers("spray", fault), 16);
  const FabricRoute even = route_of(*spray, {0, 4, 0});
  EXPECT_EQ(even.uses[1].share, 0.5F);
  EXPECT_EQ(spray->link(even.uses[1].link).nominal, bandwidth_from_gbytes_per_second(50));
}

TEST(Custom, ADeadSpineIsNotUsed) {
  for (const char* routing : {"ecmp", "static", "spray", "adaptive", "minimal"}) {
    const auto fabric = written_fabric(two_tiers(routing, "[[fault]]\nswitch = \"spine0\"\n"), 16);
    for (std::uint32_t to = 1; to < 16; ++to) {
      expect_sound_route(*fabric, {0, to, 0});
      for (const std::string& name : way_of(*fabric, {0, to, 0})) {
        EXPECT_EQ(name.find("spine0"), std::string::npos);
      }
    }
  }
  const auto parted = written_fabric(
      two_tiers("ecmp", "[[fault]]\nswitch = \"spine0\"\n[[fault]]\nswitch = \"spine1\"\n"), 16);
  EXPECT_TRUE(parted->joins(0, 1));
  EXPECT_FALSE(parted->joins(0, 4));
}

TEST(Custom, TiersBisectionAndDrawing) {
  // 16 NICs over 16 cables: 1:1. Half of the NICs, 8, send to the others over 2 leaves x 4 cables.
  const auto fabric = written_fabric(two_tiers("ecmp"), 16);
  const std::vector<FabricTier> tiers = fabric->tiers();
  ASSERT_EQ(tiers.size(), 2U);
  EXPECT_EQ(tiers[0].cables, 16);
  EXPECT_EQ(tiers[1].name, "leaf-spine");
  EXPECT_EQ(tiers[1].cables, 16);
  EXPECT_EQ(tiers[1].oversubscription, 1);
  EXPECT_EQ(fabric->bisection(), bandwidth_from_gbytes_per_second(8 * 50));
  // With one cable of two to one spine dead on every leaf: 3 of 4.
  std::string faults;
  for (int leaf = 0; leaf < 4; ++leaf) {
    faults +=
        "[[fault]]\nfrom = \"leaf" + std::to_string(leaf) + "\"\nto = \"spine0\"\ncables = 1\n";
  }
  EXPECT_EQ(written_fabric(two_tiers("ecmp", faults), 16)->bisection(),
            bandwidth_from_gbytes_per_second(6 * 50));
  const FabricDrawing drawing = fabric->drawing();
  ASSERT_EQ(drawing.nodes.size(), 3U);
  EXPECT_EQ(drawing.nodes[2].label, "spine");
  EXPECT_EQ(drawing.nodes[2].level, 2);
  EXPECT_EQ(drawing.edges.back().label, "16 x ib-ndr, 800 GB/s each way");
}

TEST(Custom, AMeshAndTwoTablesBetweenTheSameSwitches) {
  const std::string text = R"([fabric]
kind = "custom"
routing = "adaptive"
[[fabric.switch]]
name = "s"
count = 3
[[fabric.link]]
from = "server*.nic0"
to = "s*"
pairs = "each"
link = "ib-ndr"
[[fabric.link]]
from = "s*"
pairs = "mesh"
link = "ib-ndr"
[[fabric.link]]
from = "s0"
to = "s1"
link = "ib-hdr"
length = "100 m"
)";
  const auto fabric = written_fabric(text, 3);
  // 50 and 25 GB/s between s0 and s1, payload 0.98 of both: two thirds and one third.
  const FabricRoute route = route_of(*fabric, {0, 1, 0});
  ASSERT_EQ(route.uses.size(), 4U);
  EXPECT_NEAR(route.uses[1].share, 2.0 / 3, 1e-6);
  EXPECT_NEAR(route.uses[2].share, 1.0 / 3, 1e-6);
  // The longest way: over the cable of 100 m.
  EXPECT_EQ(route.latency, nanoseconds(740 + 2 * 230 + 730));
  EXPECT_EQ(route.switches, 2);
}

TEST(MaxFlow, IsTheLeastCut) {
  // Two ways of 3 and 2 from 0 to 3, and 1 across: min(3 + 2, 2 + 4) with the crossing used: out of
  // 0 at most 5, into 3 at most 2 + 4 = 6; of 0 -> 1 = 3 only 2 go straight on, 1 crosses: 5.
  MaxFlow flow(4);
  flow.add(0, 1, 3, 0);
  flow.add(0, 2, 2, 0);
  flow.add(1, 3, 2, 0);
  flow.add(2, 3, 4, 0);
  flow.add(1, 2, 1, 0);
  EXPECT_EQ(flow.between(0, 3), 5);
  MaxFlow parted(3);
  parted.add(0, 1, 7, 7);
  EXPECT_EQ(parted.between(0, 2), 0);
}

struct Refusal {
  std::string text;
  std::string message;  // contained
};

class CustomRefusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(CustomRefusals, NameThePlaceAndWhatWouldFit) {
  const std::string refusal = fabric_refusal(GetParam().text, 4);
  EXPECT_EQ(refusal.substr(0, GetParam().message.size()), GetParam().message);
}

// Four servers; lines 1 to 9.
std::string small(const std::string& more) {
  return R"([fabric]
kind = "custom"
default_link = "ib-ndr"
[[fabric.switch]]
name = "leaf"
count = 2
[[fabric.switch]]
name = "spine"
)" + more;
}

const std::string kNics = "[[fabric.link]]\nfrom = \"server*.nic*\"\nto = \"leaf0\"\n";

INSTANTIATE_TEST_SUITE_P(
    All, CustomRefusals,
    ::testing::Values(
        Refusal{small("[[fabric.link]]\nfrom = \"server[0-2].nic0\"\nto = \"leaf0\"\n"),
                "f.toml:9:1: error: server3.nic0 hangs on no switch"},
        Refusal{small(kNics + kNics), "f.toml:13:8: error: server0.nic0 hangs on leaf0 already"},
        Refusal{small(kNics + "[[fabric.link]]\nfrom = \"leaf*\"\nto = \"spin\"\n"),
                "f.toml:14:6: error: there is no switch 'spin'\nhint: did you mean 'spine'?"},
        Refusal{small(kNics + "[[fabric.link]]\nfrom = \"leaf[0-2]\"\nto = \"spine\"\n"),
                "f.toml:13:8: error: '[0-2]' does not name numbers from 0 to 1"},
        Refusal{small(kNics + "[[fabric.link]]\nfrom = \"leaf[0-1000000000]\"\nto = \"spine\"\n"),
                "f.toml:13:8: error: '[0-1000000000]' does not name numbers from 0 to 1"},
        Refusal{small(kNics + "[[fabric.link]]\nfrom = \"spine*\"\nto = \"leaf0\"\n"),
                "f.toml:13:8: error: no switches are called 'spine' and a number"},
        Refusal{small(kNics + "[[fabric.link]]\nfrom = \"leaf*\"\nto = \"leaf0\"\n"),
                "f.toml:14:6: error: 'leaf0' is joined to itself"},
        Refusal{small("[[fabric.link]]\nfrom = \"server*.nic*\"\nto = \"leaf*\"\n"),
                "f.toml:11:6: error: a NIC hangs on one switch"},
        Refusal{
            small("[[fabric.link]]\nfrom = \"server*.nic*\"\nto = \"leaf*\"\npairs = \"each\"\n"),
            "f.toml:12:9: error: pairs = \"each\" needs as many on both sides: there are 4 and 2"},
        Refusal{small("[[fabric.link]]\nfrom = \"server*.nic1\"\nto = \"leaf0\"\n"),
                "f.toml:10:8: error: '1' does not name numbers from 0 to 0"},
        Refusal{small("[[fabric.link]]\nfrom = \"server0.nic0\"\nto = \"server1.nic0\"\n"),
                "f.toml:11:6: error: a cable joins two NICs"},
        Refusal{small("[[fabric.switch]]\nname = \"spine\"\n"),
                "f.toml:10:8: error: there are two switches called 'spine'"},
        Refusal{small("[[fabric.switch]]\nname = \"a b\"\n"),
                "f.toml:10:8: error: 'a b' cannot be the name of a switch"},
        Refusal{small("[[fabric.switch]]\nname = \"many\"\ncount = 1000000000\n"),
                "f.toml:11:9: error: "},
        Refusal{small("[[fabric.switch]]\nname = \"thin\"\nradix = 3\n"
                      "[[fabric.link]]\nfrom = \"server*.nic*\"\nto = \"thin\"\n"),
                "f.toml:11:9: error: 4 cables end at thin\nhint: radix = 4, or fewer cables"},
        Refusal{small(kNics + "[[fabric.link]]\nfrom = \"leaf*\"\nto = \"spine\"\ncount = 0\n"),
                "f.toml:15:9: error: "},
        Refusal{
            small(kNics + "[[fabric.link]]\nfrom = \"leaf*\"\nto = \"spine\"\nlink = \"pcie5\"\n"),
            "f.toml:15:8: error: a fabric is made of network links"},
        Refusal{"[fabric]\nkind = \"custom\"\n", "f.toml:1:1: error: there is no switch"},
        Refusal{"[fabric]\nkind = \"custom\"\nrouting = \"valiant\"\ndefault_link = \"ib-ndr\"\n"
                "[[fabric.switch]]\nname = \"s\"\n[[fabric.link]]\nfrom = \"server*.nic*\"\nto = "
                "\"s\"\n",
                "f.toml:3:11: error: routing 'valiant' does not work here"}));

}  // namespace
}  // namespace ringspan

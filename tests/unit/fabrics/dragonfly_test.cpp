// kind = "dragonfly": arrangement, routes, closed forms, faults, refusals.

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/unit/fabrics/written_fabric.h"
#include "topologies/fabrics/dragonfly_graph.h"

namespace ringspan {
namespace {

using testing::expect_sound_route;
using testing::fabric_refusal;
using testing::uniform_loads;
using testing::way_of;
using testing::written_fabric;
using Names = std::vector<std::string>;

std::string dragonfly(int switches_per_group, const std::string& more = "") {
  return "[fabric]\nkind = \"dragonfly\"\nlink = \"slingshot-200\"\nswitches_per_group = " +
         std::to_string(switches_per_group) + "\n" + more;
}

int switches_of(const Fabric& fabric, std::uint32_t from, std::uint32_t to) {
  FabricRoute route;
  fabric.route({from, to, 0}, route);
  return route.switches;
}

TEST(DragonflyGraph, EveryTwoGroupsAreJoinedFromBothSidesByTheSameCables) {
  for (const DragonflyShape shape : {DragonflyShape{9, 4, 1, 2}, DragonflyShape{5, 3, 2, 4},
                                     DragonflyShape{2, 4, 1, 9}, DragonflyShape{6, 1, 1, 1}}) {
    const DragonflyGraph graph(shape);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> between_switches;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> between_groups;
    std::vector<SwitchBundle> out;
    std::vector<std::uint32_t> links;
    for (std::uint32_t at = 0; at < graph.switch_count(); ++at) {
      graph.bundles(at, out);
      std::uint32_t global = 0;
      for (const SwitchBundle& bundle : out) {
        EXPECT_EQ(bundle.from, at);
        ++between_switches[{at, bundle.to}];
        --between_switches[{bundle.to, at}];
        for (std::uint32_t cable = 0; cable < bundle.cables; ++cable) {
          links.push_back(bundle.link(cable));
          EXPECT_EQ(graph.bundle_of(links.back()).to, bundle.to);
          EXPECT_EQ(graph.bundle_of(links.back()).from, at);
        }
        if (bundle.kind != 2) continue;
        ++global;
        ++between_groups[{graph.group_of(at), graph.group_of(bundle.to)}];
      }
      // Dealt out in turn: no switch has two more than another.
      EXPECT_LE(global, shape.global_ports());
      EXPECT_GE(global + 1, shape.global_ports());
    }
    for (const auto& [ends, balance] : between_switches) EXPECT_EQ(balance, 0);
    EXPECT_EQ(between_groups.size(), shape.groups * (shape.groups - 1));
    for (const auto& [ends, cables] : between_groups) EXPECT_EQ(cables, shape.global_cables);
    // Every number is used once.
    std::sort(links.begin(), links.end());
    std::vector<std::uint32_t> numbers(graph.link_count());
    std::iota(numbers.begin(), numbers.end(), 0U);
    EXPECT_EQ(links, numbers);
  }
}

TEST(Dragonfly, NoMinimalWayHasMoreThanLocalGlobalLocal) {
  // Diameter 3 (Kim et al., ISCA 2008): at most 4 switches. Within a group one hop.
  const auto fabric =
      written_fabric(dragonfly(4, "servers_per_switch = 2\nglobal_ports = 2\n"), 72);
  int most = 0;
  for (std::uint32_t from = 0; from < 72; ++from) {
    for (std::uint32_t to = 0; to < 72; ++to) {
      if (from == to) continue;
      expect_sound_route(*fabric, {from, to, 0});
      most = std::max(most, switches_of(*fabric, from, to));
      if (from / 8 == to / 8) {
        EXPECT_EQ(switches_of(*fabric, from, to), from / 2 == to / 2 ? 1 : 2);
      }
    }
  }
  EXPECT_EQ(most, 4);
}

TEST(Dragonfly, ABalancedOneCarriesUniformTraffic) {
  // a = 2p = 2h: 4 switches of 2 NICs and 2 global ports; 9 groups: one global cable between every
  // two (a h + 1 = 9). One unit from every NIC to every NIC: each global cable carries the 8 x 8
  // units between its groups. Local links: all 72 x 72 units cross (1 + 8/9) 3/4 on average over
  // 9 x 4 x 3 links: 68; which of them is loaded depends on where the gateways are.
  const auto fabric =
      written_fabric(dragonfly(4, "servers_per_switch = 2\nglobal_ports = 2\n"), 72);
  const std::vector<double> loads = uniform_loads(*fabric);
  double local = 0;
  for (std::uint32_t link = 144; link < fabric->link_count(); ++link) {
    if (fabric->link(link).tier == "global") {
      EXPECT_DOUBLE_EQ(loads[link], 64);
    } else {
      local += loads[link];
    }
  }
  EXPECT_DOUBLE_EQ(local, 68 * 9 * 12);
  // The tiers say the same, over the 72 units that a NIC sends: 68/72 and 64/72.
  const std::vector<FabricTier> tiers = fabric->tiers();
  ASSERT_EQ(tiers.size(), 3U);
  EXPECT_NEAR(tiers[1].oversubscription, 68.0 / 72, 1e-12);
  EXPECT_NEAR(tiers[2].oversubscription, 64.0 / 72, 1e-12);
  EXPECT_EQ(tiers[1].cables, 9 * 6);
  EXPECT_EQ(tiers[2].cables, 36);
}

TEST(Dragonfly, SlingshotAtItsLimits) {
  // Rosetta: 64 ports: 16 down, 31 local, 17 global; 32 switches a group: 512 NICs; 32 x 17 = 544
  // other groups. Two groups here: all 544 cables between them.
  const std::string text = "servers_per_switch = 16\nglobal_ports = 17\nradix = 64\n";
  const auto fabric = written_fabric(dragonfly(32, text), 1024);
  const std::vector<FabricTier> tiers = fabric->tiers();
  EXPECT_EQ(tiers[1].cables, 2 * 32 * 31 / 2);
  EXPECT_EQ(tiers[2].cables, 544);
  EXPECT_EQ(fabric->notes()[2], "ports of a switch: 16 for NICs, 31 local, 17 global");
  // 544 x 25 GB/s.
  EXPECT_EQ(fabric->bisection(), bandwidth_from_gbytes_per_second(544 * 25));
}

TEST(Dragonfly, TheTaperSaysHowManyGlobalCablesThereAre) {
  // 4 groups of 4 switches with 4 NICs: 16 NICs may send 16 cables' worth, half of that is 8 over 3
  // other groups: 2.67, so 3. Without a key the same without taper: 5.33, so 6.
  const auto half =
      written_fabric(dragonfly(4, "servers_per_switch = 4\nglobal_taper = 0.5\n"), 64);
  EXPECT_EQ(half->tiers()[2].cables, 6 * 3);
  EXPECT_EQ(half->notes()[1], "global_cables = 3 between two groups: global_taper = 0.5");
  const auto full = written_fabric(dragonfly(4, "servers_per_switch = 4\n"), 64);
  EXPECT_EQ(full->tiers()[2].cables, 6 * 6);
}

TEST(Dragonfly, BisectionIsTheCablesBetweenHalvesOfTheGroups) {
  // 6 groups: 3 x 3 pairs of 2 cables of 25 GB/s. One group of 4: 2 x 2 local cables.
  EXPECT_EQ(written_fabric(dragonfly(4, "global_cables = 2\n"), 24)->bisection(),
            bandwidth_from_gbytes_per_second(18 * 25));
  EXPECT_EQ(written_fabric(dragonfly(4), 4)->bisection(), bandwidth_from_gbytes_per_second(4 * 25));
}

TEST(Dragonfly, LatencyAddsUpWithTheLengthOfGlobalCables) {
  // Slingshot preset: 350 ns a cable; adapters 370 ns each; global cables of 100 m 500 ns more.
  const auto fabric =
      written_fabric(dragonfly(2, "global_cables = 1\nglobal_length = \"100 m\"\n"), 4);
  FabricRoute route;
  fabric->route({0, 1, 0}, route);
  EXPECT_EQ(route.latency, nanoseconds(740 + 2 * 350 + 350));
  // Groups 0 and 1 are joined by their switches 0.
  fabric->route({0, 2, 0}, route);
  EXPECT_EQ(route.latency, nanoseconds(740 + 2 * 350 + 850));
  fabric->route({1, 3, 0}, route);
  EXPECT_EQ(route.latency, nanoseconds(740 + 2 * 350 + 850 + 2 * 350));
  EXPECT_EQ(route.switches, 4);
}

TEST(Dragonfly, ValiantRelievesTheOneCableBetweenTwoGroups) {
  // Every NIC of group 0 sends to its counterpart in group 1: minimal ways all use one cable.
  const std::string text = "servers_per_switch = 2\nglobal_ports = 2\n";
  const auto busiest = [](const Fabric& fabric) {
    std::map<std::uint32_t, int> loads;
    FabricRoute route;
    for (std::uint32_t nic = 0; nic < 8; ++nic) {
      fabric.route({nic, 8 + nic, 0}, route);
      for (const FabricUse& use : route.uses) {
        if (fabric.link(use.link).tier == "global") ++loads[use.link];
      }
    }
    int most = 0;
    for (const auto& [link, load] : loads) most = std::max(most, load);
    return most;
  };
  EXPECT_EQ(busiest(*written_fabric(dragonfly(4, text), 72)), 8);
  const auto valiant = written_fabric(dragonfly(4, text + "routing = \"valiant\"\n"), 72);
  EXPECT_LE(busiest(*valiant), 4);
  for (std::uint32_t from = 0; from < 72; ++from) {
    for (std::uint32_t to = 0; to < 72; ++to) {
      if (from == to) continue;
      expect_sound_route(*valiant, {from, to, 0});
      // Local, global, local, global, local.
      EXPECT_LE(switches_of(*valiant, from, to), 6);
      if (from / 8 == to / 8) {
        EXPECT_LE(switches_of(*valiant, from, to), 2);
      }
    }
  }
}

TEST(Dragonfly, ADeadGlobalCableLeavesTheOthersAndThenOtherGroups) {
  const std::string fault = "[[fault]]\nfrom = \"group0.switch0\"\nto = \"group1.switch0\"\n";
  // Two cables between groups 0 and 1: numbers 0 and 1 of group 0; the other one is taken.
  const auto two = written_fabric(dragonfly(2, "global_cables = 2\n" + fault), 4);
  for (std::uint32_t channel = 0; channel < 8; ++channel) {
    EXPECT_EQ(way_of(*two, {0, 2, channel}),
              (Names{"server0.nic0 -> group0.switch0", "group0.switch0 -> group0.switch1",
                     "group0.switch1 -> group1.switch1", "group1.switch1 -> group1.switch0",
                     "group1.switch0 -> server2.nic0"}));
  }
  // One cable, three groups: by way of group 2. Group 0's cables: to group 1 at switch 0, to group
  // 2 at switch 1; group 1's: to 2 at switch 0, to 0 at switch 1.
  const auto around = written_fabric(
      dragonfly(
          2, "global_cables = 1\n[[fault]]\nfrom = \"group0.switch0\"\nto = \"group1.switch1\"\n"),
      6);
  const Names way = way_of(*around, {0, 2, 0});
  EXPECT_EQ(std::count_if(way.begin(), way.end(),
                          [](const std::string& name) {
                            return name.find("-> group2.") != std::string::npos &&
                                   name.starts_with("group0.");
                          }),
            1);
  // Two groups and their only cable: parted.
  const auto parted = written_fabric(
      dragonfly(
          2, "global_cables = 1\n[[fault]]\nfrom = \"group0.switch0\"\nto = \"group1.switch0\"\n"),
      4);
  EXPECT_FALSE(parted->joins(0, 2));
  EXPECT_TRUE(parted->joins(0, 1));
}

TEST(Dragonfly, ADeadSwitchCutsOnlyItsOwnServersOff) {
  for (const char* routing : {"minimal", "valiant"}) {
    const auto fabric =
        written_fabric(dragonfly(4, "global_ports = 2\nrouting = \"" + std::string(routing) +
                                        "\"\n[[fault]]\nswitch = \"group1.switch2\"\n"),
                       36);
    for (std::uint32_t from = 0; from < 36; ++from) {
      for (std::uint32_t to = 0; to < 36; ++to) {
        if (from == to) continue;
        EXPECT_EQ(fabric->joins(from, to), from != 6 && to != 6);
        if (from == 6 || to == 6) continue;
        for (const std::string& name : way_of(*fabric, {from, to, 0})) {
          EXPECT_EQ(name.find("group1.switch2"), std::string::npos);
        }
      }
    }
  }
}

TEST(Dragonfly, CutsAreSwitchesAndGroups) {
  const auto fabric = written_fabric(dragonfly(4, "global_ports = 2\n"), 36);
  const std::vector<FabricCut> cuts = fabric->cuts();
  ASSERT_EQ(cuts.size(), 36U + 9);
  // Three local and two global cables of 25 GB/s; a group has 8 global ones.
  EXPECT_EQ(cuts[5].label, "group1.switch1");
  EXPECT_EQ(cuts[5].out, bandwidth_from_gbytes_per_second(5 * 25));
  EXPECT_EQ(cuts[37].label, "group 1");
  EXPECT_EQ(cuts[37].ports, (std::vector<std::uint32_t>{4, 5, 6, 7}));
  EXPECT_EQ(cuts[37].in, bandwidth_from_gbytes_per_second(8 * 25));
  ASSERT_EQ(fabric->levels().size(), 1U);
  EXPECT_EQ(fabric->levels()[0].group[5], 1U);
}

TEST(Dragonfly, TheLastGroupMayBePartlyFilled) {
  const auto fabric = written_fabric(dragonfly(4, "global_cables = 1\n"), 10);
  EXPECT_EQ(fabric->attachment_count(), 12U);
  EXPECT_TRUE(fabric->joins(0, 9));
  EXPECT_EQ(fabric->drawing().nodes[1].label, "group0 .. 2, 4 switches each");
}

struct Refusal {
  std::string text;
  std::string message;  // the start of it
};

class DragonflyRefusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(DragonflyRefusals, NameThePlaceAndWhatWouldFit) {
  const std::string refusal = fabric_refusal(GetParam().text, 64, 2);
  EXPECT_EQ(refusal.substr(0, GetParam().message.size()), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, DragonflyRefusals,
    ::testing::Values(
        Refusal{dragonfly(4, "global_ports = 3\n"),
                "f.toml:5:16: error: a group has 4 x 3 = 12 global ports, too few for 15 other "
                "groups\nhint: at most 13 groups, or global_ports = 4"},
        Refusal{dragonfly(4, "radix = 8\nglobal_cables = 1\n"),
                "f.toml:5:9: error: a switch needs 9 ports: 2 for NICs and 7 for other switches"},
        Refusal{dragonfly(4, "groups = 15\n"),
                "f.toml:5:10: error: 15 groups of 4 switches with 1 servers each hold 60 servers, "
                "fewer than there are\nhint: groups = 16"},
        Refusal{dragonfly(4, "groups = 1000000\n"),
                "f.toml:5:10: error: 1000000 groups of 4 switches are too many"},
        Refusal{dragonfly(1'000'000'000), "f.toml:4:22: error: "},
        Refusal{dragonfly(1'000'000), "f.toml:4:22: error: "},
        Refusal{dragonfly(4, "global_ports = 5\nglobal_taper = 0.5\n"),
                "f.toml:6:16: error: global_ports already says how many global cables there are"},
        Refusal{dragonfly(64, "groups = 1\nglobal_ports = 5\n"),
                "f.toml:6:16: error: a single group has no global cables"},
        Refusal{dragonfly(4, "global_taper = 0\n"), "f.toml:5:16: error: "},
        Refusal{
            dragonfly(4, "routing = \"adaptive\"\n"),
            "f.toml:5:11: error: routing 'adaptive' does not work here: a dragonfly takes "
            "minimal ways or detours; choosing between them by load (UGAL) needs queue lengths, "
            "which flows do not have\nhint: one of: minimal, valiant"},
        Refusal{"[fabric]\nkind = \"dragonfly\"\nlink = \"nvlink4\"\nswitches_per_group = 4\n",
                "f.toml:3:8: error: a fabric is made of network links"},
        Refusal{dragonfly(4, "[[fault]]\nswitch = \"switch3\"\n"),
                "f.toml:6:10: error: the fabric has no 'switch3'\nhint: switches are called "
                "group0.switch0 to group15.switch3, NICs such as server0.nic0"}));

}  // namespace
}  // namespace ringspan

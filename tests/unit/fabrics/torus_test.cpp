// kind = "torus": closed forms, routes, faults, refusals.

#include <algorithm>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "sim/base/input_error.h"
#include "tests/unit/fabrics/written_fabric.h"

namespace ringspan {
namespace {

using testing::expect_sound_route;
using testing::fabric_refusal;
using testing::uniform_loads;
using testing::way_of;
using testing::written_fabric;
using Names = std::vector<std::string>;

std::string torus(const std::string& dimensions, const std::string& more = "") {
  return "[fabric]\nkind = \"torus\"\nlink = \"ib-ndr\"\ndimensions = " + dimensions + "\n" + more;
}

const FabricTier& tier(const std::vector<FabricTier>& tiers, const std::string& name) {
  return *std::find_if(tiers.begin(), tiers.end(),
                       [&](const FabricTier& tier) { return tier.name == name; });
}

double sum_of(const std::vector<double>& loads) {
  return std::accumulate(loads.begin(), loads.end(), 0.0);
}

TEST(Torus, DimensionOrderGoesAlongOneDimensionAfterTheOther) {
  const auto fabric = written_fabric(torus("[4, 4]"), 16);
  // Switch 1 is (1, 0), switch 7 is (3, 1): two up in dimension 0 by way of (2, 0), since 1 is odd
  // two down by way of (0, 0); then one up in dimension 1.
  EXPECT_EQ(way_of(*fabric, {1, 7, 0}),
            (Names{"server1.nic0 -> switch1", "switch1 -> switch0", "switch0 -> switch3",
                   "switch3 -> switch7", "switch7 -> server7.nic0"}));
  EXPECT_EQ(way_of(*fabric, {0, 6, 0}),
            (Names{"server0.nic0 -> switch0", "switch0 -> switch1", "switch1 -> switch2",
                   "switch2 -> switch6", "switch6 -> server6.nic0"}));
}

TEST(Torus, EveryPairIsJoinedBySoundRoutesWhateverTheRouting) {
  for (const char* routing : {"dimension-order", "minimal", "valiant"}) {
    for (const char* sizes : {"[24]", "[4, 6]", "[2, 3, 4]", "[2, 2, 2, 3, 1]"}) {
      const auto fabric = written_fabric(
          torus(sizes, "cables = 2\nrouting = \"" + std::string(routing) + "\"\n"), 24, 2);
      for (std::uint32_t from = 0; from < 48; ++from) {
        for (std::uint32_t to = 0; to < 48; ++to) {
          if (from != to) expect_sound_route(*fabric, {from, to, from % 3});
        }
      }
    }
  }
}

TEST(Torus, LatencyIsAdaptersPortsAndHops) {
  // 2 x 370 of the adapters + 2 x 230 of the ports; each hop 230. Of dimension 1, 100 m: + 500.
  const auto fabric = written_fabric(
      torus("[4, 4]", "[[fabric.dimension]]\n[[fabric.dimension]]\nlength = \"100 m\"\n"), 16);
  FabricRoute route;
  fabric->route({0, 1, 0}, route);
  EXPECT_EQ(route.latency, nanoseconds(1'200 + 230));
  EXPECT_EQ(route.switches, 2);
  fabric->route({0, 9, 0}, route);  // (1, 2): one hop in dimension 0, two in dimension 1
  EXPECT_EQ(route.latency, nanoseconds(1'200 + 230 + 2 * 730));
  EXPECT_EQ(route.switches, 4);
}

TEST(Torus, TwoNicsOfOneSwitchMeetThere) {
  const auto fabric = written_fabric(torus("[4, 2]", "servers_per_switch = 2\n"), 16, 2);
  FabricRoute route;
  fabric->route({0, 3, 0}, route);  // server 0, NIC 0; server 1, NIC 1
  EXPECT_EQ(route.switches, 1);
  EXPECT_EQ(route.latency, nanoseconds(1'200));
  EXPECT_EQ(fabric->attachment(3), 0U);
  EXPECT_EQ(fabric->attachment(4), 1U);
  EXPECT_EQ(fabric->attachment_count(), 8U);
  EXPECT_EQ(fabric->attachment_name(7), "switch7");
}

TEST(Torus, UniformTrafficLoadsEveryLinkOfARingByAnEighth) {
  // A ring of k switches, one unit from each to each: the k/2 - 1 shorter distances d load every
  // link of one direction by d, and half of the flows at k/2 by k/2 / 2: k^2 / 8 in all, an eighth
  // of k of what a switch sends (k units, its own included). Ties by parity keep it even where k/2
  // is even: k = 8, 16.
  for (const int k : {8, 16}) {
    const auto fabric = written_fabric(torus("[" + std::to_string(k) + "]"), k);
    const std::vector<double> loads = uniform_loads(*fabric);
    for (std::uint32_t link = 2 * static_cast<std::uint32_t>(k); link < fabric->link_count();
         ++link) {
      EXPECT_DOUBLE_EQ(loads[link], k * k / 8.0) << fabric->link(link).name;
    }
  }
}

TEST(Torus, UniformTrafficCrossesMeanHopsLinks) {
  // 6 x 5 x 2: 1.5 + 1.2 + 0.5 hops between switches on average over 60 x 60 pairs, and two port
  // links for each of the 60 x 59 pairs of ports. A dimension carries what the tier says: bytes
  // times hops over its cables: 60 x 60 x 1.5 / (2 x 60) = 45 units on each link of dimension 0
  // for 60 that a port sends: 0.75 : 1.
  const auto fabric = written_fabric(torus("[6, 5, 2]"), 60);
  EXPECT_DOUBLE_EQ(sum_of(uniform_loads(*fabric)), 60 * 60 * 3.2 + 2 * 60 * 59);
  const std::vector<FabricTier> tiers = fabric->tiers();
  EXPECT_DOUBLE_EQ(tier(tiers, "dimension 0").oversubscription, 0.75);
  EXPECT_DOUBLE_EQ(tier(tiers, "dimension 1").oversubscription, 0.6);
  EXPECT_DOUBLE_EQ(tier(tiers, "dimension 2").oversubscription, 0.5);
  EXPECT_EQ(tier(tiers, "dimension 2").cables, 30);
  EXPECT_EQ(tier(tiers, "dimension 0").cables, 60);
}

TEST(Torus, ValiantTakesTwiceTheHopsOfUniformTraffic) {
  // Two ways of mean_hops each: 8 x 8: 2 x 4 = 8; less where the place drawn is an end: 2 in 64.
  const auto fabric = written_fabric(torus("[8, 8]", "routing = \"valiant\"\n"), 64);
  const double hops = (sum_of(uniform_loads(*fabric)) - 2 * 64 * 63) / (64 * 64);
  EXPECT_NEAR(hops, 8, 0.4);
}

TEST(Torus, MinimalUsesBothOrdersAndNeverMoreHops) {
  const auto ordered = written_fabric(torus("[8, 8]"), 64);
  const auto minimal = written_fabric(torus("[8, 8]", "routing = \"minimal\"\n"), 64);
  EXPECT_DOUBLE_EQ(sum_of(uniform_loads(*minimal)), sum_of(uniform_loads(*ordered)));
  Names firsts;
  for (std::uint32_t channel = 0; channel < 16; ++channel) {
    firsts.push_back(way_of(*minimal, {0, 18, channel}).at(1));
  }
  EXPECT_NE(std::find(firsts.begin(), firsts.end(), "switch0 -> switch1"), firsts.end());
  EXPECT_NE(std::find(firsts.begin(), firsts.end(), "switch0 -> switch8"), firsts.end());
}

TEST(Torus, BisectionIsTwiceTheSwitchesOverTheLongestSize) {
  // 2 N / k cables of 50 GB/s cross the middle of the longest dimension: 8 x 4 x 4: 2 x 16 = 32.
  EXPECT_EQ(written_fabric(torus("[8, 4, 4]"), 128)->bisection(),
            bandwidth_from_gbytes_per_second(32 * 50));
  // A size of 2 has no way round: 2 x 2: 2 cables. Three cables in the place of one: thrice.
  EXPECT_EQ(written_fabric(torus("[2, 2]"), 4)->bisection(),
            bandwidth_from_gbytes_per_second(2 * 50));
  EXPECT_EQ(written_fabric(torus("[8, 4, 4]", "cables = 3\n"), 128)->bisection(),
            bandwidth_from_gbytes_per_second(96 * 50));
}

TEST(Torus, ATwistWidensTheMiddleOfTheLongSide) {
  // 8 x 4, dimension 1 twisted by 4 along dimension 0. Middle of dimension 0: its own 2 x 4 cables
  // and all 8 cables that close dimension 1, each from one half to the other: 16 each way. Middle
  // of dimension 1: 2 x 8 = 16. Plain: min(8, 16) = 8.
  const std::string twist =
      "[[fabric.dimension]]\n[[fabric.dimension]]\ntwist = 4\ntwist_dimension = 0\n";
  const auto twisted = written_fabric(torus("[8, 4]", twist), 32);
  EXPECT_EQ(twisted->bisection(), bandwidth_from_gbytes_per_second(16 * 50));
  EXPECT_EQ(written_fabric(torus("[8, 4]"), 32)->bisection(),
            bandwidth_from_gbytes_per_second(8 * 50));
  // Switch 24 is (0, 3): one further is (4, 0), switch 4.
  EXPECT_EQ(way_of(*twisted, {24, 4, 0}).at(1), "switch24 -> switch4");
  for (std::uint32_t to = 1; to < 32; ++to) expect_sound_route(*twisted, {0, to, 0});
  // 2.625 hops on average (TorusShape's test), instead of 3.
  EXPECT_DOUBLE_EQ(sum_of(uniform_loads(*twisted)), 32 * 32 * 2.625 + 2 * 32 * 31);
}

TEST(Torus, ParallelCablesAreSharedByDestination) {
  const auto fabric = written_fabric(torus("[4]", "cables = 2\n"), 4, 2);
  EXPECT_EQ(way_of(*fabric, {0, 2, 0}).at(1), "switch0 -> switch1, cable 0");
  EXPECT_EQ(way_of(*fabric, {0, 3, 0}).at(1), "switch0 -> switch1, cable 1");
}

TEST(Torus, EveryLinkHasItsOwnNameAndTier) {
  const auto fabric = written_fabric(torus("[3, 1, 2]", "cables = 2\n"), 6, 2);
  Names names;
  for (std::uint32_t link = 0; link < fabric->link_count(); ++link) {
    const FabricLink entry = fabric->link(link);
    names.push_back(entry.name);
    EXPECT_EQ(entry.payload(), fabric->payload(link));
    EXPECT_EQ(fabric->preset(link), "ib-ndr");
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  // 12 NICs with two links; 6 switches with 2 x 2 in dimension 0 and 1 x 2 in dimension 2.
  EXPECT_EQ(fabric->link_count(), 24U + 6 * 6);
}

TEST(Torus, ADeadCableIsGoneRound) {
  const std::string fault = "[[fault]]\nfrom = \"switch1\"\nto = \"switch2\"\n";
  // In a ring of 5 the way from 1 to 2 is 4 hops the other way; from 0 to 2 three.
  const auto ring = written_fabric(torus("[5]", fault), 5);
  EXPECT_EQ(way_of(*ring, {1, 2, 0}).size(), 2U + 4);
  EXPECT_EQ(way_of(*ring, {0, 2, 0}),
            (Names{"server0.nic0 -> switch0", "switch0 -> switch4", "switch4 -> switch3",
                   "switch3 -> switch2", "switch2 -> server2.nic0"}));
  EXPECT_EQ(way_of(*ring, {0, 1, 0}).size(), 2U + 1);
  // In two dimensions three hops, by way of the other dimension.
  const auto grid = written_fabric(torus("[4, 4]", fault), 16);
  EXPECT_EQ(way_of(*grid, {1, 2, 0}).size(), 2U + 3);
  // Nothing goes over what is dead.
  for (std::uint32_t from = 0; from < 16; ++from) {
    for (std::uint32_t to = 0; to < 16; ++to) {
      if (from == to) continue;
      for (const std::string& name : way_of(*grid, {from, to, 0})) {
        EXPECT_NE(name, "switch1 -> switch2");
        EXPECT_NE(name, "switch2 -> switch1");
      }
    }
  }
}

TEST(Torus, OneOfTwoCablesDeadLeavesTheOther) {
  const auto fabric = written_fabric(
      torus("[4]", "cables = 2\n[[fault]]\nfrom = \"switch0\"\nto = \"switch1\"\ncables = 1\n"), 4,
      2);
  EXPECT_EQ(way_of(*fabric, {0, 2, 0}).at(1), "switch0 -> switch1, cable 1");
  EXPECT_EQ(way_of(*fabric, {0, 3, 0}).at(1), "switch0 -> switch1, cable 1");
  EXPECT_EQ(fabric->tiers().at(1).cables, 7);
}

TEST(Torus, ADegradedCableKeepsItsShareOfTheRate) {
  const auto fabric =
      written_fabric(torus("[4]",
                           "[[fault]]\nfrom = \"switch0\"\nto = \"switch1\"\nrate = 0.5\n"
                           "[[fault]]\nfrom = \"server2.nic0\"\nto = \"switch2\"\nrate = 0.25\n"),
                     4);
  FabricRoute route;
  fabric->route({0, 1, 0}, route);
  EXPECT_EQ(fabric->link(route.uses[1].link).nominal, bandwidth_from_gbytes_per_second(25));
  fabric->route({1, 0, 0}, route);
  EXPECT_EQ(fabric->link(route.uses[1].link).nominal, bandwidth_from_gbytes_per_second(25));
  fabric->route({2, 1, 0}, route);
  EXPECT_EQ(fabric->link(route.uses[0].link).nominal, bandwidth_from_gbytes_per_second(12.5));
}

TEST(Torus, ADeadSwitchCutsItsOwnServersOffAndNobodyElse) {
  for (const char* routing : {"dimension-order", "minimal", "valiant"}) {
    const auto fabric = written_fabric(torus("[4, 4]", "routing = \"" + std::string(routing) +
                                                           "\"\n[[fault]]\nswitch = \"switch5\"\n"),
                                       16);
    for (std::uint32_t from = 0; from < 16; ++from) {
      for (std::uint32_t to = 0; to < 16; ++to) {
        if (from == to) continue;
        EXPECT_EQ(fabric->joins(from, to), from != 5 && to != 5);
        if (from != 5 && to != 5) expect_sound_route(*fabric, {from, to, 0});
      }
    }
    FabricRoute route;
    try {
      fabric->route({0, 5, 0}, route);
      FAIL() << "joined";
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(),
                   "f.toml:6:1: error: server5.nic0 is cut off: it hangs on switch5, which is "
                   "dead\n"
                   "hint: take the fault away, or leave the server out");
    }
  }
}

TEST(Torus, TwoDeadCablesOfARingPartIt) {
  const auto fabric = written_fabric(torus("[6]",
                                           "[[fault]]\nfrom = \"switch0\"\nto = \"switch1\"\n"
                                           "[[fault]]\nfrom = \"switch4\"\nto = \"switch3\"\n"),
                                     6);
  EXPECT_TRUE(fabric->joins(0, 4));
  EXPECT_TRUE(fabric->joins(1, 3));
  FabricRoute route;
  try {
    fabric->route({0, 1, 0}, route);
    FAIL() << "joined";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "f.toml:5:1: error: no cables lead from switch0 to switch1 over what is alive\n"
                 "hint: take a fault away");
  }
}

TEST(Torus, CutsAreSwitchesAndHalves) {
  const auto fabric = written_fabric(torus("[4, 2]", "servers_per_switch = 2\n"), 16);
  const std::vector<FabricCut> cuts = fabric->cuts();
  ASSERT_EQ(cuts.size(), 8U + 4);
  // A switch has two neighbours in dimension 0 and one in dimension 1.
  EXPECT_EQ(cuts[3].label, "switch3");
  EXPECT_EQ(cuts[3].ports, (std::vector<std::uint32_t>{6, 7}));
  EXPECT_EQ(cuts[3].out, bandwidth_from_gbytes_per_second(150));
  EXPECT_EQ(cuts[3].in, bandwidth_from_gbytes_per_second(150));
  // Half of dimension 0: columns 0 and 1 of both rows, two cables a row to either side.
  EXPECT_EQ(cuts[8].label, "lower half of dimension 0");
  EXPECT_EQ(cuts[8].ports, (std::vector<std::uint32_t>{0, 1, 2, 3, 8, 9, 10, 11}));
  EXPECT_EQ(cuts[8].out, bandwidth_from_gbytes_per_second(4 * 50));
  EXPECT_EQ(cuts[10].out, bandwidth_from_gbytes_per_second(4 * 50));
}

TEST(Torus, DrawnAsOneNodePerLevelAndDimension) {
  const FabricDrawing drawing = written_fabric(torus("[8, 8, 4]"), 256)->drawing();
  ASSERT_EQ(drawing.nodes.size(), 5U);
  EXPECT_EQ(drawing.nodes[1].label, "switch0 .. 255, torus 8 x 8 x 4");
  EXPECT_EQ(drawing.nodes[4].label, "dimension 2: 64 rings of 4");
  EXPECT_EQ(drawing.edges[3].label, "256 x ib-ndr, 12.8 TB/s each way");
}

struct Refusal {
  std::string text;
  std::string message;  // the start of it
};

class TorusRefusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(TorusRefusals, NameThePlaceAndWhatWouldFit) {
  const std::string refusal = fabric_refusal(GetParam().text, 64, 8);
  EXPECT_EQ(refusal.substr(0, GetParam().message.size()), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, TorusRefusals,
    ::testing::Values(
        Refusal{torus("[8, 9]"),
                "f.toml:4:14: error: 8 x 9 makes 72 switches; the servers need 64\n"
                "hint: dimensions = [8, 8] fits, or another servers_per_switch"},
        Refusal{
            torus("[1000000, 1000000, 1000000]"),
            "f.toml:4:14: error: 1000000 x 1000000 x 1000000 makes 1000000000000000000 switches; "
            "the servers need 64\nhint: dimensions = [4, 4, 4] fits"},
        Refusal{torus("[1000000000]"),
                "f.toml:4:14: error: 1000000000 is no size of a dimension\n"
                "hint: whole numbers from 1 to 64, such as dimensions = [64]"},
        // Without sizes: three, as equal as they can be.
        Refusal{"[fabric]\nkind = \"torus\"\nlink = \"ib-ndr\"\n",
                "f.toml:1:1: error: missing key 'dimensions' in [fabric]\n"
                "hint: add dimensions = [4, 4, 4]"},
        Refusal{torus("64"),
                "f.toml:4:14: error: 'dimensions' in [fabric] must be a list, got a whole number\n"
                "hint: write dimensions = [4, 4, 4]"},
        Refusal{torus("[1000000, 1000000]"),
                "f.toml:4:14: error: 1000000 x 1000000 makes 1000000000000 switches; the servers "
                "need 64\nhint: dimensions = [8, 8] fits, or another servers_per_switch"},
        Refusal{torus("[8, 8.5]"), "f.toml:4:14: error: 8.5 is no size of a dimension"},
        Refusal{torus("[0, 8]"), "f.toml:4:14: error: 0 is no size of a dimension"},
        Refusal{torus("[]"), "f.toml:4:14: error: a torus of 0 dimensions"},
        Refusal{torus("[2, 2, 2, 2, 2, 2, 1]"), "f.toml:4:14: error: a torus of 7 dimensions"},
        Refusal{torus("[8, 8]", "radix = 11\n"),
                "f.toml:5:9: error: a switch needs 12 ports: 8 for NICs and 4 for other switches\n"
                "hint: radix = 12, fewer servers_per_switch, or fewer cables"},
        Refusal{torus("[8, 8]", "routing = \"spray\"\n"),
                "f.toml:5:11: error: routing 'spray' does not work here"},
        Refusal{torus("[8, 8]", "cables = 0\n"), "f.toml:5:10: error: "},
        Refusal{torus("[8, 8]", "diameter = 3\n"), "f.toml:5:1: error: unknown key"},
        Refusal{torus("[8, 8]", "[[fabric.dimension]]\n"),
                "f.toml:5:1: error: there are 1 [[fabric.dimension]] tables for 2 dimensions"},
        Refusal{
            torus("[8, 8]",
                  "[[fabric.dimension]]\ntwist = 1\ntwist_dimension = 0\n[[fabric.dimension]]\n"),
            "f.toml:7:19: error: a dimension cannot be twisted along itself"},
        Refusal{torus("[8, 8]",
                      "[[fabric.dimension]]\ntwist = 8\ntwist_dimension = 1\n"
                      "[[fabric.dimension]]\n"),
                "f.toml:6:9: error: "},
        Refusal{torus("[8, 8]",
                      "[[fabric.dimension]]\ntwist = 1\ntwist_dimension = 1\n"
                      "[[fabric.dimension]]\ntwist = 1\ntwist_dimension = 0\n"),
                "f.toml:10:19: error: dimensions 1 and 0 twist each other in a chain"},
        Refusal{torus("[8, 8]", "[[fault]]\nswitch = \"switch64\"\n"),
                "f.toml:6:10: error: the fabric has no 'switch64'\n"
                "hint: switches are called switch0 to switch63, NICs such as server0.nic0"},
        Refusal{torus("[8, 8]", "[[fault]]\nfrom = \"switch0\"\nto = \"switch2\"\n"),
                "f.toml:7:6: error: no cable joins switch0 and switch2\n"
                "hint: cables lead from switch0 to switch1, switch7, switch8, switch56"},
        Refusal{torus("[8, 8]", "[[fault]]\nfrom = \"switch0\"\nto = \"switch1\"\ncables = 2\n"),
                "f.toml:8:10: error: switch0 and switch1 are joined by 1 cable\nhint: at most 1"},
        Refusal{torus("[8, 8]", "[[fault]]\nfrom = \"server3.nic0\"\nto = \"switch4\"\n"),
                "f.toml:7:6: error: no cable joins server3.nic0 and switch4\n"
                "hint: server3.nic0 hangs on switch3"},
        Refusal{torus("[8, 8]", "[[fault]]\nfrom = \"server3.nic8\"\nto = \"switch3\"\n"),
                "f.toml:6:8: error: the fabric has no 'server3.nic8'"}));

}  // namespace
}  // namespace ringspan

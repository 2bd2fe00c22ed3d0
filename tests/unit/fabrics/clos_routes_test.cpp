// Routes of Clos fabrics: what they cross, where they fork, what they share.

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/input_error.h"
#include "tests/unit/fabrics/clos_fixture.h"

namespace ringspan {
namespace {

using testing::clos;
using testing::ClosCase;
using ::testing::ElementsAre;
using testing::expect_sound;
using ::testing::HasSubstr;
using testing::link_names;
using testing::loads_of_all_pairs;
using testing::shape_of;

constexpr Bandwidth kNdr{400'000'000'000};

ClosCase leaf_spine(int servers, std::string keys) {
  return {.kind = "leaf-spine", .servers = servers, .keys = std::move(keys)};
}

FabricRoute route_of(const Fabric& fabric, std::uint32_t from, std::uint32_t to,
                     std::uint32_t channel = 0) {
  FabricRoute route;
  fabric.route({from, to, channel}, route);
  return route;
}

// Every kind, one and several NICs, planes, both ways of counting links, faults of every sort.
std::vector<ClosCase> many_shapes() {
  std::vector<ClosCase> shapes;
  for (const std::string routing : {"ecmp", "static", "spray", "adaptive"}) {
    const std::string by = "routing = \"" + routing + "\"\n";
    shapes.push_back({.kind = "single-switch", .servers = 5, .nics = 2, .keys = by});
    for (const char* keys :
         {"servers_per_leaf = 2\nspines = 2\n",
          "servers_per_leaf = 3\noversubscription = \"3:1\"\n",
          "servers_per_leaf = 2\nspines = 2\ncables_per_spine = 3\n",
          "servers_per_leaf = 2\nplanes = 2\n",
          "servers_per_leaf = 2\nspines = 4\n[[fault]]\nswitch = \"spine1\"\n",
          "servers_per_leaf = 2\nspines = 2\ncables_per_spine = 2\n[[fault]]\nfrom = \"leaf0\"\nto "
          "= "
          "\"spine1\"\ncables = 1\n[[fault]]\nfrom = \"spine0\"\nto = \"leaf1\"\nrate = 0.5\n",
          "servers_per_leaf = 2\nplanes = 2\n[[fault]]\nswitch = \"plane1.leaf0\"\n"}) {
      for (const int nics : {1, 4}) {
        // Two planes are two NICs' worth of spines, which every number of NICs fills.
        const std::string text = keys;
        if (nics == 1 && text.find("spines = 4") != std::string::npos) continue;
        shapes.push_back({.servers = 7, .nics = nics, .keys = by + text});
      }
    }
    const std::string three = by + "tiers = 3\nservers_per_leaf = 2\nservers_per_pod = 4\n";
    for (const char* keys :
         {"", "spines = 2\n", "cores = 4\n", "oversubscription = [\"1:1\", \"2:1\"]\n",
          "spines = 2\ncores = 4\n[[fault]]\nswitch = \"core0\"\n",
          "spines = 2\n[[fault]]\nswitch = \"spine1\"\n", "planes = 2\n"}) {
      shapes.push_back({.kind = "fat-tree", .servers = 11, .nics = 4, .keys = three + keys});
      shapes.push_back({.kind = "rail-optimized", .servers = 11, .nics = 2, .keys = three + keys});
    }
    shapes.push_back({.kind = "fat-tree",
                      .servers = 14,
                      .nics = 2,
                      .keys = by + "tiers = 3\nservers_per_leaf = 2\n",
                      .pods = {8, 4, 2}});
    shapes.push_back({.kind = "rail-optimized",
                      .servers = 6,
                      .nics = 4,
                      .keys = by + "tiers = 3\nspine_group = \"rail\"\nservers_per_leaf = 2\n"});
  }
  return shapes;
}

TEST(ClosRoutes, AreSoundBetweenAllPortsOfManyShapes) {
  for (const ClosCase& written : many_shapes()) {
    SCOPED_TRACE(written.kind + "\n" + written.keys);
    const auto fabric = clos(written);
    const auto ports = static_cast<std::uint32_t>(fabric->ports().size());
    for (std::uint32_t from = 0; from < ports; ++from) {
      for (std::uint32_t to = 0; to < ports; ++to) {
        if (from == to) continue;
        ASSERT_TRUE(fabric->joins(from, to));
        const FlowKey flow{from, to, from % 3};
        expect_sound(*fabric, flow, route_of(*fabric, from, to, from % 3));
        FabricRoute even;
        fabric->even_route(flow, even);
        expect_sound(*fabric, flow, even);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

// A single way is never split, and a flow's way does not change.
TEST(ClosRoutes, OneWayIsOneWayAndAlwaysTheSame) {
  for (const char* routing : {"ecmp", "static"}) {
    const auto fabric =
        clos({.kind = "fat-tree",
              .servers = 16,
              .nics = 2,
              .keys = std::string("tiers = 3\nservers_per_leaf = 2\nservers_per_pod = 4\nrouting = "
                                  "\"") +
                      routing + "\"\n"});
    for (std::uint32_t to = 1; to < 32; ++to) {
      const FabricRoute first = route_of(*fabric, 0, to), again = route_of(*fabric, 0, to);
      ASSERT_EQ(first.uses.size(), again.uses.size());
      for (std::size_t i = 0; i < first.uses.size(); ++i) {
        EXPECT_EQ(first.uses[i].share, 1);
        EXPECT_EQ(first.uses[i].stage, i);
        EXPECT_EQ(first.uses[i].link, again.uses[i].link);
      }
    }
  }
}

TEST(ClosRoutes, ClimbNoFurtherThanTheyMust) {
  const auto fabric = clos({.kind = "fat-tree",
                            .servers = 8,
                            .keys = "tiers = 3\nservers_per_leaf = 2\nservers_per_pod = 4\n"});
  EXPECT_THAT(link_names(*fabric, {0, 1, 0}),
              ElementsAre("server0.nic0 -> leaf0", "leaf0 -> server1.nic0"));
  EXPECT_THAT(link_names(*fabric, {0, 2, 0}),
              ElementsAre("server0.nic0 -> leaf0", "leaf0 -> spines (2 x ib-ndr)",
                          "spines -> leaf1 (2 x ib-ndr)", "leaf1 -> server2.nic0"));
  EXPECT_THAT(
      link_names(*fabric, {0, 6, 0}),
      ElementsAre("server0.nic0 -> leaf0", "leaf0 -> spines (2 x ib-ndr)",
                  "spines of pod 0 -> cores (4 x ib-ndr)", "cores -> spines of pod 1 (4 x ib-ndr)",
                  "spines -> leaf3 (2 x ib-ndr)", "leaf3 -> server6.nic0"));
}

// 2 x (370 + 230) ns on one leaf, 2 x 230 ns more per tier; 30 m are 150 ns a crossing.
TEST(ClosRoutes, LatencyAddsUpAlongTheWay) {
  const std::string three = "tiers = 3\nservers_per_leaf = 2\nservers_per_pod = 4\n";
  const auto fabric = clos({.kind = "fat-tree", .servers = 8, .keys = three});
  EXPECT_EQ(route_of(*fabric, 0, 1).latency, nanoseconds(1'200));
  EXPECT_EQ(route_of(*fabric, 0, 2).latency, nanoseconds(1'660));
  EXPECT_EQ(route_of(*fabric, 0, 6).latency, nanoseconds(2'120));
  EXPECT_EQ(route_of(*fabric, 0, 6).switches, 5);
  const auto longer =
      clos({.kind = "fat-tree",
            .servers = 8,
            .keys = three + "nic_latency = \"100 ns\"\nport_cable = \"2 m\"\n"
                            "leaf_spine_cable = \"30 m\"\nspine_core_cable = \"0.1 km\"\n"});
  // 2 x (100 + 230 + 10) + 2 x (230 + 150) + 2 x (230 + 500).
  EXPECT_EQ(route_of(*longer, 0, 6).latency, nanoseconds(680 + 760 + 1'460));
}

// 32 hosts a leaf, 8 spines: destination d goes by spine d modulo 8, so that every downlink serves
// 4 hosts. This is what ringspan_peer_bench runs as destination-modulo.
TEST(ClosRoutes, StaticSpreadsTheDestinationsOfALeafEvenly) {
  const auto fabric = clos(leaf_spine(
      128,
      "servers_per_leaf = 32\nspines = 8\noversubscription = \"4:1\"\nrouting = \"static\"\n"));
  for (std::uint32_t to = 32; to < 128; ++to) {
    const auto names = link_names(*fabric, {5, to, 0});
    const std::string spine = "spine" + std::to_string(to % 8);
    EXPECT_EQ(names[1], "leaf0 -> " + spine + ", cable 0");
    EXPECT_EQ(names[2], spine + " -> leaf" + std::to_string(to / 32) + ", cable 0");
  }
}

// Three tiers with as many ways at a spine as at a leaf: taking the same number modulo the same
// ways twice would leave all but one core of each spine idle. From one leaf to all of another pod
// every one of the 4 uplinks and, above them, 4 cores must carry the same.
TEST(ClosRoutes, StaticUsesAnotherDigitOfTheDestinationAtEveryTier) {
  const auto fabric =
      clos({.kind = "fat-tree",
            .servers = 32,
            .keys = "tiers = 3\nservers_per_leaf = 4\nservers_per_pod = 16\nspines = "
                    "4\ncores = 16\nrouting = \"static\"\n"});
  std::map<std::string, int> cables;
  for (std::uint32_t to = 16; to < 32; ++to) ++cables[link_names(*fabric, {0, to, 0})[2]];
  EXPECT_EQ(cables.size(), 16U);
  for (const auto& [name, flows] : cables) EXPECT_EQ(flows, 1) << name;
}

// Parallel cables to one spine: all flows meet there again, so at the spine the digit after that of
// the spine comes, not after that of the cable. 16 destinations of another pod, one spine with 16
// uplinks to one core: one flow each.
TEST(ClosRoutes, StaticUsesAllCablesAboveASpineWithParallelOnes) {
  const auto fabric =
      clos({.kind = "fat-tree",
            .servers = 32,
            .keys = "tiers = 3\nservers_per_leaf = 8\nservers_per_pod = 16\nspines = "
                    "1\ncores = 1\nrouting = \"static\"\n"});
  std::map<std::string, int> up, down;
  for (std::uint32_t to = 16; to < 32; ++to) {
    const auto names = link_names(*fabric, {0, to, 0});
    ++up[names[2]];
    ++down[names[3]];
  }
  for (const auto& cables : {up, down}) {
    EXPECT_EQ(cables.size(), 16U);
    for (const auto& [name, flows] : cables) EXPECT_EQ(flows, 1) << name;
  }
}

// Two tiers that hash alike would polarise: of the flows a spine gets, only those of one residue.
// With independent draws 4,096 flows over 4 x 4 = 16 ways are 256 a way with a deviation of
// sqrt(4096 x 1/16 x 15/16) = 15.5; all are within 5 of them.
TEST(ClosRoutes, EcmpDrawsAnewAtEveryTier) {
  const auto fabric =
      clos({.kind = "fat-tree",
            .servers = 32,
            .keys = "tiers = 3\nservers_per_leaf = 4\nservers_per_pod = 16\nspines = "
                    "4\ncores = 16\nrouting = \"ecmp\"\n"});
  std::map<std::uint32_t, int> flows;
  for (std::uint32_t from = 0; from < 4; ++from) {
    for (std::uint32_t to = 16; to < 32; ++to) {
      for (std::uint32_t channel = 0; channel < 64; ++channel) {
        ++flows[route_of(*fabric, from, to, channel).uses[2].link];
      }
    }
  }
  ASSERT_EQ(flows.size(), 16U);
  for (const auto& [link, count] : flows) EXPECT_NEAR(count, 256, 78) << link;
}

// Channels are connections of their own, a seed is another network.
TEST(ClosRoutes, EcmpTellsChannelsAndSeedsApart) {
  const std::string keys = "servers_per_leaf = 16\nrouting = \"ecmp\"\n";
  const auto fabric = clos(leaf_spine(32, keys));
  EXPECT_TRUE(fabric->choice().tells_channels_apart());
  std::set<std::uint32_t> ways;
  for (std::uint32_t channel = 0; channel < 32; ++channel) {
    ways.insert(route_of(*fabric, 0, 20, channel).uses[1].link);
  }
  EXPECT_GT(ways.size(), 8U);  // of 16; 32 draws miss each with probability (15/16)^32 = 0.13
  const auto other = clos(leaf_spine(32, keys + "seed = 7\n"));
  int moved = 0;
  for (std::uint32_t to = 16; to < 32; ++to) {
    moved += route_of(*fabric, 0, to).uses[1].link != route_of(*other, 0, to).uses[1].link ? 1 : 0;
  }
  EXPECT_GT(moved, 8);  // each stays with probability 1/16
}

// All flows even out: equal load on every cable of a tier, by even_route, whatever the hashes.
TEST(ClosRoutes, EvenRoutesLoadAlikeCablesAlike) {
  const auto fabric =
      clos({.kind = "fat-tree",
            .servers = 8,
            .nics = 2,
            .keys = "tiers = 3\nservers_per_leaf = 2\nservers_per_pod = 4\nrouting = "
                    "\"ecmp\"\n"});
  std::map<std::string, std::vector<double>> loads;
  std::map<std::uint32_t, double> by_link;
  for (std::uint32_t from = 0; from < 16; ++from) {
    for (std::uint32_t to = 0; to < 16; ++to) {
      if (from == to) continue;
      FabricRoute route;
      fabric->even_route({from, to, 0}, route);
      for (const FabricUse& use : route.uses) by_link[use.link] += static_cast<double>(use.share);
    }
  }
  for (const auto& [link, load] : by_link) loads[fabric->link(link).tier].push_back(load);
  // A leaf of 4 ports sends 4 x 12 to other leaves over 4 cables; a pod 8 x 8 over 8.
  for (const double load : loads["leaf-spine"]) EXPECT_NEAR(load, 12, 1e-4);
  for (const double load : loads["spine-core"]) EXPECT_NEAR(load, 8, 1e-4);
  EXPECT_EQ(loads["leaf-spine"].size(), 2U * 4 * 4);
  EXPECT_EQ(loads["spine-core"].size(), 2U * 2 * 8);
}

TEST(ClosRoutes, OfARailOnlyFabricStayOnTheirRail) {
  const auto fabric = clos(
      {.kind = "rail-only", .servers = 8, .nics = 4, .keys = "servers_per_leaf = 4\ntiers = 2\n"});
  EXPECT_TRUE(fabric->joins(1, 5 * 4 + 1));
  EXPECT_FALSE(fabric->joins(1, 5 * 4 + 2));
  try {
    route_of(*fabric, 1, 22);
    FAIL() << "rails are apart";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "f.toml:1:1: error: a rail-only fabric does not join rail 1 and rail 2\n"
                 "hint: leave PXN on: data then changes rails over NVLink, inside a server");
  }
}

// NIC r of every server of a group hangs on the group's leaf r: one switch between them.
TEST(ClosRoutes, OfARailAreOneSwitchLong) {
  const auto fabric =
      clos({.kind = "rail-optimized", .servers = 64, .nics = 8, .keys = "radix = 64\n"});
  EXPECT_EQ(route_of(*fabric, 3, 31 * 8 + 3).switches, 1);
  EXPECT_EQ(route_of(*fabric, 3, 31 * 8 + 4).switches, 3);
  EXPECT_EQ(route_of(*fabric, 3, 32 * 8 + 3).switches, 3);
}

// Two planes halve a NIC's rate in each; a spread flow uses both, a hashed one takes one.
TEST(ClosRoutes, OverTwoPlanesUseBothOrOne) {
  const std::string keys = "servers_per_leaf = 4\nplanes = 2\n";
  const auto spread = clos(leaf_spine(8, keys + "routing = \"spray\"\n"));
  const FabricRoute both = route_of(*spread, 0, 4);
  ASSERT_EQ(both.uses.size(), 8U);
  for (const FabricUse& use : both.uses) EXPECT_EQ(use.share, 0.5F);
  EXPECT_EQ(spread->link(both.uses[0].link).nominal, Bandwidth{kNdr.bits_per_second / 2});
  EXPECT_EQ(spread->link(both.uses[1].link).name, "server0.nic0 -> plane1.leaf0");
  const auto hashed = clos(leaf_spine(8, keys + "routing = \"ecmp\"\n"));
  std::set<std::uint32_t> planes;
  for (std::uint32_t channel = 0; channel < 16; ++channel) {
    const FabricRoute one = route_of(*hashed, 0, 4, channel);
    EXPECT_EQ(one.uses.size(), 4U);
    planes.insert(one.uses[0].link);
  }
  EXPECT_EQ(planes.size(), 2U);
}

}  // namespace
}  // namespace ringspan

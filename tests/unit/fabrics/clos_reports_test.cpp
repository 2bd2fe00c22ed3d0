// Tiers, cuts, bisection, drawing, and reduction in the switches of Clos fabrics.

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/base/input_error.h"
#include "tests/unit/fabrics/clos_fixture.h"

namespace ringspan {
namespace {

using testing::clos;
using testing::ClosCase;
using testing::shape_of;

constexpr Bandwidth kNdr{400'000'000'000};

const FabricCut& cut_named(const std::vector<FabricCut>& cuts, const std::string& label) {
  const auto found = std::find_if(cuts.begin(), cuts.end(),
                                  [&](const FabricCut& cut) { return cut.label == label; });
  if (found == cuts.end()) throw std::runtime_error("no cut " + label);
  return *found;
}

// 8 leaves of 4 ports; 2:1 above them, 2:1 above the spines: 32, 16, 8 cables.
ClosCase tapered() {
  return {.kind = "fat-tree",
          .servers = 32,
          .keys =
              "tiers = 3\nservers_per_leaf = 4\nservers_per_pod = 8\noversubscription = "
              "[\"2:1\", \"2:1\"]\nspines = 2\n"};
}

TEST(ClosReports, TiersCountCablesAndTaper) {
  const auto tiers = clos(tapered())->tiers();
  ASSERT_EQ(tiers.size(), 3U);
  EXPECT_EQ(tiers[0].name, "port");
  EXPECT_EQ(tiers[0].below, "NIC");
  EXPECT_EQ(tiers[0].above, "leaf");
  EXPECT_EQ(tiers[0].switches, 8);
  EXPECT_EQ(tiers[0].cables, 32);
  EXPECT_EQ(tiers[1].switches, 8);
  EXPECT_EQ(tiers[1].cables, 16);
  EXPECT_EQ(tiers[1].up, kNdr * 16);
  EXPECT_EQ(tiers[1].oversubscription, 2);
  EXPECT_EQ(tiers[2].cables, 8);
  EXPECT_EQ(tiers[2].oversubscription, 2);
}

// Four NICs at 180 of 400 Gbit/s a leaf; switches and their cables stay as they are.
TEST(ClosReports, ASlowNicKeepsItsCableAndTheSwitches) {
  const auto fabric =
      clos({.servers = 8, .keys = "servers_per_leaf = 4\nport_rate = \"180 Gbit/s\"\n"});
  const auto tiers = fabric->tiers();
  EXPECT_EQ(tiers[0].up, Bandwidth{180'000'000'000} * 8);
  EXPECT_EQ(tiers[1].up, kNdr * 8);
  EXPECT_EQ(fabric->link(0).nominal, Bandwidth{180'000'000'000});
}

// Half of the narrowest layer that is crossed.
TEST(ClosReports, BisectionIsHalfOfTheNarrowestLayer) {
  EXPECT_EQ(clos(tapered())->bisection(), kNdr * 4);
  EXPECT_EQ(clos({.kind = "single-switch", .servers = 10})->bisection(), kNdr * 5);
  // One group of servers: the halves of each rail meet on its leaf, spines carry nothing.
  EXPECT_EQ(clos({.kind = "rail-optimized",
                  .servers = 8,
                  .nics = 4,
                  .keys = "servers_per_leaf = 8\noversubscription = \"4:1\"\n"})
                ->bisection(),
            kNdr * 16);
  EXPECT_EQ(clos({.servers = 32, .keys = "servers_per_leaf = 8\noversubscription = \"4:1\"\n"})
                ->bisection(),
            kNdr * 4);
}

TEST(ClosReports, CutsAreLeavesGroupsPodsAndHalves) {
  const auto cuts = clos(tapered())->cuts();
  EXPECT_EQ(cut_named(cuts, "leaf3").ports, (std::vector<std::uint32_t>{12, 13, 14, 15}));
  EXPECT_EQ(cut_named(cuts, "leaf3").out, kNdr * 2);
  EXPECT_EQ(cut_named(cuts, "half of the leaves").out, kNdr * 8);
  EXPECT_EQ(cut_named(cuts, "pod 1").ports.size(), 8U);
  EXPECT_EQ(cut_named(cuts, "pod 1").out, kNdr * 2);
  EXPECT_EQ(cut_named(cuts, "pod 1").in, kNdr * 2);
  EXPECT_EQ(cut_named(cuts, "half of the pods").out, kNdr * 4);
  EXPECT_EQ(cut_named(cuts, "half of the pods").ports.size(), 16U);
  // A group of a rail-optimised fabric: all NICs of its servers.
  const auto rails =
      clos({.kind = "rail-optimized", .servers = 8, .nics = 4, .keys = "servers_per_leaf = 4\n"});
  const FabricCut group = cut_named(rails->cuts(), "server group 1");
  std::vector<std::uint32_t> ports(16);
  std::iota(ports.begin(), ports.end(), 16U);
  EXPECT_EQ(group.ports, ports);
  EXPECT_EQ(group.out, kNdr * 16);
}

TEST(ClosReports, DrawingHasANodePerTierHoweverManySwitches) {
  const auto fabric =
      clos({.kind = "rail-optimized", .servers = 2'048, .nics = 8, .keys = "radix = 64\n"});
  const FabricDrawing drawing = fabric->drawing();
  ASSERT_EQ(drawing.nodes.size(), 4U);
  EXPECT_EQ(drawing.nodes[0].label, "server 0 .. 2047");
  EXPECT_EQ(drawing.nodes[1].label, "leaf 0 .. 511");
  EXPECT_EQ(drawing.nodes[3].label, "core 0 .. 255");
  EXPECT_EQ(drawing.edges[2].label, "16384 x ib-ndr, 819.2 TB/s each way");
}

// Every port once up and down, every leaf, every pod: loads by tier are their numbers.
TEST(ClosReports, ReductionPassesEverySwitchOnce) {
  for (const char* routing : {"spray", "adaptive", "ecmp", "static"}) {
    ClosCase written = tapered();
    written.keys += std::string("in_network_reduction = true\nrouting = \"") + routing + "\"\n";
    const auto fabric = clos(written);
    EXPECT_TRUE(fabric->reduces_in_network());
    std::vector<std::uint32_t> ports(32);
    std::iota(ports.begin(), ports.end(), 0U);
    FabricRoute tree;
    fabric->reduction(ports, tree);
    std::map<std::string, double> loads;
    std::set<std::uint32_t> links;
    for (const FabricUse& use : tree.uses) {
      loads[fabric->link(use.link).tier] += static_cast<double>(use.share);
      links.insert(use.link);
    }
    EXPECT_EQ(links.size(), tree.uses.size()) << "a link is in the tree once";
    EXPECT_EQ(loads["port"], 2 * 32);
    EXPECT_EQ(loads["leaf-spine"], 2 * 8);
    EXPECT_EQ(loads["spine-core"], 2 * 4);
    EXPECT_EQ(tree.switches, 5);
    EXPECT_TRUE(
        std::is_sorted(tree.uses.begin(), tree.uses.end(),
                       [](const FabricUse& a, const FabricUse& b) { return a.stage < b.stage; }));
    fabric->reduction(std::vector<std::uint32_t>{0, 1, 2}, tree);
    EXPECT_EQ(tree.uses.size(), 6U);  // one leaf: nothing goes up
  }
}

TEST(ClosReports, ReductionIsRefusedWhereSwitchesDoNotReduce) {
  const auto fabric = clos({});
  FabricRoute tree;
  EXPECT_THROW(fabric->reduction(std::vector<std::uint32_t>{0, 1}, tree), InputError);
}

// 131,072 NICs, three tiers. What is stored: ports, leaves, pools; nothing per pair or per cable.
// The bound on time is a hundred times what it takes, so that only another order of growth fails.
TEST(ClosReports, LargeFabricsAreBuiltAndRoutedByFormula) {
  const auto begin = std::chrono::steady_clock::now();
  const auto fabric = clos({.kind = "rail-optimized",
                            .servers = 16'384,
                            .nics = 8,
                            .keys = "radix = 144\n",
                            .link = "ib-xdr"});
  std::int64_t picoseconds = 0;
  FabricRoute route;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    fabric->route({i, 131'071 - i / 2, 0}, route);
    picoseconds += route.latency.count();
  }
  EXPECT_GT(picoseconds, 0);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(taken.count(), 10);
  // Pools: up and down of ports, leaves and pods.
  const ClosShape& shape = shape_of(*fabric);
  EXPECT_EQ(fabric->link_count(), 2 * (131'072 + shape.leaves + shape.blocks()));
}

}  // namespace
}  // namespace ringspan

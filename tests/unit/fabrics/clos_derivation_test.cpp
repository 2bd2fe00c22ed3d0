// Counts of Clos fabrics: what is derived, and what published systems have.

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/fabrics/clos_fixture.h"

namespace ringspan {
namespace {

using testing::clos;
using testing::ClosCase;
using testing::notes;
using testing::shape_of;

struct Published {
  const char* name;
  int servers;
  std::string kind, keys, link;
  std::uint32_t leaves, spines, cores;
};

// NVIDIA DGX SuperPOD reference architectures: RA-11333 (H100), RA-11334 (B200), RA for B300 with
// XDR. 32 (72) servers are a scalable unit; switches have 64 (144) ports.
TEST(ClosDerivation, GivesTheSwitchesOfPublishedSuperPods) {
  const std::string ndr = "radix = 64\n", xdr = "radix = 144\n";
  const Published systems[] = {
      {"H100, 1 SU", 31, "rail-optimized", ndr, "ib-ndr", 8, 4, 0},
      {"H100, 2 SU", 63, "rail-optimized", ndr, "ib-ndr", 16, 8, 0},
      {"H100, 3 SU", 95, "rail-optimized", ndr, "ib-ndr", 24, 16, 0},
      {"H100, 4 SU", 127, "rail-optimized", ndr, "ib-ndr", 32, 16, 0},
      {"B200, 8 SU", 256, "rail-optimized", ndr, "ib-ndr", 64, 32, 0},
      {"B200, 16 SU", 512, "rail-optimized", ndr, "ib-ndr", 128, 128, 64},
      {"B200, 32 SU", 1'024, "rail-optimized", ndr, "ib-ndr", 256, 256, 128},
      {"B200, 64 SU", 2'048, "rail-optimized", ndr, "ib-ndr", 512, 512, 256},
      {"B300 XDR, 1 SU", 72, "rail-optimized", xdr, "ib-xdr", 8, 4, 0},
      {"B300 XDR, 2 SU", 144, "rail-optimized", xdr, "ib-xdr", 16, 8, 0},
      {"B300 XDR, 4 SU", 288, "rail-optimized", xdr, "ib-xdr", 32, 18, 0},
      {"B300 XDR, 8 SU", 576, "rail-optimized", xdr, "ib-xdr", 64, 36, 0},
  };
  for (const Published& system : systems) {
    const auto fabric = clos({.kind = system.kind,
                              .servers = system.servers,
                              .nics = 8,
                              .keys = system.keys,
                              .link = system.link});
    const ClosShape& shape = shape_of(*fabric);
    EXPECT_EQ(shape.leaves, system.leaves) << system.name;
    EXPECT_EQ(shape.spine_count(), system.spines) << system.name;
    EXPECT_EQ(shape.cores, system.cores) << system.name;
    for (const FabricTier& tier : fabric->tiers()) {
      EXPECT_EQ(tier.oversubscription, 1) << system.name << " " << tier.name;
    }
  }
}

// B300 with Spectrum-X: 64 servers a unit, two planes of 400 Gb/s, switches of 64 x 800 Gb/s; the
// published counts are of both planes. A leaf serves 64 NIC ports of 400 Gb/s on 32 ports. At 16
// units its uplinks are 400 Gb/s cables too: 128 ports.
TEST(ClosDerivation, SharesAPortAmongSlowerCables) {
  const std::string whole = "radix = 64\nplanes = 2\n";
  const std::string halves = "radix = 128\nplanes = 2\nuplink = \"eth-400\"\n";
  for (const auto& [servers, keys, leaves, spines] :
       {std::tuple{64, whole, 16, 8}, std::tuple{256, whole, 64, 32},
        std::tuple{1'024, halves, 256, 128}}) {
    const auto fabric = clos(
        {.kind = "rail-optimized", .servers = servers, .nics = 8, .keys = keys, .link = "eth-800"});
    const auto tiers = fabric->tiers();
    EXPECT_EQ(tiers[0].switches, leaves);
    EXPECT_EQ(tiers[1].switches, spines);
    EXPECT_EQ(tiers[0].cables, 2 * 8 * servers);
    EXPECT_EQ(tiers[0].up, tiers[1].up);
  }
}

// Seven scalable units of DGX A100 (RA-09950): 20 servers a unit, switches of 40 ports, a block per
// rail of 7 leaves x 20 uplinks and 10 spines with 14 up; 8 x 10 x 14 / 40 = 28 cores.
TEST(ClosDerivation, PutsABlockOnEveryRailWhereTold) {
  const auto fabric = clos({.kind = "rail-optimized",
                            .servers = 140,
                            .nics = 8,
                            .keys = "radix = 40\ntiers = 3\nspine_group = \"rail\"\nspines = 10\n",
                            .link = "ib-hdr"});
  const ClosShape& shape = shape_of(*fabric);
  EXPECT_EQ(shape.leaves, 56U);
  EXPECT_EQ(shape.spine_count(), 80U);
  EXPECT_EQ(shape.cores, 28U);
  EXPECT_EQ(shape.leaf_uplinks(), 20U);
  EXPECT_EQ(shape.spine_uplinks(), 14U);
  EXPECT_EQ(fabric->tiers()[2].cables, 1'120);
}

// Alibaba HPN 7.0 (SIGCOMM 2024): two planes of 200 Gb/s; a segment of 128 servers has 16 leaves of
// 128 x 200 Gb/s down and 60 x 400 Gb/s up; a pod of 15 segments; 120 down and 8 up at a spine.
TEST(ClosDerivation, GivesTheTaperOfATwoPlaneCluster) {
  const auto fabric = clos({.kind = "rail-optimized",
                            .servers = 1'920,
                            .nics = 8,
                            .keys = "tiers = 3\nservers_per_leaf = 128\nservers_per_pod = 1920\n"
                                    "planes = 2\noversubscription = [\"16:15\", \"15:1\"]\n"
                                    "spines = 60\nradix = 128\n",
                            .link = "eth-400"});
  const ClosShape& shape = shape_of(*fabric);
  EXPECT_EQ(shape.leaf_uplinks(), 60U);
  EXPECT_EQ(shape.spine_uplinks(), 8U);
  const auto tiers = fabric->tiers();
  EXPECT_EQ(tiers[0].switches, 240);
  EXPECT_EQ(tiers[1].switches, 120);
  EXPECT_DOUBLE_EQ(tiers[1].oversubscription, 16.0 / 15);
  EXPECT_DOUBLE_EQ(tiers[2].oversubscription, 15);
}

// k:1 over all NIC ports of a leaf as built: 32 ports of 50 GB/s down, 32 / k up; the half-filled
// last leaf has the same.
TEST(ClosDerivation, OversubscriptionCountsAllPortsOfALeafAsBuilt) {
  for (const std::int64_t k : {1, 2, 4, 8}) {
    const auto fabric = clos({.servers = 10,
                              .nics = 8,
                              .keys = "servers_per_leaf = 4\noversubscription = \"" +
                                      std::to_string(k) + ":1\"\nrouting = \"spray\"\n"});
    const auto tiers = fabric->tiers();
    EXPECT_EQ(tiers[0].cables, 80);
    EXPECT_EQ(tiers[1].cables, 3 * 32 / k);
    EXPECT_EQ(tiers[1].oversubscription, static_cast<double>(k));
    for (const FabricCut& cut : fabric->cuts()) {
      if (!cut.label.starts_with("leaf")) continue;
      EXPECT_EQ(cut.out, Bandwidth{400'000'000'000} * (32 / k)) << cut.label;
      EXPECT_EQ(cut.ports.size(), cut.label == "leaf2" ? 16U : 32U);
    }
  }
}

// Narval: 33 down, 7 up to 7 spines.
TEST(ClosDerivation, TakesAnyRatioOfWholeNumbers) {
  const auto fabric = clos({.servers = 66,
                            .keys = "servers_per_leaf = 33\noversubscription = \"33:7\"\nradix = "
                                    "40\nspines = 7\n",
                            .link = "ib-hdr"});
  EXPECT_EQ(shape_of(*fabric).leaf_uplinks(), 7U);
  EXPECT_DOUBLE_EQ(fabric->tiers()[1].oversubscription, 33.0 / 7);
}

// Without a ratio, spines that do not divide 32 get enough cables for 1:1: 9 x 4 = 36.
TEST(ClosDerivation, NeverOversubscribesUntold) {
  const auto fabric = clos({.servers = 64, .keys = "servers_per_leaf = 32\nspines = 9\n"});
  EXPECT_EQ(shape_of(*fabric).leaf_uplinks(), 36U);
  EXPECT_DOUBLE_EQ(fabric->tiers()[1].oversubscription, 32.0 / 36);
  EXPECT_TRUE(notes(*fabric, "36 uplinks of a leaf: 8:9 over 32 NIC ports"));
  const auto told =
      clos({.servers = 64, .keys = "servers_per_leaf = 32\nspines = 9\ncables_per_spine = 1\n"});
  EXPECT_DOUBLE_EQ(told->tiers()[1].oversubscription, 32.0 / 9);
}

TEST(ClosDerivation, TakesTheThirdTierWhereTwoDoNotReach) {
  // 64 ports: 32 servers of one NIC a leaf, 64 leaves to a spine: 2,048.
  const auto two = clos({.kind = "fat-tree", .servers = 2'048, .keys = "radix = 64\n"});
  EXPECT_EQ(shape_of(*two).tiers, 2);
  EXPECT_TRUE(notes(*two, "tiers = 2: "));
  const auto three = clos({.kind = "fat-tree", .servers = 2'049, .keys = "radix = 64\n"});
  EXPECT_EQ(shape_of(*three).tiers, 3);
  // Three tiers of 64 ports reach 64 x 32 x 32 = 65,536.
  const auto most = clos({.kind = "fat-tree", .servers = 65'536, .keys = "radix = 64\n"});
  EXPECT_EQ(shape_of(*most).blocks(), 64U);
  EXPECT_EQ(shape_of(*most).cores, 1'024U);
}

// A pod's last leaf may be half empty; the next pod begins on a leaf of its own.
TEST(ClosDerivation, ALeafServesOnePod) {
  for (const char* kind : {"leaf-spine", "fat-tree", "rail-optimized"}) {
    const auto fabric = clos({.kind = kind,
                              .servers = 15,
                              .nics = 2,
                              .keys = std::string("servers_per_leaf = 4\n") +
                                      (std::string(kind) == "leaf-spine" ? "" : "tiers = 3\n"),
                              .pods = {9, 5, 1}});
    const ClosShape& shape = shape_of(*fabric);
    const std::uint32_t rails = std::string(kind) == "rail-optimized" ? 2 : 1;
    EXPECT_EQ(shape.leaves, (3 + 2 + 1) * rails);
    std::vector<std::set<int>> pods(shape.leaves);
    for (std::uint32_t port = 0; port < 30; ++port) {
      const int server = fabric->ports()[port].server;
      pods[fabric->attachment(port)].insert(server < 9 ? 0 : server < 14 ? 1 : 2);
    }
    for (const auto& served : pods) EXPECT_EQ(served.size(), 1U);
    EXPECT_EQ(shape.blocks(), shape.tiers == 3 ? 3U : 1U);
  }
}

TEST(ClosDerivation, RailsAloneNeedNoSpinesOnOneLeaf) {
  const auto one = clos({.kind = "rail-only", .servers = 64, .nics = 8, .keys = ""});
  EXPECT_EQ(shape_of(*one).tiers, 1);
  EXPECT_EQ(shape_of(*one).leaves, 8U);
  const auto two = clos({.kind = "rail-only", .servers = 65, .nics = 8, .keys = ""});
  EXPECT_EQ(shape_of(*two).tiers, 2);
  EXPECT_EQ(shape_of(*two).leaves, 8U * 3);
  EXPECT_EQ(shape_of(*two).blocks(), 8U);
}

TEST(ClosDerivation, RoutingFollowsTheNetwork) {
  EXPECT_EQ(clos({.link = "ib-ndr"})->routing(), "adaptive");
  EXPECT_EQ(clos({.link = "eth-400"})->routing(), "ecmp");
  EXPECT_EQ(clos({.link = "efa-200"})->routing(), "spray");
}

}  // namespace
}  // namespace ringspan

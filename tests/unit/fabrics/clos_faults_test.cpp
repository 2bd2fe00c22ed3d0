// Dead and degraded switches and cables of Clos fabrics.

#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "sim/base/input_error.h"
#include "tests/unit/fabrics/clos_fixture.h"

namespace ringspan {
namespace {

using testing::clos;
using testing::ClosCase;
using testing::link_names;
using testing::shape_of;

constexpr std::int64_t kNdr = 400'000'000'000;  // bits/s

std::string dead(const std::string& name) { return "[[fault]]\nswitch = \"" + name + "\"\n"; }

std::string cut(const std::string& from, const std::string& to, const std::string& more = {}) {
  return "[[fault]]\nfrom = \"" + from + "\"\nto = \"" + to + "\"\n" + more;
}

// The nominal rate of the link of that name, in cables of ib-ndr.
double cables_of(const Fabric& fabric, const std::string& name) {
  for (std::uint32_t i = 0; i < fabric.link_count(); ++i) {
    const FabricLink link = fabric.link(i);
    if (!link.name.starts_with(name)) continue;
    EXPECT_EQ(fabric.payload(i), link.payload());
    EXPECT_EQ(fabric.preset(i), link.preset);
    return static_cast<double>(link.nominal.bits_per_second) / kNdr;
  }
  ADD_FAILURE() << "no link " << name;
  return 0;
}

std::unique_ptr<const Fabric> four_spines(const std::string& routing, const std::string& faults,
                                          const std::string& keys = {}) {
  return clos({.servers = 16,
               .keys = "servers_per_leaf = 8\nspines = 4\nrouting = \"" + routing + "\"\n" + keys +
                       faults});
}

// One of S spines: (S-1)/S of every pool, so what fills the pools takes S/(S-1) times as long.
TEST(ClosFaults, ADeadSpineTakesItsPartOfEveryPool) {
  for (const char* routing : {"spray", "adaptive"}) {
    const auto fabric = four_spines(routing, dead("spine2"));
    for (const char* pool : {"leaf0 -> spines", "spines -> leaf0", "leaf1 -> spines"}) {
      EXPECT_EQ(cables_of(*fabric, pool), 8 * 3.0 / 4) << pool;
    }
    EXPECT_EQ(fabric->tiers()[1].cables, 2 * 6);
    EXPECT_DOUBLE_EQ(fabric->tiers()[1].oversubscription, 4.0 / 3);
    EXPECT_EQ(fabric->bisection(), Bandwidth{kNdr * 6});
  }
}

// leaf0 has 2 cables to each of 4 spines; one of them at half rate. Adaptive: 7.5 cables. Spray is
// as slow as the slowest: up 8 x 0.5, down 4 spines x (2 cables x 0.5).
TEST(ClosFaults, ADegradedCableSlowsSprayedFlowsMore) {
  const std::string half = cut("leaf0", "spine1", "cables = 1\nrate = 0.5\n");
  const auto adaptive = four_spines("adaptive", half);
  EXPECT_EQ(cables_of(*adaptive, "leaf0 -> spines"), 7.5);
  EXPECT_EQ(cables_of(*adaptive, "spines -> leaf0"), 7.5);
  EXPECT_EQ(cables_of(*adaptive, "leaf1 -> spines"), 8);
  const auto spray = four_spines("spray", half);
  EXPECT_EQ(cables_of(*spray, "leaf0 -> spines"), 4);
  EXPECT_EQ(cables_of(*spray, "spines -> leaf0"), 4);
  EXPECT_EQ(cables_of(*spray, "leaf1 -> spines"), 8);
}

// One of two cables to spine1 dead: up 7 cables; down each spine gets a quarter, and spine1 has one
// cable for it: 4 x 1.
TEST(ClosFaults, ADeadCableLeavesThePool) {
  const std::string one = cut("spine1", "leaf0", "cables = 1\n");
  EXPECT_EQ(cables_of(*four_spines("spray", one), "leaf0 -> spines"), 7);
  EXPECT_EQ(cables_of(*four_spines("spray", one), "spines -> leaf0"), 4);
  EXPECT_EQ(cables_of(*four_spines("adaptive", one), "spines -> leaf0"), 7);
}

// Faults of one pair of switches hit cable after cable; all of them without `cables`.
TEST(ClosFaults, OfTheSameCablesAddUp) {
  const std::string one = cut("leaf0", "spine1", "cables = 1\n");
  EXPECT_EQ(cables_of(*four_spines("adaptive", one + one), "leaf0 -> spines"), 6);
  EXPECT_EQ(cables_of(*four_spines("adaptive", cut("leaf0", "spine1")), "leaf0 -> spines"), 6);
  EXPECT_THROW(four_spines("adaptive", one + one + one), InputError);
}

// A flow that goes one way avoids what is dead anywhere on it: leaf0 lost spine 0, leaf1 spine 1.
TEST(ClosFaults, HashedFlowsAvoidDeadWaysToTheirDestination) {
  for (const char* routing : {"ecmp", "static"}) {
    const auto fabric = four_spines(routing, cut("leaf0", "spine0") + cut("leaf1", "spine1"));
    std::map<std::string, int> spines;
    for (std::uint32_t channel = 0; channel < 32; ++channel) {
      for (std::uint32_t to = 8; to < 16; ++to) {
        const std::string up = link_names(*fabric, {0, to, channel})[1];
        ++spines[up.substr(0, up.find(','))];
      }
    }
    EXPECT_EQ(spines.size(), 2U) << routing;
    EXPECT_EQ(spines.count("leaf0 -> spine2"), 1U);
    EXPECT_EQ(spines.count("leaf0 -> spine3"), 1U);
  }
}

// Flows whose way is alive keep it when another one dies: nobody gets less company by a fault.
TEST(ClosFaults, ADeadSpineOrCableMovesItsOwnFlowsOnly) {
  for (const char* routing : {"ecmp", "static"}) {
    const auto whole = four_spines(routing, "");
    for (const std::string& fault : {dead("spine1"), cut("leaf0", "spine1", "cables = 1\n")}) {
      const auto hurt = four_spines(routing, fault);
      int moved = 0;
      for (std::uint32_t channel = 0; channel < 32; ++channel) {
        for (std::uint32_t to = 8; to < 16; ++to) {
          const auto before = link_names(*whole, {0, to, channel});
          const auto after = link_names(*hurt, {0, to, channel});
          const bool met = before[1].starts_with("leaf0 -> spine1");
          EXPECT_TRUE(met || after == before) << routing;
          moved += after == before ? 0 : 1;
        }
      }
      EXPECT_GT(moved, 0) << routing;
    }
  }
}

// 32 channels x 8 destinations. Half of the cables to each spine: those that are left carry what
// they carried, and more. Servers have one NIC, so 1:1 is 8 uplinks a leaf, two to each spine.
TEST(ClosFaults, FewerCablesOnlyAddFlowsToThoseLeft) {
  const auto even = four_spines("ecmp", "");
  const auto tapered = four_spines("ecmp", "", "oversubscription = \"2:1\"\n");
  EXPECT_EQ(shape_of(*even).cables_per_spine, 2U);
  EXPECT_EQ(shape_of(*tapered).cables_per_spine, 1U);
  for (std::uint32_t channel = 0; channel < 32; ++channel) {
    for (std::uint32_t to = 8; to < 16; ++to) {
      const auto spine = [&](const Fabric& fabric) {
        const std::string up = link_names(fabric, {0, to, channel})[1];
        return up.substr(0, up.find(','));
      };
      EXPECT_EQ(spine(*tapered), spine(*even));
    }
  }
}

// A dead core: its spines lose the cables to it, other ways stay. 2 pods x 2 spines, 4 cores in 2
// groups of 2, 4 uplinks a spine: 2 cables to each core.
TEST(ClosFaults, ADeadCoreTakesTheCablesOfItsGroup) {
  const std::string shape =
      "tiers = 3\nservers_per_leaf = 4\nservers_per_pod = 8\nspines = 2\ncores = 4\n";
  const auto fabric = clos({.kind = "fat-tree", .servers = 16, .keys = shape + dead("core1")});
  EXPECT_EQ(shape_of(*fabric).core_groups, 2U);
  EXPECT_EQ(cables_of(*fabric, "spines of pod 0 -> cores"), 6);
  EXPECT_EQ(cables_of(*fabric, "cores -> spines of pod 1"), 6);
  EXPECT_EQ(cables_of(*fabric, "leaf0 -> spines"), 4);
  const auto hashed = clos(
      {.kind = "fat-tree", .servers = 16, .keys = shape + "routing = \"ecmp\"\n" + dead("core1")});
  for (std::uint32_t channel = 0; channel < 64; ++channel) {
    for (const std::string& name : link_names(*hashed, {0, 12, channel})) {
      EXPECT_EQ(name.find("core1"), std::string::npos) << name;
    }
  }
  // Spray: spine 0 has half of its uplinks left, and gets half of the bytes: 2 spines x 2 cables.
  const auto sprayed = clos(
      {.kind = "fat-tree", .servers = 16, .keys = shape + "routing = \"spray\"\n" + dead("core1")});
  EXPECT_EQ(cables_of(*sprayed, "spines of pod 0 -> cores"), 4);
}

// A dead leaf cuts its NICs off; in one of two planes, it leaves them the other.
TEST(ClosFaults, ADeadLeafCutsItsPortsOff) {
  const auto fabric = four_spines("spray", dead("leaf1"));
  EXPECT_TRUE(fabric->joins(0, 1));
  EXPECT_FALSE(fabric->joins(0, 8));
  FabricRoute route;
  try {
    fabric->route({0, 8, 0}, route);
    FAIL() << "leaf1 is dead";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "f.toml:7:1: error: leaf1 is dead\n"
                 "hint: take the [[fault]] out, or leave those servers out");
  }
  const auto planes = clos({.servers = 16,
                            .keys = "servers_per_leaf = 8\nspines = 4\nplanes = 2\nrouting = "
                                    "\"spray\"\n" +
                                    dead("plane1.leaf1")});
  planes->route({0, 8, 0}, route);
  EXPECT_EQ(route.uses.size(), 4U);  // plane 0 alone, at half of the NIC's rate
  EXPECT_EQ(route.uses[0].share, 1);
  planes->route({0, 1, 0}, route);
  EXPECT_EQ(route.uses.size(), 4U);  // both
  EXPECT_EQ(route.uses[0].share, 0.5F);
}

TEST(ClosFaults, LeavesWithoutACommonWayAreApart) {
  const std::string faults = cut("leaf0", "spine0") + cut("leaf0", "spine1") +
                             cut("leaf1", "spine2") + cut("leaf1", "spine3");
  for (const char* routing : {"ecmp", "static", "spray", "adaptive"}) {
    const auto fabric = four_spines(routing, faults);
    EXPECT_FALSE(fabric->joins(0, 8)) << routing;
    FabricRoute route;
    EXPECT_THROW(fabric->route({0, 8, 0}, route), InputError);
    EXPECT_THROW(fabric->even_route({0, 8, 0}, route), InputError);
  }
}

// A whole switch at a rate: all cables of it.
TEST(ClosFaults, ADegradedSwitchSlowsAllItsCables) {
  const auto fabric = four_spines("adaptive", "[[fault]]\nswitch = \"leaf0\"\nrate = 0.5\n");
  EXPECT_EQ(cables_of(*fabric, "leaf0 -> spines"), 4);
  EXPECT_EQ(cables_of(*fabric, "server0.nic0 -> leaf0"), 0.5);
  EXPECT_EQ(cables_of(*fabric, "leaf0 -> server0.nic0"), 0.5);
  EXPECT_EQ(cables_of(*fabric, "server8.nic0 -> leaf1"), 1);
}

// Both directions of that NIC's cable, and of no other; routes stay.
TEST(ClosFaults, ANicsCableMayBeSlow) {
  const std::string half = "rate = 0.5\n";
  for (const std::string& fault :
       {cut("server3.nic0", "leaf0", half), cut("leaf0", "server3.nic0", half)}) {
    const auto fabric = four_spines("ecmp", fault);
    EXPECT_EQ(cables_of(*fabric, "server3.nic0 -> leaf0"), 0.5);
    EXPECT_EQ(cables_of(*fabric, "leaf0 -> server3.nic0"), 0.5);
    EXPECT_EQ(cables_of(*fabric, "server4.nic0 -> leaf0"), 1);
    const auto whole = four_spines("ecmp", "");
    EXPECT_EQ(link_names(*fabric, {3, 12, 0}), link_names(*whole, {3, 12, 0}));
  }
}

TEST(ClosFaults, ANicsCableIsNamedRightly) {
  const auto refusal = [](const std::string& fault) {
    return testing::clos_refusal({.servers = 16, .keys = "servers_per_leaf = 8\n" + fault});
  };
  EXPECT_NE(
      refusal(cut("server3.nic0", "leaf1", "rate = 0.5\n")).find("server3.nic0 hangs on leaf0"),
      std::string::npos);
  EXPECT_NE(refusal(cut("server3.nic0", "leaf0")).find("nic = \"server3.nic0\""),
            std::string::npos);
  EXPECT_NE(refusal(cut("server3.nic0", "leaf0", "rate = 0.5\ncables = 2\n")).find("one cable"),
            std::string::npos);
  EXPECT_NE(refusal(cut("server16.nic0", "leaf0", "rate = 0.5\n")).find("server16.nic0"),
            std::string::npos);
}

}  // namespace
}  // namespace ringspan

// What a user sees for a Clos fabric that cannot be built: where, why, what would fit.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/fabrics/clos_fixture.h"

namespace ringspan {
namespace {

using testing::clos_refusal;
using testing::ClosCase;

struct Refusal {
  ClosCase written;
  std::string message;
};

// Line 1 is [fabric], 2 kind, 3 link, 4 the first key.
TEST(ClosRefusals, SayWhereAndWhatWouldFit) {
  const std::vector<Refusal> refusals = {
      {{.kind = "single-switch", .servers = 65, .keys = "radix = 64\n"},
       "f.toml:4:9: error: 65 NIC ports do not fit a switch of 64\n"
       "hint: at most 64 servers; kind = \"leaf-spine\" reaches more"},
      {{.kind = "single-switch", .servers = 4, .nics = 8, .keys = "radix = 4\n"},
       "f.toml:4:9: error: 32 NIC ports do not fit a switch of 4\n"
       "hint: one server alone has 8; radix = 32 holds all"},
      {{.keys = "radix = \"64\"\n"},
       "f.toml:4:9: error: 'radix' in [fabric] must be a whole number, got text\n"
       "hint: write radix = 64"},
      {{.keys = "port_rate = \"800 Gbit/s\"\n"},
       "f.toml:4:13: error: 100 GB/s is more than a port of ib-ndr carries, 50 GB/s\n"
       "hint: take a faster `link`"},
      {{.keys = "oversubscription = 4\n"},
       "f.toml:4:20: error: '4' is no oversubscription\nhint: write \"4:1\""},
      {{.keys = "oversubscription = 1.5\n"},
       "f.toml:4:20: error: '1.5' is no oversubscription\n"
       "hint: two whole numbers from 1 to 1000, what comes from below to what goes up: \"4:1\", "
       "\"33:7\""},
      // 40 ports: 33 down leave 7.
      {{.servers = 66, .keys = "radix = 40\nservers_per_leaf = 33\n"},
       "f.toml:4:9: error: a leaf needs 66 ports for 33 NIC ports and 33 uplinks; it has 40\n"
       "hint: servers_per_leaf = 20 fits; or radix = 66"},
      {{.nics = 8, .keys = "radix = 8\n"},
       "f.toml:4:9: error: a leaf of 8 ports cannot serve one server with its 8 NIC ports and the "
       "uplinks for them\n"
       "hint: a larger radix, fewer uplinks by oversubscription, or servers_per_leaf and no radix"},
      // 32 servers a leaf, 64 leaves to a spine.
      {{.servers = 2'049, .keys = "radix = 64\n"},
       "f.toml:4:9: error: 65 leaves with 1 cable to each of 32 spines need spines of 65 ports; "
       "they have 64\n"
       "hint: at most 2048 servers; kind = \"fat-tree\" with tiers = 3, or a larger radix, reaches "
       "more"},
      {{.kind = "rail-optimized", .servers = 257, .nics = 8, .keys = "radix = 64\ntiers = 2\n"},
       "f.toml:4:9: error: 72 leaves with 1 cable to each of 32 spines need spines of 72 ports; "
       "they have 64\n"
       "hint: at most 256 servers; tiers = 3, or a larger radix, reaches more"},
      {{.kind = "fat-tree", .servers = 65'537, .keys = "radix = 64\n"},
       "f.toml:4:9: error: 65 pods need cores of 65 ports; they have 64\n"
       "hint: at most 65536 servers; a larger radix reaches more"},
      {{.kind = "rail-only", .servers = 65, .nics = 2, .keys = "radix = 64\ntiers = 1\n"},
       "f.toml:4:9: error: 65 NIC ports do not fit a switch of 64\n"
       "hint: at most 64 servers with one tier; tiers = 2 reaches more"},
      // 33 ports at 4:1.
      {{.servers = 66, .keys = "servers_per_leaf = 33\noversubscription = \"4:1\"\n"},
       "f.toml:5:20: error: 4:1 above the 33 NIC ports of a leaf is 8.25 uplinks of ib-ndr: no "
       "whole cables\n"
       "hint: 8 uplinks are \"33:8\", 9 are \"11:3\""},
      {{.keys = "servers_per_leaf = 2\noversubscription = \"4:1\"\n"},
       "f.toml:5:20: error: 4:1 above the 2 NIC ports of a leaf is 0.5 uplinks of ib-ndr: no whole "
       "cables\n"
       "hint: 1 uplink is \"2:1\""},
      {{.servers = 64, .keys = "servers_per_leaf = 32\noversubscription = \"1:1\"\nspines = 12\n"},
       "f.toml:6:10: error: the 32 uplinks of a leaf cannot be spread evenly over 12 spines\n"
       "hint: spines = 8 or 16; or leave oversubscription out and say spines and "
       "cables_per_spine"},
      {{.servers = 64,
        .keys = "servers_per_leaf = 32\noversubscription = \"2:1\"\ncables_per_spine = 3\n"},
       "f.toml:6:20: error: the 16 uplinks of a leaf are no multiple of 3 cables\n"
       "hint: cables_per_spine = 2 or 4; or leave oversubscription out and say spines and "
       "cables_per_spine"},
      {{.servers = 64,
        .keys = "servers_per_leaf = 32\noversubscription = \"4:1\"\nspines = 4\ncables_per_spine = "
                "4\n"},
       "f.toml:5:20: error: 4:1 is 8 uplinks of a leaf, but spines x cables_per_spine is 16\n"
       "hint: 16 uplinks are \"2:1\"; leave out one of the three"},
      {{.keys = "oversubscription = \"4\"\n"},
       "f.toml:4:20: error: '4' is no oversubscription\n"
       "hint: write \"4:1\""},
      {{.keys = "oversubscription = [\"4:1\", \"1:1\"]\n"},
       "f.toml:4:20: error: 2 ratios are given; 2 tiers of switches have 1\n"
       "hint: what comes up to a leaf over what leaves it upwards: \"4:1\""},
      {{.keys = "planes = 3\n"},
       "f.toml:4:10: error: a NIC of 50 GB/s cannot be split evenly over 3 planes\n"
       "hint: 1, 2, 4 or 8: a port is 4 or 8 lanes"},
      {{.servers = 0, .keys = "planes = 2\n"},
       "f.toml:3:8: error: no server has a NIC that the fabric could join\n"
       "hint: add [[node.device]] of kind \"nic\" and cable them to a PCIe switch or CPU"},
      {{.kind = "fat-tree", .keys = "tiers = 2\ncores = 4\n"},
       "f.toml:5:9: error: cores belongs to a fabric of 3 tiers; this one has 2\n"
       "hint: remove cores, or write tiers = 3"},
      {{.kind = "rail-only", .servers = 8, .nics = 2, .keys = "tiers = 1\nspines = 4\n"},
       "f.toml:5:10: error: spines belongs to a fabric of 2 tiers; this one has 1\n"
       "hint: remove spines, or write tiers = 2"},
      {{.kind = "rail-only", .servers = 8, .nics = 2, .keys = "tiers = 1\nservers_per_leaf = 4\n"},
       "f.toml:5:20: error: one tier is one leaf per rail, for all 8 servers\n"
       "hint: raise servers_per_leaf, or write tiers = 2"},
      // 4 spines a pod with 4 uplinks each: cores are a divisor of 4 (groups) times one of 4 (cores
      // of a group): 1, 2, 4, 8 or 16.
      {{.kind = "fat-tree",
        .servers = 32,
        .keys = "tiers = 3\nservers_per_leaf = 4\nservers_per_pod = 16\nspines = 4\ncores = 5\n"},
       "f.toml:8:9: error: 4 spines of a pod with 4 uplinks each cannot be cabled evenly to 5 "
       "cores\n"
       "hint: cores = 4 or 8"},
      {{.kind = "fat-tree",
        .servers = 32,
        .keys = "tiers = 3\nservers_per_leaf = 4\nservers_per_pod = 10\n"},
       "f.toml:6:19: error: a pod of 10 servers is no whole number of leaves for 4 servers\n"
       "hint: servers_per_pod = 8 or 12"},
      {{.kind = "fat-tree",
        .servers = 8,
        .keys = "tiers = 3\nservers_per_leaf = 2\nservers_per_pod = 4\n",
        .pods = {4, 4}},
       "f.toml:6:19: error: the [[pod]] tables say which servers a pod has\n"
       "hint: remove servers_per_pod"},
      {{.kind = "rail-optimized",
        .servers = 64,
        .nics = 8,
        .keys = "tiers = 3\noversubscription = [\"1:1\", \"7:1\"]\nservers_per_leaf = "
                "32\nservers_per_pod = 32\nspines = 8\n"},
       "f.toml:5:20: error: 7:1 above the 32 downlinks of a spine is 4.571 uplinks of ib-ndr: no "
       "whole cables\n"
       "hint: 4 uplinks are \"8:1\", 5 are \"32:5\""},
      {{.keys = "routing = \"valiant\"\n"},
       "f.toml:4:11: error: routing 'valiant' does not work here: every way between two leaves of "
       "a Clos fabric is equally short and goes up and down once\n"
       "hint: one of: ecmp, static, spray, adaptive"},
      {{.keys = "leaf_spine_cable = \"30\"\n"},
       "f.toml:4:20: error: '30' has no unit of length\n"
       "hint: write metres or kilometres: \"30 m\""},
      {{.keys = "servers_per_leaf = 1000000000\n"},
       "f.toml:2:8: error: a leaf would need 2000000000 ports\n"
       "hint: a switch has at most 65536; use a kind with more tiers, or smaller leaves"},
      {{.keys = "", .link = "pcie5"},
       "f.toml:3:8: error: a fabric is made of network links; 'pcie5' is of class pcie\n"
       "hint: one of: ib-edr, ib-hdr, ib-ndr, ib-xdr, eth-100, eth-200, eth-400, eth-800, efa-100, "
       "efa-200, efa-400, tcpx-200, tcpxo-200, slingshot-200"},
      // Faults on what does not exist.
      {{.keys = "servers_per_leaf = 2\nspines = 2\n[[fault]]\nswitch = \"spin1\"\n"},
       "f.toml:6:1: error: the fabric has no switch 'spin1'\n"
       "hint: did you mean 'spine1'? there are leaf0 to leaf1, spine0 to spine1"},
      {{.keys = "servers_per_leaf = 2\nspines = 2\n[[fault]]\nfrom = \"leaf0\"\nto = \"leaf1\"\n"},
       "f.toml:6:1: error: no cable joins 'leaf0' and 'leaf1'\n"
       "hint: name two switches of neighbouring tiers that are cabled to each other"},
      {{.keys = "servers_per_leaf = 2\nspines = 2\n[[fault]]\nfrom = \"spine1\"\nto = "
                "\"leaf1\"\ncables = 2\n"},
       "f.toml:6:1: error: the fault names 2 cables between 'spine1' and 'leaf1'; whole are 1 of "
       "1\n"
       "hint: name no more than are whole, or leave cables out for all"},
  };
  for (const Refusal& refusal : refusals) {
    EXPECT_EQ(clos_refusal(refusal.written), refusal.message) << refusal.written.kind << "\n"
                                                              << refusal.written.keys;
  }
}

// A key of another kind is unknown, and answered with the keys there are.
TEST(ClosRefusals, KnowOnlyTheKeysOfTheirKind) {
  EXPECT_NE(clos_refusal({.kind = "single-switch", .keys = "spines = 2\n"}), "");
  EXPECT_NE(clos_refusal({.kind = "leaf-spine", .keys = "cores = 2\n"}), "");
  EXPECT_NE(clos_refusal({.kind = "fat-tree", .keys = "spine_group = \"rail\"\n"}), "");
}

}  // namespace
}  // namespace ringspan

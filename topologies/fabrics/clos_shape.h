#pragma once

// The counts that make a Clos fabric (folded: every switch sends up and down), and its numbering.
// Plain data and arithmetic; clos_derivation fills it, ClosFabric uses it.
//
// Ports hang on leaves. Leaves stand in blocks: every leaf of a block is cabled to all spines of
// the block (`cables_per_spine` cables each). Spine s of every block is cabled to the cores of
// group s modulo `core_groups`. Two tiers: no cores. One tier: one switch, no spines. All of that
// exists once per plane. Sources: C. Clos, Bell System Technical Journal 32(2), 1953; C. Leiserson,
// "Fat-trees", IEEE Transactions on Computers C-34(10), 1985.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "topologies/fabrics/fabric.h"
#include "topologies/fabrics/fabric_reading.h"

namespace ringspan {

// What the five kinds differ in.
struct ClosKind {
  std::string_view name;
  int least_tiers = 2, most_tiers = 2;
  bool leaf_per_rail =
      false;                 // NIC r of a server goes to leaf r of its group, else all to one leaf
  bool rails_apart = false;  // nothing joins the rails: a block per rail, no cores
};

inline constexpr std::size_t kMostPlanes = 8;

struct ClosShape {
  int tiers = 2;
  std::uint32_t planes = 1;
  std::uint32_t leaves = 0;            // of a plane, as everything below
  std::uint32_t spines = 0;            // of a block
  std::uint32_t cables_per_spine = 0;  // between a leaf and each of its spines
  std::uint32_t cores = 0;
  std::uint32_t core_groups = 1;      // divides spines and cores
  std::uint32_t cables_per_core = 0;  // between a spine and each core of its group
  std::uint32_t ports_per_leaf = 0;   // as built: the last leaf may hold fewer
  std::uint32_t leaves_per_block = 0;
  bool blocks_are_rails = false;
  bool rails_apart = false;
  std::uint32_t leaves_per_group = 1;  // leaves that serve the same servers: the rails, or 1

  std::vector<std::uint32_t> first_leaf;     // by block, and one more
  std::vector<std::uint32_t> block_of_leaf;  // by leaf
  std::vector<std::uint32_t> leaf_of_port;
  // Ports counted up within their leaf, leaf after leaf: what static routes take modulo the ways.
  std::vector<std::uint32_t> number_of_port;

  FabricCable port, up, core;  // `port`: one of the `planes` cables of a NIC

  std::uint32_t blocks() const { return static_cast<std::uint32_t>(first_leaf.size()) - 1; }
  std::uint32_t leaf_uplinks() const { return spines * cables_per_spine; }
  std::uint32_t cores_per_group() const { return core_groups == 0 ? 0 : cores / core_groups; }
  std::uint32_t spine_uplinks() const { return cores_per_group() * cables_per_core; }
  std::uint32_t spines_per_group() const { return spines / core_groups; }  // of a block
  std::uint32_t spine_count() const { return blocks() * spines; }

  // Leaves that serve the same servers.
  std::uint32_t groups() const { return leaves / leaves_per_group; }
  std::uint32_t group_of_leaf(std::uint32_t leaf) const {
    return blocks_are_rails ? leaf % groups() : leaf / leaves_per_group;
  }

  // A core's number from its group and its place in it.
  std::uint32_t core_number(std::uint32_t group, std::uint32_t place) const {
    return group * cores_per_group() + place;
  }
};

}  // namespace ringspan

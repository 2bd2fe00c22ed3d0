// What a Clos fabric says of itself: tiers, cuts, drawing.

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/quantity.h"
#include "topologies/fabrics/clos_fabric.h"

namespace ringspan {

namespace {

// Capacity is what is alive, whatever the routing makes of it: the sum over cables.
constexpr PathChoice::Spread kSum = PathChoice::Spread::ByRate;

double ratio(Bandwidth below, Bandwidth above) {
  return above.bits_per_second == 0 ? 0
                                    : static_cast<double>(below.bits_per_second) /
                                          static_cast<double>(above.bits_per_second);
}

std::string numbered(std::string_view name, std::uint32_t count) {
  return count == 1 ? fmt::format("{} 0", name) : fmt::format("{} 0 .. {}", name, count - 1);
}

}  // namespace

Bandwidth ClosFabric::leaf_rate(std::uint32_t leaf, bool up) const {
  const ClosPools pools(shape_, cables_, kSum);
  double cables = 0;
  for (std::uint32_t plane = 0; plane < shape_.planes; ++plane) {
    cables += up ? pools.leaf_up(plane, leaf) : pools.leaf_down(plane, leaf);
  }
  return scaled(shape_.up.nominal, cables);
}

Bandwidth ClosFabric::block_rate(std::uint32_t block, bool up) const {
  const ClosPools pools(shape_, cables_, kSum);
  double cables = 0;
  for (std::uint32_t plane = 0; plane < shape_.planes; ++plane) {
    cables += up ? pools.block_up(plane, block) : pools.block_down(plane, block);
  }
  return scaled(shape_.core.nominal, cables);
}

Bandwidth ClosFabric::ports_rate() const {
  if (cables_.whole() && cables_.nics_whole()) {
    return shape_.port.nominal * (static_cast<std::int64_t>(ports_.size()) * shape_.planes);
  }
  double cables = 0;
  for (std::uint32_t plane = 0; plane < shape_.planes; ++plane) {
    for (std::uint32_t port = 0; port < ports_.size(); ++port) {
      cables += cables_.nic_cable(plane, port);
    }
  }
  return scaled(shape_.port.nominal, cables);
}

FabricTier ClosFabric::port_tier() const {
  FabricTier tier{"port", "NIC", std::string(clos_level_name(shape_, ClosLevel::Leaf)), 0, 0,
                  {},     1};
  tier.switches = std::int64_t{shape_.leaves} * shape_.planes;
  for (std::uint32_t plane = 0; plane < shape_.planes; ++plane) {
    for (const std::uint32_t leaf : shape_.leaf_of_port) {
      tier.cables += cables_.port_cable(plane, leaf) > 0 ? 1 : 0;
    }
  }
  tier.up = ports_rate();
  return tier;
}

FabricTier ClosFabric::leaf_tier() const {
  FabricTier tier{"leaf-spine", "leaf", "spine", 0, 0, {}, 1};
  tier.switches = std::int64_t{shape_.spine_count()} * shape_.planes;
  tier.cables = std::int64_t{shape_.planes} * shape_.leaves * shape_.leaf_uplinks() -
                cables_.dead_leaf_cables();
  for (std::uint32_t leaf = 0; leaf < shape_.leaves; ++leaf) {
    tier.up = tier.up + leaf_rate(leaf, true);
  }
  // As built: every leaf with all the ports it was built for.
  const Bandwidth below =
      shape_.port.nominal * (std::int64_t{shape_.planes} * shape_.leaves * shape_.ports_per_leaf);
  tier.oversubscription = ratio(below, tier.up);
  return tier;
}

FabricTier ClosFabric::spine_tier() const {
  FabricTier tier{"spine-core", "spine", "core", 0, 0, {}, 1};
  tier.switches = std::int64_t{shape_.cores} * shape_.planes;
  tier.cables = std::int64_t{shape_.planes} * shape_.spine_count() * shape_.spine_uplinks() -
                cables_.dead_spine_cables();
  for (std::uint32_t block = 0; block < shape_.blocks(); ++block) {
    tier.up = tier.up + block_rate(block, true);
  }
  const Bandwidth below = shape_.up.nominal * (std::int64_t{shape_.planes} * shape_.blocks() *
                                               shape_.leaves_per_block * shape_.leaf_uplinks());
  tier.oversubscription = ratio(below, tier.up);
  return tier;
}

std::vector<FabricTier> ClosFabric::tiers() const {
  std::vector<FabricTier> tiers{port_tier()};
  if (shape_.tiers > 1) tiers.push_back(leaf_tier());
  if (shape_.tiers > 2) tiers.push_back(spine_tier());
  return tiers;
}

Bandwidth ClosFabric::bisection() const {
  Bandwidth narrowest = ports_rate();
  if (shape_.tiers > 1 && shape_.groups() > 1) narrowest = std::min(narrowest, leaf_tier().up);
  if (shape_.tiers > 2 && shape_.blocks() > 1 && !shape_.blocks_are_rails) {
    narrowest = std::min(narrowest, spine_tier().up);
  }
  return {narrowest.bits_per_second / 2};
}

// One node for all servers and, plane by plane, one per tier of switches.
FabricDrawing ClosFabric::drawing() const {
  FabricDrawing drawing;
  const std::uint32_t servers = static_cast<std::uint32_t>(ports_.back().server) + 1;
  drawing.nodes.push_back({numbered("server", servers), 0});
  const std::vector<FabricTier> all = tiers();
  for (std::uint32_t plane = 0; plane < shape_.planes; ++plane) {
    std::size_t below = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const FabricTier& tier = all[i];
      const auto switches = static_cast<std::uint32_t>(tier.switches / shape_.planes);
      std::string label = numbered(tier.above, switches);
      if (shape_.planes > 1) label = fmt::format("plane {}: {}", plane, label);
      drawing.nodes.push_back({label, static_cast<int>(i) + 1});
      const std::size_t above = drawing.nodes.size() - 1;
      drawing.edges.push_back(
          {below, above,
           fmt::format("{} x {}, {} each way", tier.cables / shape_.planes,
                       cable_of(static_cast<Family>(2 * i)).preset,
                       format_bandwidth({tier.up.bits_per_second / shape_.planes}))});
      below = above;
    }
  }
  return drawing;
}

}  // namespace ringspan

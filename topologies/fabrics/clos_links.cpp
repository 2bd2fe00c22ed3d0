// Numbers, names and rates of a Clos fabric's links.

#include <algorithm>

#include <fmt/format.h>

#include "topologies/fabrics/clos_fabric.h"

namespace ringspan {

namespace {

std::string place_name(const FabricPort& port) {
  return fmt::format("server{}.nic{}", port.server, port.rail);
}

}  // namespace

void ClosFabric::number_links() {
  const std::uint32_t planes = shape_.planes;
  const auto ports = static_cast<std::uint32_t>(ports_.size()) * planes;
  std::uint32_t leaf = 0, spine = 0;
  if (shape_.tiers > 1) {
    leaf = planes * shape_.leaves * (pooled() ? 1 : shape_.leaf_uplinks());
  }
  if (shape_.tiers > 2) {
    spine = planes * (pooled() ? shape_.blocks() : shape_.spine_count() * shape_.spine_uplinks());
  }
  first_ = {0};
  for (const std::uint32_t count : {ports, ports, leaf, leaf, spine, spine}) {
    first_.push_back(first_.back() + count);
  }
}

void ClosFabric::fill_pools() {
  const ClosPools pools(shape_, cables_, choice_->spread());
  pools_.resize(link_count() - first_[LeafUp]);
  const auto set = [&](std::uint32_t number, const FabricCable& cable, double alive,
                       std::uint32_t built) {
    // A pool without an alive cable keeps the rate it was built with: no route uses it, and links
    // have a rate.
    pools_[number - first_[LeafUp]] = scaled(cable.nominal, alive > 0 ? alive : built);
  };
  for (std::uint32_t plane = 0; plane < shape_.planes; ++plane) {
    if (shape_.tiers < 2) break;
    const std::uint32_t uplinks = shape_.leaf_uplinks();
    for (std::uint32_t leaf = 0; leaf < shape_.leaves; ++leaf) {
      set(leaf_pool(LeafUp, plane, leaf), shape_.up, pools.leaf_up(plane, leaf), uplinks);
      set(leaf_pool(LeafDown, plane, leaf), shape_.up, pools.leaf_down(plane, leaf), uplinks);
    }
    if (shape_.tiers < 3) continue;
    const std::uint32_t above = shape_.spines * shape_.spine_uplinks();
    for (std::uint32_t block = 0; block < shape_.blocks(); ++block) {
      set(block_pool(SpineUp, plane, block), shape_.core, pools.block_up(plane, block), above);
      set(block_pool(SpineDown, plane, block), shape_.core, pools.block_down(plane, block), above);
    }
  }
}

ClosFabric::Family ClosFabric::family_of(std::uint32_t number) const {
  int family = PortUp;
  while (number >= first_[static_cast<std::size_t>(family) + 1]) ++family;
  return static_cast<Family>(family);
}

const FabricCable& ClosFabric::cable_of(Family family) const {
  if (family <= PortDown) return shape_.port;
  return family <= LeafDown ? shape_.up : shape_.core;
}

Bandwidth ClosFabric::nominal(Family family, std::uint32_t index) const {
  const FabricCable& cable = cable_of(family);
  if (family > PortDown && pooled()) return pools_[first_[family] - first_[LeafUp] + index];
  double share = 1;
  if (family <= PortDown) {
    const auto ports = static_cast<std::uint32_t>(ports_.size());
    share = cables_.nic_cable(index / ports, index % ports);
  } else if (!cables_.whole()) {
    share = family <= LeafDown ? cables_.leaf_cable(index) : cables_.spine_cable(index);
  }
  // A dead cable keeps its rate: no route uses it, and links have a rate.
  return share > 0 ? scaled(cable.nominal, share) : cable.nominal;
}

Bandwidth ClosFabric::payload(std::uint32_t number) const {
  const Family family = family_of(number);
  return scaled(nominal(family, number - first_[family]), cable_of(family).efficiency);
}

std::string_view ClosFabric::preset(std::uint32_t number) const {
  return cable_of(family_of(number)).preset;
}

FabricLink ClosFabric::link(std::uint32_t number) const {
  const Family family = family_of(number);
  const std::uint32_t index = number - first_[family];
  const FabricCable& cable = cable_of(family);
  const char* tier = family <= PortDown ? "port" : family <= LeafDown ? "leaf-spine" : "spine-core";
  return {link_name(family, index), cable.preset,     tier,
          nominal(family, index),   cable.efficiency, cable.latency};
}

std::string ClosFabric::link_name(Family family, std::uint32_t index) const {
  if (family <= PortDown) return port_link_name(family, index);
  if (pooled()) return pool_name(family, index);
  return family <= LeafDown ? leaf_cable_name(family, index) : spine_cable_name(family, index);
}

std::string ClosFabric::port_link_name(Family family, std::uint32_t index) const {
  const auto ports = static_cast<std::uint32_t>(ports_.size());
  const std::uint32_t port = index % ports;
  const std::string nic = place_name(ports_[port]);
  const std::string leaf =
      clos_switch_name(shape_, {ClosLevel::Leaf, index / ports, shape_.leaf_of_port[port]});
  return family == PortUp ? fmt::format("{} -> {}", nic, leaf) : fmt::format("{} -> {}", leaf, nic);
}

std::string ClosFabric::pool_name(Family family, std::uint32_t index) const {
  const bool leaf = family <= LeafDown;
  const std::uint32_t size = leaf ? shape_.leaves : shape_.blocks();
  const std::uint32_t plane = index / size, number = index % size;
  const std::string cables =
      fmt::format("{} x {}", leaf ? shape_.leaf_uplinks() : shape_.spines * shape_.spine_uplinks(),
                  cable_of(family).preset);
  const std::string prefix = shape_.planes == 1 ? "" : fmt::format("plane{}.", plane);
  const std::string below = leaf ? clos_switch_name(shape_, {ClosLevel::Leaf, plane, number})
                                 : fmt::format("{}spines of {} {}", prefix,
                                               shape_.blocks_are_rails ? "rail" : "pod", number);
  const std::string above = leaf ? prefix + "spines" : prefix + "cores";
  return family == LeafUp || family == SpineUp ? fmt::format("{} -> {} ({})", below, above, cables)
                                               : fmt::format("{} -> {} ({})", above, below, cables);
}

std::string ClosFabric::leaf_cable_name(Family family, std::uint32_t index) const {
  const std::uint32_t cable = index % shape_.cables_per_spine;
  const std::uint32_t spine = index / shape_.cables_per_spine % shape_.spines;
  const std::uint32_t leaf = index / shape_.leaf_uplinks() % shape_.leaves;
  const std::uint32_t plane = index / shape_.leaf_uplinks() / shape_.leaves;
  const std::uint32_t block = shape_.block_of_leaf[leaf];
  const std::string low = clos_switch_name(shape_, {ClosLevel::Leaf, plane, leaf});
  const std::string high =
      clos_switch_name(shape_, {ClosLevel::Spine, plane, block * shape_.spines + spine});
  return fmt::format("{} -> {}, cable {}", family == LeafUp ? low : high,
                     family == LeafUp ? high : low, cable);
}

std::string ClosFabric::spine_cable_name(Family family, std::uint32_t index) const {
  const std::uint32_t cable = index % shape_.cables_per_core;
  const std::uint32_t place = index / shape_.cables_per_core % shape_.cores_per_group();
  const std::uint32_t spine = index / shape_.spine_uplinks() % shape_.spine_count();
  const std::uint32_t plane = index / shape_.spine_uplinks() / shape_.spine_count();
  const std::uint32_t group = spine % shape_.spines % shape_.core_groups;
  const std::string low = clos_switch_name(shape_, {ClosLevel::Spine, plane, spine});
  const std::string high =
      clos_switch_name(shape_, {ClosLevel::Core, plane, shape_.core_number(group, place)});
  return fmt::format("{} -> {}, cable {}", family == SpineUp ? low : high,
                     family == SpineUp ? high : low, cable);
}

std::string ClosFabric::attachment_name(std::uint32_t number) const {
  return fmt::format("{}{}", clos_level_name(shape_, ClosLevel::Leaf), number);
}

std::vector<FabricLevel> ClosFabric::levels() const {
  std::vector<FabricLevel> levels;
  if (shape_.blocks() > 1) {
    levels.push_back({shape_.blocks_are_rails ? "rail" : "pod", shape_.block_of_leaf});
  }
  return levels;
}

}  // namespace ringspan

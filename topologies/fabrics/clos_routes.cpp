// Routes through a Clos fabric, by formula. Stages: NIC to leaf, leaf to spine, spine to core, and
// down again.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/base/check.h"
#include "sim/base/input_error.h"
#include "topologies/fabrics/clos_fabric.h"

namespace ringspan {

namespace {

// The way picked among all `ways` as built, or, where that is not usable, one of those that are:
// `pick_instead` gets their number. So a dead way moves its own flows only.
template <typename Usable, typename Instead>
std::uint32_t usable_way(std::uint32_t picked, bool whole, std::uint32_t ways, Usable usable,
                         Instead pick_instead) {
  if (whole || usable(picked)) return picked;
  std::uint32_t count = 0;
  for (std::uint32_t way = 0; way < ways; ++way) count += usable(way) ? 1 : 0;
  RINGSPAN_CHECK(count > 0, "a way was found before it is chosen");
  std::uint32_t left = pick_instead(count);
  std::uint32_t way = 0;
  while (!usable(way) || left-- > 0) ++way;
  return way;
}

constexpr const char* kApartHint = "take the [[fault]] out, or leave those servers out";

}  // namespace

ClosFabric::Climb ClosFabric::climb(std::uint32_t from_leaf, std::uint32_t to_leaf) const {
  if (from_leaf == to_leaf) return ToLeaf;
  return shape_.block_of_leaf[from_leaf] == shape_.block_of_leaf[to_leaf] ? ToSpine : ToCore;
}

void ClosFabric::set_length(Climb climb, FabricRoute& out) const {
  out.latency = 2 * (nic_latency_ + shape_.port.latency);
  if (climb >= ToSpine) out.latency += 2 * shape_.up.latency;
  if (climb >= ToCore) out.latency += 2 * shape_.core.latency;
  out.switches = 1 + 2 * static_cast<int>(climb);
}

bool ClosFabric::spine_serves(std::uint32_t plane, std::uint32_t spine, std::uint32_t leaf) const {
  return alive_leaf_cable(plane, leaf, spine).has_value();
}

bool ClosFabric::core_way(std::uint32_t plane, std::uint32_t core, std::uint32_t leaf,
                          std::uint32_t spine, std::uint32_t cable) const {
  const std::uint32_t block = shape_.block_of_leaf[leaf];
  return cables_.spine_cable(plane, block * shape_.spines + spine, core % shape_.cores_per_group(),
                             cable) > 0 &&
         spine_serves(plane, spine, leaf);
}

bool ClosFabric::core_serves(std::uint32_t plane, std::uint32_t core, std::uint32_t leaf,
                             std::uint32_t spine) const {
  for (std::uint32_t cable = 0; cable < shape_.cables_per_core; ++cable) {
    if (core_way(plane, core, leaf, spine, cable)) return true;
  }
  return false;
}

bool ClosFabric::core_reaches(std::uint32_t plane, std::uint32_t core, std::uint32_t leaf) const {
  const std::uint32_t group = core / shape_.cores_per_group();
  for (std::uint32_t spine = group; spine < shape_.spines; spine += shape_.core_groups) {
    if (core_serves(plane, core, leaf, spine)) return true;
  }
  return false;
}

bool ClosFabric::spine_way(std::uint32_t plane, std::uint32_t block, std::uint32_t spine,
                           std::uint32_t way, std::uint32_t leaf) const {
  const std::uint32_t place = way % shape_.cores_per_group();
  const std::uint32_t cable = way / shape_.cores_per_group();
  return cables_.spine_cable(plane, block * shape_.spines + spine, place, cable) > 0 &&
         core_reaches(plane, shape_.core_number(spine % shape_.core_groups, place), leaf);
}

bool ClosFabric::spine_reaches(std::uint32_t plane, std::uint32_t block, std::uint32_t spine,
                               std::uint32_t leaf) const {
  if (shape_.block_of_leaf[leaf] == block) return spine_serves(plane, spine, leaf);
  for (std::uint32_t way = 0; way < shape_.spine_uplinks(); ++way) {
    if (spine_way(plane, block, spine, way, leaf)) return true;
  }
  return false;
}

bool ClosFabric::leaf_way(std::uint32_t plane, std::uint32_t from, std::uint32_t way,
                          std::uint32_t to) const {
  const std::uint32_t spine = way % shape_.spines;
  return cables_.leaf_cable(plane, from, spine, way / shape_.spines) > 0 &&
         spine_reaches(plane, shape_.block_of_leaf[from], spine, to);
}

bool ClosFabric::plane_joins(std::uint32_t plane, std::uint32_t from, std::uint32_t to) const {
  if (shape_.rails_apart && shape_.block_of_leaf[from] != shape_.block_of_leaf[to]) return false;
  if (cables_.whole()) return true;
  if (cables_.port_cable(plane, from) <= 0 || cables_.port_cable(plane, to) <= 0) return false;
  if (from == to) return true;
  for (std::uint32_t way = 0; way < shape_.leaf_uplinks(); ++way) {
    if (leaf_way(plane, from, way, to)) return true;
  }
  return false;
}

void ClosFabric::refuse_dead_leaf(std::uint32_t leaf) const {
  for (std::uint32_t plane = 0; plane < shape_.planes; ++plane) {
    if (cables_.port_cable(plane, leaf) > 0) return;
  }
  const std::string name = attachment_name(leaf);
  throw InputError(fault_places_.of(name, name), fmt::format("{} is dead", name), kApartHint);
}

void ClosFabric::refuse_route(std::uint32_t from, std::uint32_t to) const {
  if (shape_.rails_apart && shape_.block_of_leaf[from] != shape_.block_of_leaf[to]) {
    throw InputError(fault_places_.network(),
                     fmt::format("a rail-only fabric does not join rail {} and rail {}",
                                 shape_.block_of_leaf[from], shape_.block_of_leaf[to]),
                     "leave PXN on: data then changes rails over NVLink, inside a server");
  }
  refuse_dead_leaf(from);
  refuse_dead_leaf(to);
  const std::string a = attachment_name(from), b = attachment_name(to);
  throw InputError(fault_places_.of(a, b), fmt::format("no alive way leads from {} to {}", a, b),
                   kApartHint);
}

void ClosFabric::route(const FlowKey& flow, FabricRoute& out) const {
  out.uses.clear();
  const std::uint32_t from = shape_.leaf_of_port[flow.source];
  const std::uint32_t to = shape_.leaf_of_port[flow.destination];
  const Climb height = climb(from, to);
  if (height == ToCore && shape_.rails_apart) refuse_route(from, to);
  set_length(height, out);
  if (pooled()) {
    pooled_route(flow, height, out);
  } else {
    one_way(flow, height, out);
  }
}

// What a plane gets of a flow beside other planes; 0: it does not join the two.
double ClosFabric::plane_weight(std::uint32_t plane, std::uint32_t from, std::uint32_t to) const {
  if (cables_.whole()) return 1;
  if (!plane_joins(plane, from, to)) return 0;
  if (choice_->spread() != PathChoice::Spread::ByRate) return 1;
  double weight = std::min(cables_.port_cable(plane, from), cables_.port_cable(plane, to));
  if (from == to) return weight;
  const double built =
      static_cast<double>(scaled(shape_.up.nominal, shape_.leaf_uplinks()).bits_per_second);
  for (const std::uint32_t pool :
       {leaf_pool(LeafUp, plane, from), leaf_pool(LeafDown, plane, to)}) {
    const Bandwidth left = pools_[pool - first_[LeafUp]];
    weight = std::min(weight, static_cast<double>(left.bits_per_second) / built);
  }
  return weight;
}

void ClosFabric::pooled_route(const FlowKey& flow, Climb height, FabricRoute& out) const {
  const std::uint32_t planes = shape_.planes;
  if (planes == 1 && cables_.whole()) {
    append_pools(0, flow, height, 1, out);
    return;
  }
  const std::uint32_t from = shape_.leaf_of_port[flow.source];
  const std::uint32_t to = shape_.leaf_of_port[flow.destination];
  std::array<double, kMostPlanes> weights{};
  double sum = 0;
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    weights[plane] = plane_weight(plane, from, to);
    sum += weights[plane];
  }
  if (sum <= 0) refuse_route(from, to);
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    const auto share = static_cast<float>(weights[plane] / sum);
    if (share > 0) append_pools(plane, flow, height, share, out);
  }
  if (planes > 1) sort_by_stage(out);
}

void ClosFabric::append_pools(std::uint32_t plane, const FlowKey& flow, Climb height, float share,
                              FabricRoute& out) const {
  const std::uint32_t from = shape_.leaf_of_port[flow.source];
  const std::uint32_t to = shape_.leaf_of_port[flow.destination];
  std::uint32_t stage = 0;
  const auto add = [&](std::uint32_t link) { out.uses.push_back({link, share, stage++}); };
  add(port_link(PortUp, plane, flow.source));
  if (height >= ToSpine) add(leaf_pool(LeafUp, plane, from));
  if (height >= ToCore) {
    add(block_pool(SpineUp, plane, shape_.block_of_leaf[from]));
    add(block_pool(SpineDown, plane, shape_.block_of_leaf[to]));
  }
  if (height >= ToSpine) add(leaf_pool(LeafDown, plane, to));
  add(port_link(PortDown, plane, flow.destination));
}

void ClosFabric::sort_by_stage(FabricRoute& out) {
  std::stable_sort(out.uses.begin(), out.uses.end(),
                   [](const FabricUse& a, const FabricUse& b) { return a.stage < b.stage; });
}

// Numbers by which switches draw: switches of all planes, then NICs.
std::uint32_t ClosFabric::place_of(const ClosSwitch& which) const {
  std::uint32_t place = which.index;
  if (which.level >= ClosLevel::Spine) place += shape_.leaves;
  if (which.level == ClosLevel::Core) place += shape_.spine_count();
  return which.plane * (shape_.leaves + shape_.spine_count() + shape_.cores) + place;
}

std::uint32_t ClosFabric::choose_plane(const FlowKey& flow, std::uint32_t from,
                                       std::uint32_t to) const {
  if (shape_.planes == 1 && cables_.whole()) return 0;
  bool any = false;
  for (std::uint32_t plane = 0; plane < shape_.planes && !any; ++plane) {
    any = plane_joins(plane, from, to);
  }
  if (!any) refuse_route(from, to);
  const std::uint32_t nic = place_of({ClosLevel::Leaf, shape_.planes, flow.source});
  return usable_way(
      choice_->pick(nic, flow, shape_.planes), cables_.whole(), shape_.planes,
      [&](std::uint32_t plane) { return plane_joins(plane, from, to); },
      [&](std::uint32_t others) {
        return choice_->pick_instead(nic, flow, others, shape_.planes);
      });
}

// Every cable by the choice of the switch below it, going up, or above it, going down. The digits
// that a static routing takes of a destination going down are those it took going up, so that a
// destination has one spine, core and cable number for all.
void ClosFabric::one_way(const FlowKey& ports, Climb height, FabricRoute& out) const {
  const std::uint32_t from = shape_.leaf_of_port[ports.source];
  const std::uint32_t to = shape_.leaf_of_port[ports.destination];
  const FlowKey flow{ports.source, shape_.number_of_port[ports.destination], ports.channel};
  const std::uint32_t plane = choose_plane(flow, from, to);
  append_use(out, port_link(PortUp, plane, ports.source));
  if (height >= ToSpine) {
    std::uint32_t spine = up_to_spine(plane, flow, from, to, out);
    if (height >= ToCore) {
      const std::uint32_t core = up_to_core(plane, flow, from, to, spine, out);
      spine = down_to_spine(plane, flow, core, to, out);
    }
    down_to_leaf(plane, flow, spine, to, out);
  }
  append_use(out, port_link(PortDown, plane, ports.destination));
}

void ClosFabric::append_use(FabricRoute& out, std::uint32_t link) {
  out.uses.push_back({link, 1, static_cast<std::uint32_t>(out.uses.size())});
}

// The switch above, then one of the cables to it: a fabric with fewer of either then only adds
// flows to those that are left. Way w of a switch is cable w / switches to switch w % switches.
std::uint32_t ClosFabric::pick_bundled(std::uint32_t at, const FlowKey& flow, const Ways& ways,
                                       std::uint32_t before) const {
  const std::uint32_t above = choice_->pick_above(at, flow, ways.switches, before);
  if (ways.cables == 1) return above;
  // A second draw of the same switch: as from another place, or it would repeat the first.
  return above +
         ways.switches * choice_->pick_above(~at, flow, ways.cables, before * ways.switches);
}

std::uint32_t ClosFabric::up_to_spine(std::uint32_t plane, const FlowKey& flow, std::uint32_t from,
                                      std::uint32_t to, FabricRoute& out) const {
  const std::uint32_t at = place_of({ClosLevel::Leaf, plane, from});
  const std::uint32_t way = usable_way(
      pick_bundled(at, flow, {shape_.spines, shape_.cables_per_spine}, shape_.planes),
      cables_.whole(), shape_.leaf_uplinks(),
      [&](std::uint32_t w) { return leaf_way(plane, from, w, to); },
      [&](std::uint32_t others) {
        return choice_->pick_instead(at, flow, others, shape_.planes * shape_.leaf_uplinks());
      });
  const std::uint32_t spine = way % shape_.spines;
  append_use(out,
             first_[LeafUp] + cables_.leaf_cable_number(plane, from, spine, way / shape_.spines));
  return spine;
}

std::uint32_t ClosFabric::up_to_core(std::uint32_t plane, const FlowKey& flow, std::uint32_t from,
                                     std::uint32_t to, std::uint32_t spine,
                                     FabricRoute& out) const {
  const std::uint32_t block = shape_.block_of_leaf[from];
  const std::uint32_t below = block * shape_.spines + spine;
  const std::uint32_t at = place_of({ClosLevel::Spine, plane, below});
  // All cables to one spine meet there, so only the spines were told apart below.
  const std::uint32_t passed = shape_.planes * shape_.spines;
  const std::uint32_t way = usable_way(
      pick_bundled(at, flow, {shape_.cores_per_group(), shape_.cables_per_core}, passed),
      cables_.whole(), shape_.spine_uplinks(),
      [&](std::uint32_t w) { return spine_way(plane, block, spine, w, to); },
      [&](std::uint32_t others) {
        return choice_->pick_instead(at, flow, others, passed * shape_.spine_uplinks());
      });
  const std::uint32_t place = way % shape_.cores_per_group();
  const std::uint32_t cable = way / shape_.cores_per_group();
  append_use(out, first_[SpineUp] + cables_.spine_cable_number(plane, below, place, cable));
  return shape_.core_number(spine % shape_.core_groups, place);
}

// Returns the spine's place in the block of the leaf `to`.
std::uint32_t ClosFabric::down_to_spine(std::uint32_t plane, const FlowKey& flow,
                                        std::uint32_t core, std::uint32_t to,
                                        FabricRoute& out) const {
  const bool whole = cables_.whole();
  const std::uint32_t at = place_of({ClosLevel::Core, plane, core});
  const std::uint32_t group = core / shape_.cores_per_group();
  const std::uint32_t forks = shape_.planes * shape_.core_groups;
  const std::uint32_t nth = usable_way(
      choice_->pick_above(at, flow, shape_.spines_per_group(), forks), whole,
      shape_.spines_per_group(),
      [&](std::uint32_t n) { return core_serves(plane, core, to, group + n * shape_.core_groups); },
      [&](std::uint32_t others) {
        return choice_->pick_instead(at, flow, others, forks * shape_.spines_per_group());
      });
  const std::uint32_t spine = group + nth * shape_.core_groups;
  // A second draw of the same switch: as from another place, or it would repeat the first.
  const std::uint32_t passed = shape_.planes * shape_.spines * shape_.cores_per_group();
  const std::uint32_t cable = usable_way(
      choice_->pick_above(~at, flow, shape_.cables_per_core, passed), whole, shape_.cables_per_core,
      [&](std::uint32_t c) { return core_way(plane, core, to, spine, c); },
      [&](std::uint32_t others) {
        return choice_->pick_instead(~at, flow, others, passed * shape_.cables_per_core);
      });
  const std::uint32_t below = shape_.block_of_leaf[to] * shape_.spines + spine;
  append_use(out, first_[SpineDown] + cables_.spine_cable_number(
                                          plane, below, core % shape_.cores_per_group(), cable));
  return spine;
}

void ClosFabric::down_to_leaf(std::uint32_t plane, const FlowKey& flow, std::uint32_t spine,
                              std::uint32_t to, FabricRoute& out) const {
  const std::uint32_t at =
      place_of({ClosLevel::Spine, plane, shape_.block_of_leaf[to] * shape_.spines + spine});
  const std::uint32_t passed = shape_.planes * shape_.spines;
  const std::uint32_t cable = usable_way(
      choice_->pick_above(at, flow, shape_.cables_per_spine, passed), cables_.whole(),
      shape_.cables_per_spine,
      [&](std::uint32_t c) { return cables_.leaf_cable(plane, to, spine, c) > 0; },
      [&](std::uint32_t others) {
        return choice_->pick_instead(at, flow, others, passed * shape_.cables_per_spine);
      });
  append_use(out, first_[LeafDown] + cables_.leaf_cable_number(plane, to, spine, cable));
}

}  // namespace ringspan

#include "topologies/fabrics/dragonfly_fabric.h"

#include <utility>

#include <fmt/format.h>

namespace ringspan {

namespace {

constexpr std::uint32_t kLocal = 1;
constexpr std::uint32_t kGlobal = 2;

}  // namespace

DragonflyFabric::DragonflyFabric(const FabricInput& input, SwitchGraphParts parts)
    : SwitchGraphFabric(input, std::move(parts)),
      dragonfly_(dynamic_cast<const DragonflyGraph&>(graph())) {}

void DragonflyFabric::append_ways(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                                  FabricRoute& out) const {
  if (choice().detours()) {
    const FabricRoute before = out;
    if (detour(at, end, flow, out)) return;
    out = before;
  }
  append_one(at, end, flow, out);
}

bool DragonflyFabric::detour(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                             FabricRoute& out) const {
  const std::uint32_t from = dragonfly_.group_of(at);
  const std::uint32_t to = dragonfly_.group_of(end);
  const std::uint32_t via = choice().detour(flow, dragonfly_.shape().groups);
  if (from == to || via == from || via == to) return false;
  return enter_group(at, via, flow, out) && enter_group(at, to, flow, out) &&
         cross_group(at, end, flow, out);
}

bool DragonflyFabric::append_straight(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                                      FabricRoute& out) const {
  const std::uint32_t group = dragonfly_.group_of(end);
  if (dragonfly_.group_of(at) != group && !enter_group(at, group, flow, out)) return false;
  return cross_group(at, end, flow, out);
}

bool DragonflyFabric::usable(std::uint32_t at, const SwitchBundle& cable) const {
  if (health().alive(cable) == 0) return false;
  return cable.from == at || health().alive(dragonfly_.local(at, cable.from)) > 0;
}

bool DragonflyFabric::enter_group(std::uint32_t& at, std::uint32_t group, const FlowKey& flow,
                                  FabricRoute& out) const {
  const std::uint32_t own = dragonfly_.group_of(at);
  const std::uint32_t cables = dragonfly_.shape().global_cables;
  std::uint32_t number = 0;
  if (health().all_well()) {
    number = choice().pick(at, flow, cables);
  } else {
    std::vector<std::uint32_t> open;
    for (std::uint32_t cable = 0; cable < cables; ++cable) {
      if (usable(at, dragonfly_.global(own, group, cable))) open.push_back(cable);
    }
    if (open.empty()) return false;
    number = open[choice().pick(at, flow, static_cast<std::uint32_t>(open.size()))];
  }
  const SwitchBundle cable = dragonfly_.global(own, group, number);
  if (!cross_group(at, cable.from, flow, out) || !cross(cable, flow, out)) return false;
  at = cable.to;
  return true;
}

bool DragonflyFabric::cross_group(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                                  FabricRoute& out) const {
  return at == end || cross(dragonfly_.local(at, end), flow, out);
}

std::vector<FabricLevel> DragonflyFabric::levels() const {
  FabricLevel groups{"group", std::vector<std::uint32_t>(graph().switch_count())};
  for (std::uint32_t at = 0; at < graph().switch_count(); ++at) {
    groups.group[at] = dragonfly_.group_of(at);
  }
  return {std::move(groups)};
}

// Uniform traffic on minimal ways, switches alike: a flow leaves its group in (g - 1) / g of all
// cases, and is at another switch than the gateway, or than the destination, in (a - 1) / a.
std::vector<FabricTier> DragonflyFabric::tiers() const {
  std::vector<FabricTier> tiers{port_tier()};
  const double traffic = static_cast<double>(tiers.front().up.bits_per_second);
  const double g = dragonfly_.shape().groups;
  const double a = dragonfly_.shape().switches_per_group;
  const double leaving = (g - 1) / g;
  const auto add = [&](std::uint32_t kind, std::string side, double hops) {
    FabricTier tier = tier_of(kind, side, side);
    if (tier.up.bits_per_second == 0) return;
    tier.oversubscription = traffic * hops / (2 * static_cast<double>(tier.up.bits_per_second));
    if (kind == kGlobal) tier.switches = dragonfly_.shape().groups;
    tiers.push_back(std::move(tier));
  };
  add(kLocal, "switch", (leaving + 1) * (a - 1) / a);
  add(kGlobal, "group", leaving);
  return tiers;
}

std::vector<FabricCut> DragonflyFabric::group_cuts() const {
  std::vector<std::string> labels;
  for (std::uint32_t group = 0; group < dragonfly_.shape().groups; ++group) {
    labels.push_back(fmt::format("group {}", group));
  }
  return cuts_between(levels().front().group, labels);
}

std::vector<FabricCut> DragonflyFabric::cuts() const {
  std::vector<FabricCut> cuts = SwitchGraphFabric::cuts();
  if (dragonfly_.shape().groups > 1) {
    for (FabricCut& group : group_cuts()) cuts.push_back(std::move(group));
  }
  return cuts;
}

// Half of the groups against the others; of a single group, half of its switches.
Bandwidth DragonflyFabric::bisection() const {
  const DragonflyShape& shape = dragonfly_.shape();
  std::vector<std::uint32_t> part(graph().switch_count());
  for (std::uint32_t at = 0; at < part.size(); ++at) {
    const bool lower = shape.groups > 1 ? dragonfly_.group_of(at) < shape.groups / 2
                                        : at < shape.switches_per_group / 2;
    part[at] = lower ? 0 : 1;
  }
  if (part.size() == 1) return port_tier().up;
  return cuts_between(part, {"lower", "upper"}).front().out;
}

FabricDrawing DragonflyFabric::drawing() const {
  const DragonflyShape& shape = dragonfly_.shape();
  FabricDrawing drawing;
  const FabricTier ports = port_tier();
  drawing.nodes = {
      {fmt::format("{} NICs", ports_.size()), 0},
      {fmt::format("group0 .. {}, {} switches each", shape.groups - 1, shape.switches_per_group),
       1}};
  drawing.edges = {{0, 1, cable_label(ports.cables, kinds()[0].cable.preset, ports.up)}};
  const auto add = [&](std::uint32_t kind, std::string label) {
    const FabricTier tier = tier_of(kind, "", "");
    if (tier.cables == 0) return;
    drawing.nodes.push_back({std::move(label), 2});
    drawing.edges.push_back({1, drawing.nodes.size() - 1,
                             cable_label(tier.cables, kinds()[kind].cable.preset, tier.up)});
  };
  add(kLocal, "within groups, all to all");
  add(kGlobal, fmt::format("between groups, {} each", shape.global_cables));
  return drawing;
}

}  // namespace ringspan

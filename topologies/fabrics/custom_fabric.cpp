#include "topologies/fabrics/custom_fabric.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "topologies/fabrics/max_flow.h"

namespace ringspan {

CustomFabric::CustomFabric(const FabricInput& input, SwitchGraphParts parts,
                           std::vector<CustomTier> tiers)
    : SwitchGraphFabric(input, std::move(parts)), joined_(std::move(tiers)) {
  std::vector<std::uint32_t> order(ports_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return attachment(a) < attachment(b); });
  place_of_port_.resize(order.size());
  for (std::uint32_t place = 0; place < order.size(); ++place) place_of_port_[order[place]] = place;
}

bool CustomFabric::append_straight(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                                   FabricRoute& out) const {
  const auto table = distances().to(end);
  if (table->hops[at] == SwitchDistances::kUnreached) fail_unjoined(at, end);
  const FlowKey key{place_of_port_[flow.source], place_of_port_[flow.destination], flow.channel};
  std::uint32_t before = 1;
  std::vector<SwitchBundle> ways;
  while (at != end) {
    shortest_ways(at, *table, ways);
    std::uint32_t cables = 0;
    for (const SwitchBundle& way : ways) cables += health().alive(way);
    // Ways that lead to one switch are parallel cables, on the way down for example: no new digit.
    const bool forks = ways.front().to != ways.back().to;
    std::uint32_t picked = 0;
    if (forks) picked = choice().pick_above(at, key, cables, before);
    if (!forks && cables > 1) picked = choice().pick_cable(at, key, cables);
    std::size_t way = 0;
    for (; picked >= health().alive(ways[way]); ++way) picked -= health().alive(ways[way]);
    cross_cable(ways[way], picked, out);
    at = ways[way].to;
    if (forks && before <= std::numeric_limits<std::uint32_t>::max() / cables) before *= cables;
  }
  return true;
}

void CustomFabric::even_route(const FlowKey& flow, FabricRoute& out) const {
  append_between(flow, out, [&](std::uint32_t at, std::uint32_t end) {
    append_spread(at, end, choice().spread() == PathChoice::Spread::ByRate, out);
  });
}

std::vector<FabricTier> CustomFabric::tiers() const {
  std::vector<FabricTier> tiers{port_tier()};
  const Bandwidth from_ports = tiers.front().up;
  for (std::uint32_t kind = 0; kind < kinds().size(); ++kind) {
    if (is_port_kind(kind)) continue;
    FabricTier tier = tier_of(kind, joined_[kind].below, joined_[kind].above);
    const auto known = std::find_if(tiers.begin(), tiers.end(), [&](const FabricTier& other) {
      return other.name == tier.name;
    });
    if (known == tiers.end()) {
      tiers.push_back(std::move(tier));
      continue;
    }
    known->cables += tier.cables;
    known->up = known->up + tier.up;
  }
  for (std::size_t i = 1; i < tiers.size(); ++i) {
    FabricTier& tier = tiers[i];
    if (tier.up.bits_per_second == 0) continue;
    tier.oversubscription = static_cast<double>(from_ports.bits_per_second) /
                            static_cast<double>(tier.up.bits_per_second);
  }
  return tiers;
}

Bandwidth CustomFabric::bisection() const {
  const std::uint32_t switches = graph().switch_count();
  const std::uint32_t source = switches;
  const std::uint32_t sink = switches + 1;
  MaxFlow flow(switches + 2);
  std::vector<SwitchBundle> out;
  for (std::uint32_t at = 0; at < switches; ++at) {
    graph().bundles(at, out);
    for (const SwitchBundle& bundle : out) {
      // The other direction comes with the other switch.
      flow.add(at, bundle.to, nominal(bundle).bits_per_second, 0);
    }
  }
  const auto half = static_cast<std::uint32_t>(ports_.size() / 2);
  for (std::uint32_t port = 0; port < ports_.size(); ++port) {
    const std::int64_t rate = link(2 * port).nominal.bits_per_second;
    if (port < half) {
      flow.add(source, attachment(port), rate, 0);
    } else {
      flow.add(attachment(port), sink, rate, 0);
    }
  }
  return {flow.between(source, sink)};
}

// Cables of a kind, ports' ones included.
FabricTier CustomFabric::cables_of(std::uint32_t kind) const {
  if (!is_port_kind(kind)) return tier_of(kind, joined_[kind].below, joined_[kind].above);
  FabricTier tier{"port", "server", joined_[kind].above, 0, 0, {}, 1};
  for (std::uint32_t port = 0; port < ports_.size(); ++port) {
    if (port_kind(port) != kind) continue;
    ++tier.cables;
    tier.up = tier.up + link(2 * port).nominal;
  }
  return tier;
}

FabricDrawing CustomFabric::drawing() const {
  FabricDrawing drawing;
  drawing.nodes.push_back({fmt::format("{} NICs", ports_.size()), 0});
  const auto node = [&](const std::string& label, int level) {
    const auto known =
        std::find_if(drawing.nodes.begin(), drawing.nodes.end(),
                     [&](const FabricDrawing::Node& other) { return other.label == label; });
    if (known != drawing.nodes.end()) {
      return static_cast<std::size_t>(known - drawing.nodes.begin());
    }
    drawing.nodes.push_back({label, level});
    return drawing.nodes.size() - 1;
  };
  for (std::uint32_t kind = 0; kind < kinds().size(); ++kind) {
    const FabricTier tier = cables_of(kind);
    const std::size_t from = is_port_kind(kind) ? 0 : node(tier.below, 1);
    const std::size_t to = node(tier.above, drawing.nodes[from].level + 1);
    drawing.edges.push_back(
        {from, to, cable_label(tier.cables, kinds()[kind].cable.preset, tier.up)});
  }
  return drawing;
}

}  // namespace ringspan

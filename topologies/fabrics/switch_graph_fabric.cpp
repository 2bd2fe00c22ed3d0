#include "topologies/fabrics/switch_graph_fabric.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/base/check.h"
#include "sim/base/input_error.h"
#include "sim/base/quantity.h"

namespace ringspan {

namespace {

std::vector<double> rates(const std::vector<CableKind>& kinds) {
  std::vector<double> rates;
  for (const CableKind& kind : kinds) {
    rates.push_back(static_cast<double>(kind.cable.payload().bits_per_second));
  }
  return rates;
}

}  // namespace

SwitchGraphFabric::SwitchGraphFabric(const FabricInput& input, SwitchGraphParts parts)
    : graph_(std::move(parts.graph)),
      kinds_(std::move(parts.kinds)),
      switch_of_port_(std::move(parts.switch_of_port)),
      kind_of_port_(std::move(parts.kind_of_port)),
      nic_latency_(parts.nic_latency),
      health_(input, *graph_, switch_of_port_),
      fault_places_(input),
      distances_(*graph_, health_,
                 parts.routing.choice->spread() == PathChoice::Spread::ByRate
                     ? rates(kinds_)
                     : std::vector<double>{}) {
  ports_ = input.ports;
  routing_ = parts.routing.name;
  choice_ = std::move(parts.routing.choice);
  notes_ = std::move(parts.notes);
}

double SwitchGraphFabric::left(std::uint32_t trunk) const {
  const SwitchBundle bundle = graph().bundle_of(trunk);
  const bool pool = bundle.links == 1;
  double left = pool ? health_.bundle(bundle) : health_.cable(bundle, trunk - bundle.first_link);
  // Equal parts over a pool are as fast as its slowest cable lets them be.
  if (pool && choice().spread() == PathChoice::Spread::Even) {
    left = health_.alive(bundle) * health_.slowest(bundle);
  }
  // What is dead keeps its rate: no route uses it, and links have a rate.
  if (left <= 0) left = pool ? bundle.cables : 1;
  return left;
}

double SwitchGraphFabric::port_left(std::uint32_t port) const {
  const double left = health_.port(port);
  return left > 0 ? left : 1;
}

FabricLink SwitchGraphFabric::link(std::uint32_t number) const {
  if (number < first_trunk()) {
    const std::uint32_t port = number / 2;
    const CableKind& kind = kind_of_port(port);
    const std::string nic = port_name(ports_[port]);
    const std::string at = graph().switch_name(switch_of_port_[port]);
    const bool up = number % 2 == 0;
    return {fmt::format("{} -> {}", up ? nic : at, up ? at : nic),
            kind.cable.preset,
            kind.tier,
            scaled(kind.cable.nominal, port_left(port)),
            kind.cable.efficiency,
            kind.cable.latency};
  }
  const std::uint32_t trunk = number - first_trunk();
  const SwitchBundle bundle = graph().bundle_of(trunk);
  const CableKind& kind = kinds_[bundle.kind];
  std::string name =
      fmt::format("{} -> {}", graph().switch_name(bundle.from), graph().switch_name(bundle.to));
  if (bundle.cables > 1) {
    name += bundle.links == 1 ? fmt::format(" ({} x {})", bundle.cables, kind.cable.preset)
                              : fmt::format(", cable {}", trunk - bundle.first_link);
  }
  return {
      std::move(name),       kind.cable.preset, kind.tier, scaled(kind.cable.nominal, left(trunk)),
      kind.cable.efficiency, kind.cable.latency};
}

Bandwidth SwitchGraphFabric::payload(std::uint32_t number) const {
  if (number < first_trunk()) {
    const FabricCable& cable = kind_of_port(number / 2).cable;
    return scaled(scaled(cable.nominal, port_left(number / 2)), cable.efficiency);
  }
  const std::uint32_t trunk = number - first_trunk();
  const FabricCable& cable = kinds_[graph().bundle_of(trunk).kind].cable;
  return scaled(scaled(cable.nominal, left(trunk)), cable.efficiency);
}

std::string_view SwitchGraphFabric::preset(std::uint32_t number) const {
  if (number < first_trunk()) return kind_of_port(number / 2).cable.preset;
  return kinds_[graph().bundle_of(number - first_trunk()).kind].cable.preset;
}

void SwitchGraphFabric::check_port(std::uint32_t port) const {
  const std::uint32_t at = switch_of_port_[port];
  if (health_.is_dead(at)) {
    throw InputError(fault_places_.of(graph().switch_name(at), port_name(ports_[port])),
                     fmt::format("{} is cut off: it hangs on {}, which is dead",
                                 port_name(ports_[port]), graph().switch_name(at)),
                     "take the fault away, or leave the server out");
  }
  if (health_.port(port) <= 0) {
    throw InputError(fault_places_.of(port_name(ports_[port]), port_name(ports_[port])),
                     fmt::format("{} is cut off: its cable to {} is dead", port_name(ports_[port]),
                                 graph().switch_name(at)),
                     "take the fault away, or write it as a dead NIC");
  }
}

void SwitchGraphFabric::begin(const FlowKey& flow, FabricRoute& out) const {
  if (!health_.all_well()) {
    check_port(flow.source);
    check_port(flow.destination);
  }
  out.uses.clear();
  out.uses.push_back({2 * flow.source, 1, 0});
  out.latency = 2 * nic_latency_ + kind_of_port(flow.source).cable.latency +
                kind_of_port(flow.destination).cable.latency;
  out.switches = 1;
}

void SwitchGraphFabric::route(const FlowKey& flow, FabricRoute& out) const {
  append_between(flow, out, [&](std::uint32_t at, std::uint32_t end) {
    if (choice().spread() == PathChoice::Spread::One) {
      append_ways(at, end, flow, out);
    } else {
      append_spread(at, end, choice().spread() == PathChoice::Spread::ByRate, out);
    }
  });
}

void SwitchGraphFabric::append_ways(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                                    FabricRoute& out) const {
  if (choice().detours()) {
    const std::uint32_t via = drawn_switch(flow);
    if (via != at && via != end) {
      append_one(at, via, flow, out);
      at = via;
    }
  }
  append_one(at, end, flow, out);
}

std::uint32_t SwitchGraphFabric::drawn_switch(const FlowKey& flow) const {
  std::uint32_t drawn = choice().detour(flow, graph().switch_count());
  while (health_.is_dead(drawn)) drawn = (drawn + 1) % graph().switch_count();
  return drawn;
}

void SwitchGraphFabric::append_one(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                                   FabricRoute& out) const {
  const std::size_t uses = out.uses.size();
  const Duration latency = out.latency;
  const std::int32_t switches = out.switches;
  if (append_straight(at, end, flow, out)) return;
  out.uses.resize(uses);
  out.latency = latency;
  out.switches = switches;
  append_around(at, end, flow, out);
}

void SwitchGraphFabric::append_around(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                                      FabricRoute& out) const {
  const auto table = distances_.to(end);
  if (table->hops[at] == SwitchDistances::kUnreached) fail_unjoined(at, end);
  std::vector<SwitchBundle> ways;
  while (at != end) {
    shortest_ways(at, *table, ways);
    const SwitchBundle way = ways[choice().pick(at, flow, static_cast<std::uint32_t>(ways.size()))];
    cross(way, flow, out);
    at = way.to;
  }
}

bool SwitchGraphFabric::cross(const SwitchBundle& bundle, const FlowKey& flow,
                              FabricRoute& out) const {
  const std::uint32_t cables = health_.all_well() ? bundle.cables : health_.alive(bundle);
  if (cables == 0) return false;
  cross_cable(bundle, cables == 1 ? 0 : choice().pick_cable(bundle.from, flow, cables), out);
  return true;
}

void SwitchGraphFabric::cross_cable(const SwitchBundle& bundle, std::uint32_t index,
                                    FabricRoute& out) const {
  const std::uint32_t cable = health_.all_well() ? index : health_.alive_cable(bundle, index);
  out.uses.push_back({first_trunk() + bundle.link(cable), 1, out.uses.back().stage + 1});
  out.latency += kinds_[bundle.kind].cable.latency;
  ++out.switches;
}

namespace {

// A switch on one of the shortest ways, and what part of the flow comes there.
struct Stop {
  double share = 0;
  Duration latency{};  // over the longest way to it
};

}  // namespace

void SwitchGraphFabric::append_spread(std::uint32_t at, std::uint32_t end, bool by_rate,
                                      FabricRoute& out) const {
  const auto table = distances_.to(end);
  if (table->hops[at] == SwitchDistances::kUnreached) fail_unjoined(at, end);
  std::map<std::uint32_t, Stop> stops{{at, {1, Duration::zero()}}};
  std::vector<SwitchBundle> ways;
  std::vector<double> weights;
  for (std::uint32_t left = table->hops[at]; left > 0; --left) {
    const std::uint32_t stage = out.uses.back().stage + 1;
    std::map<std::uint32_t, Stop> next;
    for (const auto& [number, stop] : stops) {
      shortest_ways(number, *table, ways);
      const double total = weigh(ways, by_rate ? table.get() : nullptr, weights);
      for (std::size_t i = 0; i < ways.size(); ++i) {
        const double share = stop.share * weights[i] / total;
        Stop& there = next[ways[i].to];
        there.share += share;
        there.latency = std::max(there.latency, stop.latency + kinds_[ways[i].kind].cable.latency);
        append_bundle(ways[i], share, stage, out);
      }
    }
    stops = std::move(next);
    ++out.switches;
  }
  out.latency += stops.at(end).latency;
}

void SwitchGraphFabric::shortest_ways(std::uint32_t at, const SwitchDistances::Table& table,
                                      std::vector<SwitchBundle>& out) const {
  graph().bundles(at, out);
  std::erase_if(out, [&](const SwitchBundle& way) {
    return table.hops[way.to] >= table.hops[at] || health_.alive(way) == 0;
  });
}

double SwitchGraphFabric::weigh(const std::vector<SwitchBundle>& ways,
                                const SwitchDistances::Table* table,
                                std::vector<double>& weights) const {
  weights.clear();
  double total = 0;
  for (const SwitchBundle& way : ways) {
    const FabricCable& cable = kinds_[way.kind].cable;
    const double weight =
        table == nullptr
            ? health_.alive(way)
            : std::min(table->onward[way.to],
                       static_cast<double>(cable.payload().bits_per_second) * health_.bundle(way));
    weights.push_back(weight);
    total += weight;
  }
  return total;
}

void SwitchGraphFabric::append_bundle(const SwitchBundle& bundle, double share, std::uint32_t stage,
                                      FabricRoute& out) const {
  if (bundle.links == 1) {
    out.uses.push_back({first_trunk() + bundle.first_link, static_cast<float>(share), stage});
    return;
  }
  const std::uint32_t alive = health_.alive(bundle);
  for (std::uint32_t index = 0; index < alive; ++index) {
    const std::uint32_t cable = health_.alive_cable(bundle, index);
    out.uses.push_back(
        {first_trunk() + bundle.link(cable), static_cast<float>(share / alive), stage});
  }
}

void SwitchGraphFabric::fail_unjoined(std::uint32_t at, std::uint32_t end) const {
  throw InputError(
      fault_places_.of(graph().switch_name(at), graph().switch_name(end)),
      fmt::format("no cables lead from {} to {}{}", graph().switch_name(at),
                  graph().switch_name(end), health_.all_well() ? "" : " over what is alive"),
      health_.all_well() ? "add cables between the two parts" : "take a fault away");
}

Bandwidth SwitchGraphFabric::nominal(const SwitchBundle& bundle) const {
  return scaled(kinds_[bundle.kind].cable.nominal, health_.bundle(bundle));
}

FabricTier SwitchGraphFabric::tier_of(std::uint32_t kind, std::string below,
                                      std::string above) const {
  FabricTier tier{
      kinds_[kind].tier, std::move(below), std::move(above), graph().switch_count(), 0, {}, 1};
  std::vector<SwitchBundle> out;
  std::int64_t directed = 0;
  Bandwidth both{};
  for (std::uint32_t at = 0; at < graph().switch_count(); ++at) {
    graph().bundles(at, out);
    for (const SwitchBundle& bundle : out) {
      if (bundle.kind != kind) continue;
      directed += health_.alive(bundle);
      both = both + nominal(bundle);
    }
  }
  tier.cables = directed / 2;
  tier.up = {both.bits_per_second / 2};
  return tier;
}

FabricTier SwitchGraphFabric::port_tier() const {
  FabricTier tier{"port", "server", "switch", graph().switch_count(), 0, {}, 1};
  for (std::uint32_t port = 0; port < ports_.size(); ++port) {
    const double left = health_.is_dead(switch_of_port_[port]) ? 0 : health_.port(port);
    tier.cables += left > 0 ? 1 : 0;
    tier.up = tier.up + scaled(kind_of_port(port).cable.nominal, left);
  }
  return tier;
}

std::vector<FabricCut> SwitchGraphFabric::cuts_between(
    const std::vector<std::uint32_t>& part_of_switch,
    const std::vector<std::string>& labels) const {
  std::vector<FabricCut> cuts(labels.size());
  for (std::size_t part = 0; part < cuts.size(); ++part) cuts[part].label = labels[part];
  for (std::uint32_t port = 0; port < ports_.size(); ++port) {
    cuts[part_of_switch[switch_of_port_[port]]].ports.push_back(port);
  }
  std::vector<SwitchBundle> out;
  for (std::uint32_t at = 0; at < graph().switch_count(); ++at) {
    graph().bundles(at, out);
    for (const SwitchBundle& bundle : out) {
      FabricCut& from = cuts[part_of_switch[at]];
      FabricCut& to = cuts[part_of_switch[bundle.to]];
      if (&from == &to) continue;
      from.out = from.out + nominal(bundle);
      to.in = to.in + nominal(bundle);
    }
  }
  return cuts;
}

std::vector<FabricCut> SwitchGraphFabric::cuts() const {
  std::vector<std::uint32_t> part(graph().switch_count());
  std::vector<std::string> labels(graph().switch_count());
  for (std::uint32_t at = 0; at < graph().switch_count(); ++at) {
    part[at] = at;
    labels[at] = graph().switch_name(at);
  }
  return cuts_between(part, labels);
}

std::string SwitchGraphFabric::cable_label(std::int64_t cables, std::string_view preset,
                                           Bandwidth one_way) {
  return fmt::format("{} x {}, {} each way", cables, preset, format_bandwidth(one_way));
}

}  // namespace ringspan

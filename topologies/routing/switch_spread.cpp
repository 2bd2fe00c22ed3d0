#include "topologies/routing/switch_spread.h"

#include <algorithm>

#include "sim/base/check.h"

namespace ringspan {

SwitchSpread::Stop* SwitchSpread::find_stop(Layer& layer, NodeId device) {
  const auto found = std::find_if(layer.begin(), layer.end(),
                                  [&](const Stop& stop) { return stop.device == device; });
  return found == layer.end() ? nullptr : &*found;
}

// Backwards: what every stop can pass on, given that bundles into a stop share what leaves it.
void SwitchSpread::find_usable(std::vector<Layer>& layers) {
  for (std::size_t depth = layers.size() - 1; depth-- > 0;) {
    for (Stop& stop : layers[depth]) {
      for (Edge& edge : stop.out) {
        const Stop* next = find_stop(layers[depth + 1], edge.bundle->to);
        const bool last = depth + 2 == layers.size();
        const double part = edge.bundle->payload / next->arriving;
        edge.usable =
            last ? edge.bundle->payload : std::min(edge.bundle->payload, next->usable * part);
        stop.usable += edge.usable;
        if (edge.usable > 0) {
          stop.latency = std::max(stop.latency, edge.bundle->latency + next->latency);
        }
      }
    }
  }
}

SwitchSpread::SwitchSpread(const Topology& topology, const BundleTable& bundles)
    : topology_(topology), bundles_(bundles), switch_index_(topology.devices().size(), -1) {
  std::int32_t count = 0;
  for (std::uint32_t i = 0; i < topology.devices().size(); ++i) {
    if (topology.devices()[i].kind == DeviceKind::NvSwitch) switch_index_[i] = count++;
  }
  trunks_.resize(static_cast<std::size_t>(count));
  for (std::uint32_t i = 0; i < topology.devices().size(); ++i) {
    if (switch_index_[i] < 0) continue;
    for (const Bundle& bundle : bundles.from(NodeId{i})) {
      if (is_switch(bundle.to)) {
        trunks_[switch_of(NodeId{i})].push_back(&bundle);
      }
    }
  }
}

bool SwitchSpread::spread(NodeId from, NodeId to, Route& route) const {
  if (!spread_one_level(from, to, route) && !spread_levels(from, to, route)) return false;
  route.kind = PathKind::NvSwitch;
  return true;
}

// Every NVSwitch both GPUs are linked to is a plane of its own, as wide as its narrower side.
bool SwitchSpread::spread_one_level(NodeId from, NodeId to, Route& route) const {
  double total = 0;
  std::size_t planes = 0;
  for (const Bundle& up : bundles_.from(from)) {
    if (!is_switch(up.to)) continue;
    const Bundle* down = bundles_.between(up.to, to);
    if (down == nullptr) continue;
    total += std::min(up.payload, down->payload);
    ++planes;
  }
  if (planes == 0) return false;
  route.links.reserve(2 * planes);
  for (std::uint32_t stage = 0; stage < 2; ++stage) {
    for (const Bundle& up : bundles_.from(from)) {
      if (!is_switch(up.to)) continue;
      const Bundle* down = bundles_.between(up.to, to);
      if (down == nullptr) continue;
      const double share = std::min(up.payload, down->payload) / total;
      bundles_.append(stage == 0 ? up : *down, share, stage, route.links);
      if (stage == 1) continue;
      route.latency = std::max(route.latency, up.latency + down->latency);
      if (route.via.empty()) route.via.push_back(up.to);
    }
  }
  return true;
}

// Breadth first from the source: the fewest switches, all of the shortest ways at once. Empty when
// the destination is not reached.
std::vector<SwitchSpread::Layer> SwitchSpread::layers_between(NodeId from, NodeId to) const {
  std::vector<Layer> layers(1);
  layers[0].push_back({from, 0, 0, 1.0, {}, {}});
  std::vector<char> seen(trunks_.size(), 0);
  Layer next;
  const auto enter = [&](Stop& stop, const Bundle& bundle) {
    Stop* target = find_stop(next, bundle.to);
    if (target == nullptr) target = &next.emplace_back(Stop{bundle.to, 0, 0, 0, {}, {}});
    target->arriving += bundle.payload;
    stop.out.push_back({&bundle, 0});
  };
  for (const Bundle& up : bundles_.from(from)) {
    if (is_switch(up.to)) enter(layers[0][0], up);
  }
  while (!next.empty()) {
    for (const Stop& stop : next) seen[switch_of(stop.device)] = 1;
    layers.push_back(std::move(next));
    next.clear();
    for (Stop& stop : layers.back()) {
      if (const Bundle* down = bundles_.between(stop.device, to)) enter(stop, *down);
    }
    if (!next.empty()) {
      layers.push_back(std::move(next));
      return layers;
    }
    for (Stop& stop : layers.back()) {
      for (const Bundle* trunk : trunks_[switch_of(stop.device)]) {
        if (!seen[switch_of(trunk->to)]) enter(stop, *trunk);
      }
    }
  }
  return {};
}

bool SwitchSpread::spread_levels(NodeId from, NodeId to, Route& route) const {
  std::vector<Layer> layers = layers_between(from, to);
  if (layers.empty()) return false;
  find_usable(layers);
  route.latency = layers[0][0].latency;
  for (std::uint32_t depth = 0; depth + 1 < layers.size(); ++depth) {
    for (const Stop& stop : layers[depth]) {
      if (stop.share <= 0) continue;
      if (depth > 0 && route.via.size() < depth) route.via.push_back(stop.device);
      for (const Edge& edge : stop.out) {
        if (edge.usable <= 0) continue;
        const double share = stop.share * edge.usable / stop.usable;
        find_stop(layers[depth + 1], edge.bundle->to)->share += share;
        bundles_.append(*edge.bundle, share, depth, route.links);
      }
    }
  }
  return true;
}

SwitchPort SwitchSpread::port(NodeId gpu) const {
  RINGSPAN_CHECK(topology_.has_multicast(), "switch_port() needs switches that multicast");
  SwitchPort port;
  double up_total = 0;
  double down_total = 0;
  for (const Bundle& up : bundles_.from(gpu)) {
    if (!is_switch(up.to)) continue;
    up_total += up.payload;
    down_total += bundles_.between(up.to, gpu)->payload;
  }
  for (const Bundle& up : bundles_.from(gpu)) {
    if (!is_switch(up.to)) continue;
    const Bundle& down = *bundles_.between(up.to, gpu);
    bundles_.append(up, up.payload / up_total, 0, port.up);
    bundles_.append(down, down.payload / down_total, 1, port.down);
    port.latency = std::max(port.latency, up.latency + down.latency);
  }
  return port;
}

}  // namespace ringspan

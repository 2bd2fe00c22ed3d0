#include "topologies/fabrics/torus_fabric.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/check.h"

namespace ringspan {

TorusGraph::TorusGraph(TorusShape shape, std::vector<std::uint32_t> cables)
    : shape_(std::move(shape)), cables_(std::move(cables)) {
  RINGSPAN_CHECK(cables_.size() == shape_.sizes().size(), "cables are given by dimension");
  for (std::uint32_t d = 0; d < cables_.size(); ++d) {
    first_.push_back(stride_);
    stride_ += shape_.directions(d) * cables_[d];
  }
}

SwitchBundle TorusGraph::bundle(std::uint32_t at, TorusStep step) const {
  const std::uint32_t cables = cables_[step.dimension];
  const std::uint32_t first = at * stride_ + first_[step.dimension] + (step.up ? 0 : cables);
  return {at, shape_.neighbour(at, step), first, cables, cables, 1 + step.dimension};
}

void TorusGraph::bundles(std::uint32_t at, std::vector<SwitchBundle>& out) const {
  out.clear();
  for (std::uint32_t d = 0; d < cables_.size(); ++d) {
    const std::uint32_t directions = shape_.directions(d);
    if (directions >= 1) out.push_back(bundle(at, {d, true}));
    if (directions == 2) out.push_back(bundle(at, {d, false}));
  }
}

SwitchBundle TorusGraph::bundle_of(std::uint32_t link) const {
  const std::uint32_t slot = link % stride_;
  // A dimension of size 1 has no links, so the last one that begins at or before the slot is it.
  const auto after = std::upper_bound(first_.begin(), first_.end(), slot);
  const auto dimension = static_cast<std::uint32_t>(after - first_.begin() - 1);
  return bundle(link / stride_, {dimension, slot - first_[dimension] < cables_[dimension]});
}

TorusFabric::TorusFabric(const FabricInput& input, SwitchGraphParts parts)
    : SwitchGraphFabric(input, std::move(parts)),
      torus_(dynamic_cast<const TorusGraph&>(graph())) {}

bool TorusFabric::append_straight(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                                  FabricRoute& out) const {
  const std::uint32_t source = at;
  TorusSteps steps;
  while (at != end) {
    torus_.shape().nearer(at, end, source, steps);
    const std::uint32_t picked = steps.count == 1 ? 0 : choice().pick(at, flow, steps.count);
    const SwitchBundle bundle = torus_.bundle(at, steps.steps[picked]);
    if (!cross(bundle, flow, out)) return false;
    at = bundle.to;
  }
  return true;
}

namespace {

// Hops in a dimension, averaged over all pairs, a switch with itself included: k/4, or
// (k^2 - 1) / 4k where k is odd (Dally and Towles, "Principles and Practices of Interconnection
// Networks", 2004, section 3.2).
double average_hops(std::uint32_t size) {
  const auto k = static_cast<double>(size);
  return size % 2 == 0 ? k / 4 : (k * k - 1) / (4 * k);
}

}  // namespace

std::vector<FabricTier> TorusFabric::tiers() const {
  const TorusShape& shape = torus_.shape();
  std::vector<FabricTier> tiers{port_tier()};
  for (std::uint32_t d = 0; d < shape.sizes().size(); ++d) {
    if (shape.directions(d) == 0) continue;
    FabricTier tier = tier_of(1 + d, "switch", "switch");
    // Uniform traffic: bytes times hops over what both directions carry.
    const double both = 2 * static_cast<double>(tier.up.bits_per_second);
    tier.oversubscription = static_cast<double>(tiers.front().up.bits_per_second) *
                            average_hops(shape.sizes()[d]) / both;
    tiers.push_back(std::move(tier));
  }
  return tiers;
}

std::vector<FabricCut> TorusFabric::halves() const {
  const TorusShape& shape = torus_.shape();
  std::vector<FabricCut> cuts;
  std::vector<std::uint32_t> part(shape.switches());
  for (std::uint32_t d = 0; d < shape.sizes().size(); ++d) {
    if (shape.sizes()[d] < 2) continue;
    const std::uint32_t half = shape.sizes()[d] / 2;
    for (std::uint32_t at = 0; at < shape.switches(); ++at) {
      part[at] = shape.coordinate(at, d) < half ? 0 : 1;
    }
    for (FabricCut& cut : cuts_between(part, {fmt::format("lower half of dimension {}", d),
                                              fmt::format("upper half of dimension {}", d)})) {
      cuts.push_back(std::move(cut));
    }
  }
  return cuts;
}

std::vector<FabricCut> TorusFabric::cuts() const {
  std::vector<FabricCut> cuts = SwitchGraphFabric::cuts();
  for (FabricCut& half : halves()) cuts.push_back(std::move(half));
  return cuts;
}

Bandwidth TorusFabric::bisection() const {
  Bandwidth least{};
  bool found = false;
  for (const FabricCut& half : halves()) {
    least = found ? std::min(least, half.out) : half.out;
    found = true;
  }
  return found ? least : port_tier().up;
}

FabricDrawing TorusFabric::drawing() const {
  const TorusShape& shape = torus_.shape();
  FabricDrawing drawing;
  const std::string_view port_preset = kinds().front().cable.preset;
  const FabricTier ports = port_tier();
  drawing.nodes = {{fmt::format("{} NICs", ports_.size()), 0},
                   {fmt::format("switch0 .. {}, torus {}", shape.switches() - 1,
                                fmt::join(shape.sizes(), " x ")),
                    1}};
  drawing.edges = {{0, 1, cable_label(ports.cables, port_preset, ports.up)}};
  for (std::uint32_t d = 0; d < shape.sizes().size(); ++d) {
    if (shape.directions(d) == 0) continue;
    const FabricTier tier = tier_of(1 + d, "switch", "switch");
    drawing.nodes.push_back({fmt::format("dimension {}: {} rings of {}", d,
                                         shape.switches() / shape.sizes()[d], shape.sizes()[d]),
                             2});
    drawing.edges.push_back({1, drawing.nodes.size() - 1,
                             cable_label(tier.cables, kinds()[1 + d].cable.preset, tier.up)});
  }
  return drawing;
}

}  // namespace ringspan

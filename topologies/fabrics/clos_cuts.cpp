// Cuts of a Clos fabric that are worth trying for lower bounds.

#include <algorithm>

#include <fmt/format.h>

#include "topologies/fabrics/clos_fabric.h"

namespace ringspan {

namespace {

void append(FabricCut& cut, const FabricCut& more) {
  cut.ports.insert(cut.ports.end(), more.ports.begin(), more.ports.end());
  cut.out = cut.out + more.out;
  cut.in = cut.in + more.in;
}

}  // namespace

// Each leaf with what hangs on it, cut off at its uplinks; a single switch at its ports.
std::vector<FabricCut> ClosFabric::leaf_cuts() const {
  std::vector<FabricCut> cuts(shape_.leaves);
  for (std::uint32_t leaf = 0; leaf < shape_.leaves; ++leaf) {
    cuts[leaf].label = attachment_name(leaf);
    cuts[leaf].out = leaf_rate(leaf, true);
    cuts[leaf].in = leaf_rate(leaf, false);
  }
  for (std::uint32_t port = 0; port < ports_.size(); ++port) {
    cuts[shape_.leaf_of_port[port]].ports.push_back(port);
  }
  return cuts;
}

// All leaves that serve the same servers.
std::vector<FabricCut> ClosFabric::group_cuts(const std::vector<FabricCut>& leaves) const {
  std::vector<FabricCut> cuts(shape_.groups());
  for (std::uint32_t leaf = 0; leaf < shape_.leaves; ++leaf) {
    FabricCut& cut = cuts[shape_.group_of_leaf(leaf)];
    cut.label = fmt::format("server group {}", shape_.group_of_leaf(leaf));
    append(cut, leaves[leaf]);
  }
  for (FabricCut& cut : cuts) std::sort(cut.ports.begin(), cut.ports.end());
  return cuts;
}

std::vector<FabricCut> ClosFabric::block_cuts(const std::vector<FabricCut>& leaves) const {
  std::vector<FabricCut> cuts(shape_.blocks());
  for (std::uint32_t leaf = 0; leaf < shape_.leaves; ++leaf) {
    append(cuts[shape_.block_of_leaf[leaf]], leaves[leaf]);
  }
  for (std::uint32_t block = 0; block < shape_.blocks(); ++block) {
    FabricCut& cut = cuts[block];
    cut.label = fmt::format("{} {}", shape_.blocks_are_rails ? "rail" : "pod", block);
    cut.out = block_rate(block, true);
    cut.in = block_rate(block, false);
    std::sort(cut.ports.begin(), cut.ports.end());
  }
  return cuts;
}

// The first half of the ports, at their cables.
FabricCut ClosFabric::half_of_ports() const {
  FabricCut cut{"half of the NICs", {}, {}, {}};
  for (std::uint32_t port = 0; port < ports_.size() / 2; ++port) {
    cut.ports.push_back(port);
    for (std::uint32_t plane = 0; plane < shape_.planes; ++plane) {
      cut.out = cut.out + scaled(shape_.port.nominal, cables_.nic_cable(plane, port));
    }
  }
  cut.in = cut.out;
  return cut;
}

std::vector<FabricCut> ClosFabric::cuts() const {
  std::vector<FabricCut> all{half_of_ports()};
  if (shape_.tiers == 1) return all;
  const auto add_with_half = [&all](const std::vector<FabricCut>& parts, const char* name) {
    all.insert(all.end(), parts.begin(), parts.end());
    if (parts.size() < 4) return;  // the half of two or three is one of them
    FabricCut half{name, {}, {}, {}};
    for (std::size_t i = 0; i < parts.size() / 2; ++i) append(half, parts[i]);
    all.push_back(std::move(half));
  };
  const std::vector<FabricCut> leaves = leaf_cuts();
  if (shape_.leaves_per_group > 1) {
    all.insert(all.end(), leaves.begin(), leaves.end());
    add_with_half(group_cuts(leaves), "half of the server groups");
  } else {
    add_with_half(leaves, "half of the leaves");
  }
  if (shape_.tiers == 3) {
    add_with_half(block_cuts(leaves),
                  shape_.blocks_are_rails ? "half of the rails" : "half of the pods");
  }
  return all;
}

}  // namespace ringspan

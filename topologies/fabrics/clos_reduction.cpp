// Reduction and multicast in the switches of a Clos fabric (SHARP): a tree of leaves, one spine of
// each block and one core. Source: R. Graham et al., "Scalable Hierarchical Aggregation and
// Reduction Protocol (SHARP)", COM-HPC 2016.

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/input_error.h"
#include "topologies/fabrics/clos_fabric.h"

namespace ringspan {

namespace {

std::vector<std::uint32_t> without_repeats(std::vector<std::uint32_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

// The leaves of `ports`, and how high their tree is.
ClosFabric::ReductionTree ClosFabric::reduction_tree(std::span<const std::uint32_t> ports) const {
  ReductionTree tree;
  std::vector<std::uint32_t> leaves, blocks;
  for (const std::uint32_t port : ports) leaves.push_back(shape_.leaf_of_port[port]);
  tree.leaves = without_repeats(std::move(leaves));
  for (const std::uint32_t leaf : tree.leaves) blocks.push_back(shape_.block_of_leaf[leaf]);
  tree.blocks = without_repeats(std::move(blocks));
  tree.height = tree.blocks.size() > 1 ? ToCore : tree.leaves.size() > 1 ? ToSpine : ToLeaf;
  return tree;
}

void ClosFabric::reduction(std::span<const std::uint32_t> ports, FabricRoute& out) const {
  if (!reduces_in_network_) {
    throw InputError("the switches of this fabric do not reduce",
                     "write in_network_reduction = true in [fabric], or use an algorithm that "
                     "reduces on GPUs, such as ring or tree");
  }
  out.uses.clear();
  const ReductionTree tree = reduction_tree(ports);
  const std::uint32_t first = tree.leaves.front(), last = tree.leaves.back();
  if (tree.height == ToCore && shape_.rails_apart) refuse_route(first, last);
  set_length(tree.height, out);
  std::vector<std::optional<TreeRoot>> roots;
  for (std::uint32_t plane = 0; plane < shape_.planes; ++plane) {
    roots.push_back(find_root(plane, ports.front(), tree));
  }
  const auto trees =
      roots.size() - static_cast<std::size_t>(std::count(roots.begin(), roots.end(), std::nullopt));
  if (trees == 0) {
    throw InputError(fmt::format("no spine and core join the {} leaves of a reduction in the "
                                 "switches",
                                 tree.leaves.size()),
                     "take out a [[fault]], or use an algorithm that reduces on GPUs");
  }
  for (std::uint32_t plane = 0; plane < shape_.planes; ++plane) {
    if (!roots[plane]) continue;
    append_tree(plane, ports, tree, *roots[plane], 1.0F / static_cast<float>(trees), out);
  }
  sort_by_stage(out);
}

// The first spine, from one drawn by the first port on, and core above it that reach all leaves.
std::optional<ClosFabric::TreeRoot> ClosFabric::find_root(std::uint32_t plane, std::uint32_t port,
                                                          const ReductionTree& tree) const {
  const bool alive = std::all_of(tree.leaves.begin(), tree.leaves.end(), [&](std::uint32_t leaf) {
    return cables_.port_cable(plane, leaf) > 0;
  });
  if (!alive) return std::nullopt;
  if (tree.height == ToLeaf) return TreeRoot{};
  for (std::uint32_t i = 0; i < shape_.spines; ++i) {
    const std::uint32_t spine = (shape_.number_of_port[port] + i) % shape_.spines;
    const bool serves =
        std::all_of(tree.leaves.begin(), tree.leaves.end(),
                    [&](std::uint32_t leaf) { return spine_serves(plane, spine, leaf); });
    if (!serves) continue;
    if (tree.height == ToSpine) return TreeRoot{spine, 0};
    for (std::uint32_t place = 0; place < shape_.cores_per_group(); ++place) {
      const bool joined =
          std::all_of(tree.blocks.begin(), tree.blocks.end(), [&](std::uint32_t block) {
            return alive_spine_cable(plane, block * shape_.spines + spine, place).has_value();
          });
      if (joined) return TreeRoot{spine, place};
    }
  }
  return std::nullopt;
}

std::optional<std::uint32_t> ClosFabric::alive_spine_cable(std::uint32_t plane, std::uint32_t spine,
                                                           std::uint32_t place) const {
  for (std::uint32_t cable = 0; cable < shape_.cables_per_core; ++cable) {
    if (cables_.spine_cable(plane, spine, place, cable) > 0) return cable;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> ClosFabric::alive_leaf_cable(std::uint32_t plane, std::uint32_t leaf,
                                                          std::uint32_t spine) const {
  for (std::uint32_t cable = 0; cable < shape_.cables_per_spine; ++cable) {
    if (cables_.leaf_cable(plane, leaf, spine, cable) > 0) return cable;
  }
  return std::nullopt;
}

// Up and down once over every cable of the tree; in a pooled fabric, over the pool it is in.
void ClosFabric::append_tree(std::uint32_t plane, std::span<const std::uint32_t> ports,
                             const ReductionTree& tree, const TreeRoot& root, float share,
                             FabricRoute& out) const {
  const std::uint32_t last = 1 + 2 * static_cast<std::uint32_t>(tree.height);
  const auto add = [&](std::uint32_t up, std::uint32_t down, std::uint32_t stage) {
    out.uses.push_back({up, share, stage});
    out.uses.push_back({down, share, last - stage});
  };
  for (const std::uint32_t port : ports) {
    add(port_link(PortUp, plane, port), port_link(PortDown, plane, port), 0);
  }
  if (tree.height == ToLeaf) return;
  for (const std::uint32_t leaf : tree.leaves) {
    std::uint32_t index = plane * shape_.leaves + leaf;
    if (!pooled()) {
      const std::uint32_t cable = *alive_leaf_cable(plane, leaf, root.spine);
      index = cables_.leaf_cable_number(plane, leaf, root.spine, cable);
    }
    add(first_[LeafUp] + index, first_[LeafDown] + index, 1);
  }
  if (tree.height == ToSpine) return;
  for (const std::uint32_t block : tree.blocks) {
    std::uint32_t index = plane * shape_.blocks() + block;
    if (!pooled()) {
      const std::uint32_t spine = block * shape_.spines + root.spine;
      const std::uint32_t cable = *alive_spine_cable(plane, spine, root.core_place);
      index = cables_.spine_cable_number(plane, spine, root.core_place, cable);
    }
    add(first_[SpineUp] + index, first_[SpineDown] + index, 2);
  }
}

}  // namespace ringspan

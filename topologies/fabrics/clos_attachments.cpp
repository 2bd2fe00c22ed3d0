// Which leaves routes treat alike.

#include <map>
#include <utility>

#include "topologies/fabrics/clos_fabric.h"

namespace ringspan {

// What is left of its NICs' cables and of its uplinks, in all planes.
std::vector<double> ClosFabric::health_of_leaf(std::uint32_t leaf) const {
  std::vector<double> health;
  if (cables_.whole()) return health;
  for (std::uint32_t plane = 0; plane < shape_.planes; ++plane) {
    health.push_back(cables_.port_cable(plane, leaf));
    for (std::uint32_t spine = 0; spine < shape_.spines; ++spine) {
      for (std::uint32_t cable = 0; cable < shape_.cables_per_spine; ++cable) {
        health.push_back(cables_.leaf_cable(plane, leaf, spine, cable));
      }
    }
  }
  return health;
}

// A route sees a leaf only through its block and its cables. Above the leaves, cables may be as
// they like: they are the same ones for all leaves of a block.
AttachmentClasses ClosFabric::attachment_classes() const {
  AttachmentClasses classes;
  std::map<std::pair<std::uint32_t, std::vector<double>>, std::uint32_t> known;
  const std::uint32_t links = pooled() ? 1 : shape_.leaf_uplinks();
  for (std::uint32_t leaf = 0; leaf < shape_.leaves; ++leaf) {
    const auto [found, added] =
        known.emplace(std::pair{shape_.block_of_leaf[leaf], health_of_leaf(leaf)}, classes.count);
    if (added) ++classes.count;
    classes.of.push_back(found->second);
    classes.first_up.push_back(first_[LeafUp] + leaf * links);
    classes.first_down.push_back(first_[LeafDown] + leaf * links);
  }
  return classes;
}

}  // namespace ringspan

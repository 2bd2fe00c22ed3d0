#pragma once

// A tree in breadth-first order, so that operations along its edges are formulas: the members stand
// in places by depth, the root in place 0; the children of a place are neighbours, and so are the
// places of one depth.

#include <cstdint>
#include <span>
#include <vector>

namespace ringspan {

struct PlacedTree {
  std::vector<std::int32_t> member;       // by place
  std::vector<std::int32_t> parent;       // by place: a place; -1 for the root
  std::vector<std::int32_t> first_child;  // by place, and one more
  std::vector<std::int32_t> first_place;  // by depth, and one more

  // parents[m] of member m, -1 for the one root. Children of one parent come as in `order`, which
  // lists all members.
  static PlacedTree build(std::span<const std::int32_t> parents,
                          std::span<const std::int32_t> order);
};

}  // namespace ringspan

#include "models/collectives/placed_tree.h"

#include <cstddef>

#include "sim/base/check.h"

namespace ringspan {

namespace {

// The children of all members in one array: those of m are [begin[m], begin[m+1]).
struct Children {
  std::vector<std::int32_t> begin, members;
  std::int32_t root = -1;

  Children(std::span<const std::int32_t> parents, std::span<const std::int32_t> order)
      : begin(parents.size() + 1, 0), members(parents.size()) {
    for (const std::int32_t parent : parents) {
      if (parent >= 0) ++begin[static_cast<std::size_t>(parent) + 1];
    }
    for (std::size_t m = 1; m < begin.size(); ++m) begin[m] += begin[m - 1];
    std::vector<std::int32_t> end(begin.begin(), begin.end() - 1);
    for (const std::int32_t member : order) {
      const std::int32_t parent = parents[static_cast<std::size_t>(member)];
      if (parent < 0) {
        root = member;
      } else {
        const std::int32_t place = end[static_cast<std::size_t>(parent)]++;
        members[static_cast<std::size_t>(place)] = member;
      }
    }
  }

  std::span<const std::int32_t> of(std::int32_t member) const {
    const auto m = static_cast<std::size_t>(member);
    return {members.data() + begin[m], members.data() + begin[m + 1]};
  }
};

}  // namespace

PlacedTree PlacedTree::build(std::span<const std::int32_t> parents,
                             std::span<const std::int32_t> order) {
  const Children children(parents, order);
  RINGSPAN_CHECK(children.root >= 0, "a tree has a root");
  PlacedTree tree;
  tree.member.push_back(children.root);
  tree.parent.push_back(-1);
  tree.first_place = {0, 1};
  for (std::size_t place = 0; place < tree.member.size(); ++place) {
    tree.first_child.push_back(static_cast<std::int32_t>(tree.member.size()));
    for (const std::int32_t child : children.of(tree.member[place])) {
      tree.member.push_back(child);
      tree.parent.push_back(static_cast<std::int32_t>(place));
    }
    const auto known = static_cast<std::int32_t>(tree.member.size());
    const std::int32_t last = tree.first_place.back();
    if (static_cast<std::int32_t>(place) + 1 == last && known > last) {
      tree.first_place.push_back(known);
    }
  }
  RINGSPAN_CHECK(tree.member.size() == parents.size(), "the tree reaches every member");
  tree.first_child.push_back(static_cast<std::int32_t>(parents.size()));
  return tree;
}

}  // namespace ringspan

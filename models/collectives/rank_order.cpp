#include "models/collectives/rank_order.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>

#include "sim/base/check.h"

namespace ringspan {

std::vector<std::int32_t> visiting_order(const RankLayout& layout, int ranks) {
  RINGSPAN_CHECK(ranks >= 1, "a communicator has at least one rank");
  const auto count = static_cast<std::size_t>(ranks);
  if (layout.order.empty()) {
    std::vector<std::int32_t> identity(count);
    std::iota(identity.begin(), identity.end(), 0);
    return identity;
  }
  RINGSPAN_CHECK(layout.order.size() == count, "the order names every rank once");
  std::vector<bool> seen(count, false);
  for (const std::int32_t rank : layout.order) {
    RINGSPAN_CHECK(rank >= 0 && rank < ranks, "the order names a rank that does not exist");
    RINGSPAN_CHECK(!seen[static_cast<std::size_t>(rank)], "the order names a rank twice");
    seen[static_cast<std::size_t>(rank)] = true;
  }
  return layout.order;
}

std::int32_t position_in(const std::vector<std::int32_t>& order, std::int32_t rank) {
  const auto found = std::find(order.begin(), order.end(), rank);
  RINGSPAN_CHECK(found != order.end(), "the rank is not in the communicator");
  return static_cast<std::int32_t>(found - order.begin());
}

std::vector<std::vector<std::int32_t>> ranks_by_node(const RankLayout& layout,
                                                     const std::vector<std::int32_t>& order) {
  if (layout.node.empty()) return {order};
  RINGSPAN_CHECK(layout.node.size() == order.size(), "the layout names a node for every rank");
  std::vector<std::vector<std::int32_t>> nodes;
  constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);
  const std::int32_t last = *std::max_element(layout.node.begin(), layout.node.end());
  std::vector<std::size_t> index_of(static_cast<std::size_t>(last) + 1, kUnknown);
  for (const std::int32_t rank : order) {
    std::size_t& index =
        index_of[static_cast<std::size_t>(layout.node[static_cast<std::size_t>(rank)])];
    if (index == kUnknown) {
      index = nodes.size();
      nodes.emplace_back();
    }
    nodes[index].push_back(rank);
  }
  return nodes;
}

bool has_several_nodes(const RankLayout& layout) {
  const auto& node = layout.node;
  return std::adjacent_find(node.begin(), node.end(), std::not_equal_to<>()) != node.end();
}

std::size_t smallest_node(const std::vector<std::vector<std::int32_t>>& nodes) {
  std::size_t smallest = nodes.front().size();
  for (const std::vector<std::int32_t>& node : nodes) smallest = std::min(smallest, node.size());
  return smallest;
}

std::int64_t common_divisor(const std::vector<std::vector<std::int32_t>>& nodes) {
  std::int64_t divisor = 0;
  for (const std::vector<std::int32_t>& node : nodes) {
    divisor = std::gcd(divisor, static_cast<std::int64_t>(node.size()));
  }
  return divisor;
}

std::vector<std::int32_t> node_by_node(const std::vector<std::vector<std::int32_t>>& nodes) {
  std::vector<std::int32_t> all;
  for (const std::vector<std::int32_t>& node : nodes)
    all.insert(all.end(), node.begin(), node.end());
  return all;
}

}  // namespace ringspan

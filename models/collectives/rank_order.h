#pragma once

// Readings of a RankLayout that several algorithms share.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/collectives/algorithm.h"

namespace ringspan {

// layout.order, or 0..ranks-1 where it is empty. Checks that it is a permutation.
std::vector<std::int32_t> visiting_order(const RankLayout& layout, int ranks);

// Where `rank` stands in `order`.
std::int32_t position_in(const std::vector<std::int32_t>& order, std::int32_t rank);

// The ranks of each node. Nodes come in the order in which `order` first meets them, and so do the
// ranks inside each; both may be any size.
std::vector<std::vector<std::int32_t>> ranks_by_node(const RankLayout& layout,
                                                     const std::vector<std::int32_t>& order);

bool has_several_nodes(const RankLayout& layout);

// The number of ranks of the smallest node.
std::size_t smallest_node(const std::vector<std::vector<std::int32_t>>& nodes);

// The largest number that divides the number of ranks of every node.
std::int64_t common_divisor(const std::vector<std::vector<std::int32_t>>& nodes);

// All ranks, node by node.
std::vector<std::int32_t> node_by_node(const std::vector<std::vector<std::int32_t>>& nodes);

// The least k with 2^k >= n.
constexpr std::int64_t ceil_log2(std::int64_t n) {
  std::int64_t log = 0;
  while ((std::int64_t{1} << log) < n) ++log;
  return log;
}

// Positions and steps count modulo the number of ranks; value is at least -n.
constexpr std::int64_t wrapped(std::int64_t value, std::int64_t n) { return (value + n) % n; }

}  // namespace ringspan

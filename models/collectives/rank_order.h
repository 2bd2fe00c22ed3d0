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

// The number of ranks of the smallest node.
std::size_t smallest_node(const std::vector<std::vector<std::int32_t>>& nodes);

// Positions and steps count modulo the number of ranks; value is at least -n.
constexpr std::int64_t wrapped(std::int64_t value, std::int64_t n) { return (value + n) % n; }

}  // namespace ringspan

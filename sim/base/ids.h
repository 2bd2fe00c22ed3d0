#pragma once

// Id<Tag>: an index that fits only its own table.

#include <compare>
#include <cstddef>
#include <cstdint>

namespace ringspan {

template <typename Tag>
struct Id {
  std::uint32_t value = 0;
  constexpr auto operator<=>(const Id&) const = default;
  constexpr std::size_t index() const { return value; }
};

struct NodeTag;
struct LinkTag;
struct RankTag;

using NodeId = Id<NodeTag>;  // a device of a Topology
using LinkId = Id<LinkTag>;  // a directed link of a Topology
using RankId = Id<RankTag>;  // a rank of a communicator

}  // namespace ringspan

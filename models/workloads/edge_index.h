#pragma once

// Numbers for edges: the ranks that send and those that receive. An alltoall over a thousand ranks
// has a million edges of one rank each, so these are kept in one word and without order; edges of
// several ranks, which go through a switch, are few. Nothing walks the index: its order never
// shows.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ringspan {

class EdgeIndex {
 public:
  using Ranks = std::span<const std::int32_t>;

  std::optional<std::uint32_t> find(Ranks sources, Ranks destinations) const;

  // Requires that the edge is not there yet.
  void add(Ranks sources, Ranks destinations, std::uint32_t number);

 private:
  using Lists = std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>;
  std::unordered_map<std::uint64_t, std::uint32_t> pairs_;
  std::map<Lists, std::uint32_t> switched_;
};

}  // namespace ringspan

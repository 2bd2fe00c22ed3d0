#include "models/workloads/edge_index.h"

#include "sim/base/check.h"

namespace ringspan {

namespace {

bool is_pair(EdgeIndex::Ranks sources, EdgeIndex::Ranks destinations) {
  return sources.size() == 1 && destinations.size() == 1;
}

// Both ranks in one word.
std::uint64_t word_of(std::int32_t source, std::int32_t destination) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(source)) << 32U |
         static_cast<std::uint32_t>(destination);
}

}  // namespace

std::optional<std::uint32_t> EdgeIndex::find(Ranks sources, Ranks destinations) const {
  if (is_pair(sources, destinations)) {
    const auto found = pairs_.find(word_of(sources[0], destinations[0]));
    return found == pairs_.end() ? std::nullopt : std::optional(found->second);
  }
  const Lists lists{{sources.begin(), sources.end()}, {destinations.begin(), destinations.end()}};
  const auto found = switched_.find(lists);
  return found == switched_.end() ? std::nullopt : std::optional(found->second);
}

void EdgeIndex::add(Ranks sources, Ranks destinations, std::uint32_t number) {
  bool added = false;
  if (is_pair(sources, destinations)) {
    added = pairs_.emplace(word_of(sources[0], destinations[0]), number).second;
  } else {
    Lists lists{{sources.begin(), sources.end()}, {destinations.begin(), destinations.end()}};
    added = switched_.emplace(std::move(lists), number).second;
  }
  RINGSPAN_CHECK(added, "an edge has one number");
}

}  // namespace ringspan

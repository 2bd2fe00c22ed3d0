#include "topologies/fabrics/max_flow.h"

#include <algorithm>
#include <limits>

namespace ringspan {

namespace {

constexpr std::uint32_t kNoLevel = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void MaxFlow::add(std::uint32_t a, std::uint32_t b, std::int64_t forth, std::int64_t back) {
  const auto edge = static_cast<std::uint32_t>(edges_.size());
  edges_.push_back({b, forth});
  edges_.push_back({a, back});
  edges_of_[a].push_back(edge);
  edges_of_[b].push_back(edge + 1);
}

std::int64_t MaxFlow::between(std::uint32_t source, std::uint32_t sink) {
  std::int64_t total = 0;
  while (find_levels(source, sink)) {
    next_.assign(edges_of_.size(), 0);
    while (const std::int64_t pushed = push_one_way(source, sink)) total += pushed;
  }
  return total;
}

bool MaxFlow::find_levels(std::uint32_t source, std::uint32_t sink) {
  level_.assign(edges_of_.size(), kNoLevel);
  level_[source] = 0;
  std::vector<std::uint32_t> reached{source};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const std::uint32_t edge : edges_of_[reached[i]]) {
      const Edge& way = edges_[edge];
      if (way.left <= 0 || level_[way.to] != kNoLevel) continue;
      level_[way.to] = level_[reached[i]] + 1;
      reached.push_back(way.to);
    }
  }
  return level_[sink] != kNoLevel;
}

// Depth first along rising levels, without recursion: ways may be as long as there are places.
std::int64_t MaxFlow::push_one_way(std::uint32_t source, std::uint32_t sink) {
  std::vector<std::uint32_t> way;  // edges from the source
  std::uint32_t at = source;
  while (at != sink) {
    const std::vector<std::uint32_t>& edges = edges_of_[at];
    std::size_t& next = next_[at];
    while (next < edges.size() &&
           (edges_[edges[next]].left <= 0 || level_[edges_[edges[next]].to] != level_[at] + 1)) {
      ++next;
    }
    if (next < edges.size()) {
      way.push_back(edges[next]);
      at = edges_[edges[next]].to;
      continue;
    }
    if (way.empty()) return 0;
    at = edges_[way.back() ^ 1U].to;
    way.pop_back();
    ++next_[at];
  }
  std::int64_t pushed = std::numeric_limits<std::int64_t>::max();
  for (const std::uint32_t edge : way) pushed = std::min(pushed, edges_[edge].left);
  for (const std::uint32_t edge : way) {
    edges_[edge].left -= pushed;
    edges_[edge ^ 1U].left += pushed;
  }
  return pushed;
}

}  // namespace ringspan

#include "models/workloads/switched_nodes.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"

namespace ringspan {

void SwitchedNodes::places(std::span<const std::int32_t> ranks, std::vector<GpuPlace>& out) const {
  out.clear();
  for (const std::int32_t rank : ranks) out.push_back(place(rank));
}

bool SwitchedNodes::matches(const Key& key, const SwitchedNode& node) const {
  return key.heads == node.heads && key.reduces == node.reduces &&
         key.kind == cluster_.kind_of(place(node.ranks.front()).domain) &&
         std::equal(key.gpus.begin(), key.gpus.end(), node.ranks.begin(), node.ranks.end(),
                    [this](std::int32_t gpu, std::int32_t rank) { return place(rank).gpu == gpu; });
}

SwitchedNodes::Key SwitchedNodes::key_of(const SwitchedNode& node) const {
  const std::int32_t domain = place(node.ranks.front()).domain;
  Key key{cluster_.kind_of(domain), node.heads, node.reduces, {}};
  key.gpus.reserve(node.ranks.size());
  for (const std::int32_t rank : node.ranks) {
    RINGSPAN_CHECK(place(rank).domain == domain, "switches join the GPUs of one domain");
    key.gpus.push_back(place(rank).gpu);
  }
  return key;
}

SwitchedNodes::Patterns::iterator SwitchedNodes::find(const SwitchedNode& node) {
  if (last_ == patterns_.end() || !matches(last_->first, node)) {
    last_ = patterns_.find(key_of(node));
  }
  return last_;
}

void SwitchedNodes::declare(const SwitchedNode& node, ClusterPaths& paths) {
  if (find(node) != patterns_.end()) return;
  last_ = patterns_.emplace(key_of(node), Pattern{}).first;
  std::vector<GpuPlace> from, to;
  node.for_each_edge([&](const auto& sources, const auto& destinations, std::int64_t) {
    places(sources, from);
    places(destinations, to);
    paths.declare(from, to, {});
  });
}

const SwitchedNodes::Pattern& SwitchedNodes::pattern(const SwitchedNode& node,
                                                     const ClusterPaths& paths) {
  const auto found = find(node);
  RINGSPAN_CHECK(found != patterns_.end(), "a node is declared before it is asked for");
  if (found->second.uses.empty()) sum(node, paths, found->second);
  return found->second;
}

void SwitchedNodes::sum(const SwitchedNode& node, const ClusterPaths& paths,
                        Pattern& pattern) const {
  const std::uint32_t first = first_resource(node, paths);
  std::vector<std::size_t> place_of;  // by resource: 1 + where it stands in `uses`
  std::vector<GpuPlace> from, to;
  FabricPath path;
  node.for_each_edge([&](const auto& sources, const auto& destinations, std::int64_t) {
    places(sources, from);
    places(destinations, to);
    paths.find(from, to, {}, path);
    for (const ResourceUse& use : path.uses) {
      const std::uint32_t resource = use.resource - first;
      if (place_of.size() <= resource) place_of.resize(resource + 1, 0);
      if (place_of[resource] == 0) {
        pattern.uses.push_back({resource, 0});
        place_of[resource] = pattern.uses.size();
      }
      pattern.uses[place_of[resource] - 1].bytes += use.weight;
    }
    const LatencyKind latency{path.slowest_class, path.latency};
    const auto& known = pattern.latencies;
    if (std::find(known.begin(), known.end(), latency) == known.end()) {
      pattern.latencies.push_back(latency);
    }
  });
}

}  // namespace ringspan

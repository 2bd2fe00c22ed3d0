#pragma once

// What the switches of nodes reduce and multicast, counted by patterns: in nodes of one kind the
// same GPUs do the same, so one node stands for all. A cluster of 16,384 servers has 131,072
// reductions and one or two patterns.

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "models/collectives/schedule.h"
#include "models/workloads/cluster_paths.h"
#include "models/workloads/transfer_kinds.h"

namespace ringspan {

class SwitchedNodes {
 public:
  // Where each rank sits. Both must outlive this.
  SwitchedNodes(std::span<const GpuPlace> ranks, const Cluster& cluster)
      : ranks_(ranks), cluster_(cluster) {}

  // As ClusterPaths::declare() for every edge. Requires that a node's ranks are of one domain.
  void declare(const SwitchedNode& node, ClusterPaths& paths);

  // What the edges of a node put on the links of its domain, when each moves one byte.
  struct Pattern {
    struct Use {
      std::uint32_t resource = 0;  // counted from the domain's first
      double bytes = 0;
    };
    std::vector<Use> uses;               // in the order in which the edges meet them
    std::vector<LatencyKind> latencies;  // all different
  };
  // Requires that the node was declared and `paths` are finished.
  const Pattern& pattern(const SwitchedNode& node, const ClusterPaths& paths);
  // The first resource of the node's domain.
  std::uint32_t first_resource(const SwitchedNode& node, const ClusterPaths& paths) const {
    return paths.first_resource(place(node.ranks.front()).domain);
  }

 private:
  struct Key {
    std::int32_t kind = 0;
    std::int32_t heads = 0;
    bool reduces = true;
    std::vector<std::int32_t> gpus;
    auto operator<=>(const Key&) const = default;
  };
  using Patterns = std::map<Key, Pattern>;

  const GpuPlace& place(std::int32_t rank) const { return ranks_[static_cast<std::size_t>(rank)]; }
  void places(std::span<const std::int32_t> ranks, std::vector<GpuPlace>& out) const;
  bool matches(const Key& key, const SwitchedNode& node) const;
  Key key_of(const SwitchedNode& node) const;
  // The node's pattern, where it was declared.
  Patterns::iterator find(const SwitchedNode& node);
  void sum(const SwitchedNode& node, const ClusterPaths& paths, Pattern& pattern) const;

  std::span<const GpuPlace> ranks_;
  const Cluster& cluster_;
  Patterns patterns_;
  Patterns::iterator last_ = patterns_.end();  // neighbours are often alike
};

}  // namespace ringspan

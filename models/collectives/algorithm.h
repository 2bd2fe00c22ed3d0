#pragma once

// An algorithm makes schedules. Each lives in a file pair of its own and is named in registry.cpp.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/collectives/collective.h"
#include "models/collectives/schedule.h"
#include "sim/base/registry.h"

namespace ringspan {

// Who sits where, and in which order ranks are visited.
struct RankLayout {
  // node[rank]: the NVLink domain or server of the rank, from 0. Empty: all on one node.
  std::vector<std::int32_t> node;
  // The visiting order of a ring or chain: a permutation of 0..n-1. Empty: 0, 1, 2, ...
  std::vector<std::int32_t> order;
};

// Which GPUs of a node's chain talk to other nodes in NCCL's tree: the first to the parent, and
enum class TreePattern {
  Balanced,  // the first to child 0, the second to child 1
  Split,     // the second to both children
  Tree,      // the first to both children
};

struct AlgorithmInput {
  CollectiveSpec spec;
  RankLayout layout;
  // Channels come in variants (the two trees of a double binary tree, the direction of a ring);
  // channel c uses variant c % variants.
  int variant = 0;
  // For NCCL's grouped send/receive: how many peers, itself not among them, a rank has under way
  // at once. 0: all.
  std::int64_t peers_at_once = 0;
  TreePattern tree_pattern = TreePattern::Balanced;
};

class Algorithm {
 public:
  virtual ~Algorithm() = default;

  // The collectives it can do; the reason others are refused.
  virtual std::vector<CollectiveKind> collectives() const = 0;
  // The fabric must multicast and reduce in its switches.
  virtual bool needs_multicast() const { return false; }
  // The fabric between nodes must reduce in its switches (SHARP).
  virtual bool needs_network_reduction(const RankLayout& /*layout*/) const { return false; }
  // Why it is not used where ranks sit like this ("needs at least two nodes"); empty: it is.
  // build() makes a right schedule for every layout all the same.
  virtual std::string layout_bar(const AlgorithmInput& /*input*/) const { return {}; }
  // How many different schedules the channels take turns with.
  virtual int variants(const CollectiveSpec& /*spec*/) const { return 1; }
  // Any rank count from 1 (one rank: no operation). Requires can(spec.kind).
  virtual std::unique_ptr<Schedule> build(const AlgorithmInput& input) const = 0;

  bool can(CollectiveKind kind) const;
};

using AlgorithmFactory = std::unique_ptr<Algorithm> (*)();

// ring, tree, nvls, nvlstree, collnetdirect, collnetchain, pat, p2p, direct, hierarchical,
// halving-doubling, bruck, pairwise.
Registry<AlgorithmFactory> builtin_algorithms();

}  // namespace ringspan

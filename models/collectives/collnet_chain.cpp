#include "models/collectives/collnet_chain.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "models/collectives/collnet_direct.h"
#include "models/collectives/lazy_schedule.h"
#include "models/collectives/rank_order.h"
#include "models/collectives/transfer.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

using Nodes = std::vector<std::vector<std::int32_t>>;

// The vector is one block. The first rank of a node is its head.
class ChainsSchedule final : public LazySchedule {
 public:
  ChainsSchedule(const CollectiveSpec& spec, Nodes nodes)
      : LazySchedule(spec, {1, 1, Pacing::Slices, RoundOverlap::Pipelined}),
        nodes_(std::move(nodes)) {}

  OperationId operation_count() const override {
    return 2 * (ranks() - static_cast<std::int64_t>(nodes_.size())) + (has_network() ? 1 : 0);
  }

  // Hop i is between the ranks i - 1 and i of each chain; the farthest comes first on the way up.
  std::vector<Round> rounds() const override {
    std::vector<Round> rounds;
    for (std::size_t i = longest() - 1; i > 0; --i) rounds.push_back(hop(i, true));
    if (has_network()) {
      rounds.emplace_back();
      rounds.back().switched.push_back({all_heads(), all_heads(), 1});
    }
    for (std::size_t i = 1; i < longest(); ++i) rounds.push_back(hop(i, false));
    return rounds;
  }

 private:
  bool has_network() const { return nodes_.size() > 1; }

  std::size_t longest() const {
    std::size_t longest = 0;
    for (const auto& node : nodes_) longest = std::max(longest, node.size());
    return longest;
  }

  std::vector<std::int32_t> all_heads() const {
    std::vector<std::int32_t> heads;
    for (const auto& node : nodes_) heads.push_back(node.front());
    return heads;
  }

  Round hop(std::size_t i, bool upwards) const {
    Round round;
    for (const auto& node : nodes_) {
      if (i >= node.size()) continue;
      round.pairs.push_back(upwards ? PairEdge{node[i], node[i - 1], 1}
                                    : PairEdge{node[i - 1], node[i], 1});
    }
    return round;
  }

  void add_operations(OperationTable& table) const override {
    Transfer move;
    std::vector<OperationId> at_heads;
    for (const auto& node : nodes_) {
      std::vector<OperationId> before;
      for (std::size_t i = node.size() - 1; i > 0; --i) {
        set_pair(move, TransferAction::Reduce, node[i], node[i - 1]);
        move.blocks.push_back(0);
        before.assign(1, table.add(move, before));
      }
      at_heads.insert(at_heads.end(), before.begin(), before.end());
    }
    if (has_network()) {
      const Transfer reduction{TransferAction::Reduce, all_heads(), all_heads(), {0}};
      at_heads.assign(1, table.add(reduction, at_heads));
    }
    for (const auto& node : nodes_) {
      std::vector<OperationId> before = at_heads;
      for (std::size_t i = 1; i < node.size(); ++i) {
        set_pair(move, TransferAction::Copy, node[i - 1], node[i]);
        move.blocks.push_back(0);
        before.assign(1, table.add(move, before));
      }
    }
  }

  Nodes nodes_;
};

class CollnetChain final : public Algorithm {
 public:
  std::vector<CollectiveKind> collectives() const override { return {CollectiveKind::AllReduce}; }
  bool needs_network_reduction(const RankLayout& /*layout*/) const override { return true; }
  std::string layout_bar(const AlgorithmInput& input) const override {
    return collnet_layout_bar(input);
  }

  std::unique_ptr<Schedule> build(const AlgorithmInput& input) const override {
    RINGSPAN_CHECK(can(input.spec.kind), "collnetchain does not do this collective");
    const auto order = visiting_order(input.layout, input.spec.ranks);
    return std::make_unique<ChainsSchedule>(input.spec, ranks_by_node(input.layout, order));
  }
};

}  // namespace

std::unique_ptr<Algorithm> make_collnet_chain() { return std::make_unique<CollnetChain>(); }

}  // namespace ringspan

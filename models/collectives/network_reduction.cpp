#include "models/collectives/network_reduction.h"

#include <cstddef>
#include <utility>

#include "models/collectives/lazy_schedule.h"
#include "models/collectives/rank_order.h"
#include "models/collectives/transfer.h"

namespace ringspan {

namespace {

using Nodes = std::vector<std::vector<std::int32_t>>;

// Heads, and what goes between them and the other ranks of their nodes.
class HeadSchedule : public LazySchedule {
 protected:
  HeadSchedule(const CollectiveSpec& spec, Nodes nodes, HeadTraffic traffic, std::int64_t owners)
      : LazySchedule(spec, shape(static_cast<std::int64_t>(smallest_node(nodes)) * owners)),
        nodes_(std::move(nodes)),
        heads_(smallest_node(nodes_)),
        traffic_(traffic) {}

  const Nodes& nodes() const { return nodes_; }
  std::size_t heads() const { return heads_; }
  bool has_network() const { return nodes_.size() > 1; }
  // The heads of one block, node by node.
  std::vector<std::int32_t> heads_of(std::size_t head) const {
    std::vector<std::int32_t> ranks;
    for (const auto& node : nodes_) ranks.push_back(node[head]);
    return ranks;
  }
  // A head of a node, as an index.
  std::size_t seat(std::size_t node, std::size_t head) const { return node * heads_ + head; }

  // Transfers between heads and the others, one way.
  std::int64_t local_count() const {
    const auto heads = static_cast<std::int64_t>(heads_);
    std::int64_t count = 0;
    for (const auto& node : nodes_) {
      const auto others = static_cast<std::int64_t>(node.size()) - 1;
      count += heads * (traffic_ == HeadTraffic::Messages ? others : (others > 0 ? 1 : 0));
    }
    return count;
  }

  // visit(node, head, others) for each of them: one other rank, or all ranks of the node, the head
  // among them, through its switch.
  template <typename Visit>
  void for_each_local(Visit visit) const {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      for (std::size_t head = 0; head < heads_ && nodes_[n].size() > 1; ++head) {
        if (traffic_ == HeadTraffic::Switch) {
          visit(n, head, nodes_[n]);
          continue;
        }
        for (const std::int32_t rank : nodes_[n]) {
          if (rank != nodes_[n][head]) visit(n, head, std::vector<std::int32_t>{rank});
        }
      }
    }
  }

  // All of them at once; nothing where every rank is alone on its node.
  void append_local_round(bool to_heads, std::int64_t blocks, std::vector<Round>& rounds) const {
    if (local_count() == 0) return;
    Round& round = rounds.emplace_back();
    if (traffic_ == HeadTraffic::Switch) {
      for (const auto& node : nodes_) {
        if (node.size() == 1) continue;
        round.nodes.push_back({node, static_cast<std::int32_t>(heads_), to_heads, blocks});
      }
      return;
    }
    for_each_local([&](std::size_t node, std::size_t head, const auto& others) {
      const std::int32_t here = nodes_[node][head];
      round.pairs.push_back(to_heads ? PairEdge{others.front(), here, blocks}
                                     : PairEdge{here, others.front(), blocks});
    });
  }

 private:
  static Shape shape(std::int64_t blocks) {
    return {blocks, blocks, Pacing::Slices, RoundOverlap::Pipelined};
  }

  Nodes nodes_;
  std::size_t heads_;
  HeadTraffic traffic_;
};

// By seat: the operations that brought what a head passes on.
using Arrivals = std::vector<std::vector<OperationId>>;

// all_reduce: reduced to the heads, reduced and multicast between them by the network, copied back.
class ReduceAll final : public HeadSchedule {
 public:
  ReduceAll(const CollectiveSpec& spec, Nodes nodes, HeadTraffic traffic)
      : HeadSchedule(spec, std::move(nodes), traffic, 1) {}

  OperationId operation_count() const override {
    return 2 * local_count() + (has_network() ? static_cast<std::int64_t>(heads()) : 0);
  }

  std::vector<Round> rounds() const override {
    std::vector<Round> rounds;
    append_local_round(true, 1, rounds);
    if (has_network()) {
      Round& round = rounds.emplace_back();
      for (std::size_t head = 0; head < heads(); ++head) {
        round.switched.push_back({heads_of(head), heads_of(head), 1});
      }
    }
    append_local_round(false, 1, rounds);
    return rounds;
  }

 private:
  void add_operations(OperationTable& table) const override {
    Arrivals arrived(nodes().size() * heads());
    for_each_local([&](std::size_t node, std::size_t head, const auto& others) {
      arrived[seat(node, head)].push_back(
          table.add({TransferAction::Reduce, others, {nodes()[node][head]}, block(head)}, {}));
    });
    if (has_network()) add_network(table, arrived);
    for_each_local([&](std::size_t node, std::size_t head, const auto& others) {
      table.add({TransferAction::Copy, {nodes()[node][head]}, others, block(head)},
                arrived[seat(node, head)]);
    });
  }

  void add_network(OperationTable& table, Arrivals& arrived) const {
    std::vector<OperationId> after;
    for (std::size_t head = 0; head < heads(); ++head) {
      after.clear();
      for (std::size_t node = 0; node < nodes().size(); ++node) {
        const std::vector<OperationId>& here = arrived[seat(node, head)];
        after.insert(after.end(), here.begin(), here.end());
      }
      const OperationId reduced =
          table.add({TransferAction::Reduce, heads_of(head), heads_of(head), block(head)}, after);
      for (std::size_t node = 0; node < nodes().size(); ++node) {
        arrived[seat(node, head)].assign(1, reduced);
      }
    }
  }

  static std::vector<std::int64_t> block(std::size_t head) {
    return {static_cast<std::int64_t>(head)};
  }
};

// all_gather and reduce_scatter: a rank's share has a block for every head. Gathering, a rank gives
// each head its block of the own share, a head multicasts those of its node to the heads of the
// others, and gives every rank of its node all it has. Reducing, the same backwards.
class Shares final : public HeadSchedule {
 public:
  Shares(const CollectiveSpec& spec, Nodes nodes)
      : HeadSchedule(spec, std::move(nodes), HeadTraffic::Messages, spec.ranks),
        gathers_(spec.kind == CollectiveKind::AllGather) {}

  OperationId operation_count() const override {
    const auto seats = static_cast<std::int64_t>(nodes().size() * heads());
    return 2 * local_count() + (has_network() ? seats : 0);
  }

  std::vector<Round> rounds() const override {
    std::vector<Round> rounds;
    append_local_round(true, gathers_ ? 1 : ranks(), rounds);
    if (has_network()) {
      Round& round = rounds.emplace_back();
      for_each_seat([&](std::size_t node, std::size_t head) {
        const Transfer move = between_heads(node, head);
        round.switched.push_back(
            {move.sources, move.destinations, static_cast<std::int64_t>(move.blocks.size())});
      });
    }
    append_local_round(false, gathers_ ? ranks() - 1 : 1, rounds);
    return rounds;
  }

 private:
  void add_operations(OperationTable& table) const override {
    Arrivals arrived(nodes().size() * heads());
    for_each_local([&](std::size_t node, std::size_t head, const auto& others) {
      const auto blocks =
          gathers_ ? blocks_of(others, head) : blocks_of(node_by_node(nodes()), head);
      arrived[seat(node, head)].push_back(
          table.add({action(), others, {nodes()[node][head]}, blocks}, {}));
    });
    if (has_network()) add_network(table, arrived);
    for_each_local([&](std::size_t node, std::size_t head, const auto& others) {
      auto blocks = blocks_of(gathers_ ? node_by_node(nodes()) : others, head);
      if (gathers_) std::erase(blocks, blocks_of(others, head).front());
      table.add({TransferAction::Copy, {nodes()[node][head]}, others, std::move(blocks)},
                arrived[seat(node, head)]);
    });
  }

  // A gathering head waits for its own node alone, a reduction for all nodes.
  void add_network(OperationTable& table, Arrivals& arrived) const {
    const Arrivals local = arrived;
    if (!gathers_) arrived.assign(arrived.size(), {});
    for_each_seat([&](std::size_t node, std::size_t head) {
      std::vector<OperationId> after;
      for (std::size_t from = 0; from < nodes().size(); ++from) {
        if (gathers_ && from != node) continue;
        const std::vector<OperationId>& here = local[seat(from, head)];
        after.insert(after.end(), here.begin(), here.end());
      }
      const OperationId moved = table.add(between_heads(node, head), after);
      for (std::size_t to = 0; to < nodes().size(); ++to) {
        if ((to == node) != gathers_) arrived[seat(to, head)].push_back(moved);
      }
    });
  }

  // From one to the others, or from all to one: the blocks of the one's node.
  Transfer between_heads(std::size_t node, std::size_t head) const {
    Transfer move{action(), {nodes()[node][head]}, heads_of(head), blocks_of(nodes()[node], head)};
    if (gathers_) {
      std::erase(move.destinations, nodes()[node][head]);
    } else {
      std::swap(move.sources, move.destinations);
    }
    return move;
  }

  std::vector<std::int64_t> blocks_of(const std::vector<std::int32_t>& owners,
                                      std::size_t head) const {
    std::vector<std::int64_t> blocks;
    for (const std::int32_t owner : owners) {
      blocks.push_back(owner * static_cast<std::int64_t>(heads()) +
                       static_cast<std::int64_t>(head));
    }
    return blocks;
  }

  TransferAction action() const { return gathers_ ? TransferAction::Copy : TransferAction::Reduce; }

  template <typename Visit>
  void for_each_seat(Visit visit) const {
    for (std::size_t node = 0; node < nodes().size(); ++node) {
      for (std::size_t head = 0; head < heads(); ++head) visit(node, head);
    }
  }

  bool gathers_;
};

}  // namespace

std::unique_ptr<Schedule> make_network_reduction(const CollectiveSpec& spec, Nodes nodes,
                                                 HeadTraffic traffic) {
  if (spec.kind == CollectiveKind::AllReduce) {
    return std::make_unique<ReduceAll>(spec, std::move(nodes), traffic);
  }
  return std::make_unique<Shares>(spec, std::move(nodes));
}

}  // namespace ringspan

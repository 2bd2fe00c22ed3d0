#include "models/collectives/nvls_tree.h"

#include <cstddef>
#include <utility>

#include "models/collectives/placed_tree.h"
#include "models/collectives/rank_order.h"
#include "models/collectives/transfer.h"
#include "models/collectives/tree.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

// The nodes of a double binary tree by depth.
PlacedTree by_depth(const NodeTree& tree) {
  std::vector<std::int32_t> parents, order;
  for (const NodeTree::Link& link : tree.links) {
    order.push_back(static_cast<std::int32_t>(parents.size()));
    parents.push_back(link.parent);
  }
  return PlacedTree::build(parents, order);
}

// Block h belongs to the h-th rank of every node, its head there; there are as many heads as ranks
// in the smallest node. Operations, each for every head:
//   reductions    in the switch of each node of several ranks, to the head
//   ups           head to the parent's head, from the deepest place to the first
//   downs         the parent's head to head, from place 1 on
//   multicasts    in each node of several ranks, from the head to all, itself included
// A multicast overwrites what its head holds, so it waits until the children have it; that does not
// delay the deepest leaf.
class NvlsTreeSchedule final : public Schedule {
 public:
  NvlsTreeSchedule(const CollectiveSpec& spec, std::vector<std::vector<std::int32_t>> nodes,
                   int variant)
      : Schedule(spec),
        tree_(by_depth(double_tree(static_cast<std::int32_t>(nodes.size()), variant))),
        heads_(static_cast<std::int64_t>(smallest_node(nodes))),
        below_root_(static_cast<std::int64_t>(nodes.size()) - 1) {
    for (const std::int32_t node : tree_.member) {
      ranks_.push_back(std::move(nodes[static_cast<std::size_t>(node)]));
      const bool several = ranks_.back().size() > 1;
      switched_.push_back(several ? static_cast<std::int64_t>(switched_places_.size()) : -1);
      if (several) switched_places_.push_back(static_cast<std::int64_t>(ranks_.size()) - 1);
    }
  }

  std::int64_t block_count() const override { return heads_; }
  std::int64_t block_divisor() const override { return heads_; }
  OperationId operation_count() const override { return multicasts_begin() + ups_begin(); }

  void transfer(OperationId operation, Transfer& out) const override;
  void dependencies(OperationId operation, std::vector<OperationId>& out) const override;
  void dependents(OperationId operation, std::vector<OperationId>& out) const override;
  Pacing pacing() const override { return Pacing::Slices; }
  RoundOverlap overlap() const override { return RoundOverlap::Pipelined; }
  std::vector<Round> rounds() const override;

 private:
  enum class Kind { Reduction, Up, Down, Multicast };
  struct Step {
    Kind kind;
    std::int64_t place;
    std::int64_t head;
  };

  OperationId ups_begin() const {
    return static_cast<OperationId>(switched_places_.size()) * heads_;
  }
  OperationId downs_begin() const { return ups_begin() + below_root_ * heads_; }
  OperationId multicasts_begin() const { return downs_begin() + below_root_ * heads_; }
  Step step_of(OperationId operation) const;

  // The numbers of operations; reduction and multicast require several ranks at the place, up and
  // down a parent.
  OperationId reduction(std::int64_t place, std::int64_t head) const {
    return switched_[static_cast<std::size_t>(place)] * heads_ + head;
  }
  OperationId up(std::int64_t place, std::int64_t head) const {
    return ups_begin() + (below_root_ - place) * heads_ + head;
  }
  OperationId down(std::int64_t place, std::int64_t head) const {
    return downs_begin() + (place - 1) * heads_ + head;
  }
  OperationId multicast(std::int64_t place, std::int64_t head) const {
    return multicasts_begin() + reduction(place, head);
  }

  bool has_several(std::int64_t place) const {
    return switched_[static_cast<std::size_t>(place)] >= 0;
  }
  std::int64_t parent(std::int64_t place) const {
    return tree_.parent[static_cast<std::size_t>(place)];
  }
  std::int64_t first_child(std::int64_t place) const {
    return tree_.first_child[static_cast<std::size_t>(place)];
  }
  std::int32_t head_rank(std::int64_t place, std::int64_t head) const {
    return ranks_[static_cast<std::size_t>(place)][static_cast<std::size_t>(head)];
  }
  // Ascending numbers of the operations of a place's children.
  void append_ups_of_children(std::int64_t place, std::int64_t head,
                              std::vector<OperationId>& out) const {
    for (std::int64_t child = first_child(place + 1) - 1; child >= first_child(place); --child) {
      out.push_back(up(child, head));
    }
  }
  void append_downs_of_children(std::int64_t place, std::int64_t head,
                                std::vector<OperationId>& out) const {
    for (std::int64_t child = first_child(place); child < first_child(place + 1); ++child) {
      out.push_back(down(child, head));
    }
  }
  Round switched_round(bool reduces) const;
  Round level(std::size_t depth, bool upwards) const;

  PlacedTree tree_;
  std::int64_t heads_;
  std::int64_t below_root_;                       // places with a parent
  std::vector<std::vector<std::int32_t>> ranks_;  // by place
  std::vector<std::int64_t> switched_;            // by place: index into switched_places_, or -1
  std::vector<std::int64_t> switched_places_;     // those of several ranks
};

NvlsTreeSchedule::Step NvlsTreeSchedule::step_of(OperationId operation) const {
  const auto switched_place = [&](OperationId within) {
    return switched_places_[static_cast<std::size_t>(within / heads_)];
  };
  const auto make = [&](Kind kind, std::int64_t place, OperationId within) {
    return Step{kind, place, within % heads_};
  };
  if (operation < ups_begin()) {
    return make(Kind::Reduction, switched_place(operation), operation);
  }
  if (operation < downs_begin()) {
    const OperationId within = operation - ups_begin();
    return make(Kind::Up, below_root_ - within / heads_, within);
  }
  if (operation < multicasts_begin()) {
    const OperationId within = operation - downs_begin();
    return make(Kind::Down, within / heads_ + 1, within);
  }
  const OperationId within = operation - multicasts_begin();
  return make(Kind::Multicast, switched_place(within), within);
}

void NvlsTreeSchedule::transfer(OperationId operation, Transfer& out) const {
  const auto [kind, place, head] = step_of(operation);
  const std::int32_t here = head_rank(place, head);
  switch (kind) {
    case Kind::Reduction:
      set_pair(out, TransferAction::Reduce, here, here);
      out.sources = ranks_[static_cast<std::size_t>(place)];
      break;
    case Kind::Up:
      set_pair(out, TransferAction::Reduce, here, head_rank(parent(place), head));
      break;
    case Kind::Down:
      set_pair(out, TransferAction::Copy, head_rank(parent(place), head), here);
      break;
    case Kind::Multicast:
      set_pair(out, TransferAction::Copy, here, here);
      out.destinations = ranks_[static_cast<std::size_t>(place)];
      break;
  }
  out.blocks.push_back(head);
}

void NvlsTreeSchedule::dependencies(OperationId operation, std::vector<OperationId>& out) const {
  out.clear();
  const auto [kind, place, head] = step_of(operation);
  switch (kind) {
    case Kind::Reduction:
      return;
    case Kind::Up:
      // What the switch reduces replaces what the head holds, so it comes before what is added.
      if (has_several(parent(place))) out.push_back(reduction(parent(place), head));
      if (has_several(place)) out.push_back(reduction(place, head));
      append_ups_of_children(place, head, out);
      return;
    case Kind::Down:
      if (parent(place) > 0) {
        out.push_back(down(parent(place), head));
      } else {
        append_ups_of_children(0, head, out);
      }
      return;
    case Kind::Multicast:
      if (place > 0) {
        out.push_back(down(place, head));
      } else if (below_root_ == 0) {
        out.push_back(reduction(place, head));
      } else {
        append_ups_of_children(place, head, out);
      }
      append_downs_of_children(place, head, out);
      return;
  }
}

void NvlsTreeSchedule::dependents(OperationId operation, std::vector<OperationId>& out) const {
  out.clear();
  const auto [kind, place, head] = step_of(operation);
  switch (kind) {
    case Kind::Reduction:
      append_ups_of_children(place, head, out);
      if (place > 0) out.push_back(up(place, head));
      if (below_root_ == 0) out.push_back(multicast(place, head));
      return;
    case Kind::Up:
      if (parent(place) > 0) {
        out.push_back(up(parent(place), head));
        return;
      }
      append_downs_of_children(0, head, out);
      if (has_several(0)) out.push_back(multicast(0, head));
      return;
    case Kind::Down:
      append_downs_of_children(place, head, out);
      for (const std::int64_t holder : {parent(place), place}) {
        if (has_several(holder)) out.push_back(multicast(holder, head));
      }
      return;
    case Kind::Multicast:
      return;
  }
}

Round NvlsTreeSchedule::switched_round(bool reduces) const {
  Round round;
  for (const std::int64_t place : switched_places_) {
    round.nodes.push_back(
        {ranks_[static_cast<std::size_t>(place)], static_cast<std::int32_t>(heads_), reduces, 1});
  }
  return round;
}

// All edges between one depth and the one above.
Round NvlsTreeSchedule::level(std::size_t depth, bool upwards) const {
  Round round;
  for (std::int64_t place = tree_.first_place[depth]; place < tree_.first_place[depth + 1];
       ++place) {
    for (std::int64_t head = 0; head < heads_; ++head) {
      const std::int32_t below = head_rank(place, head);
      const std::int32_t above = head_rank(parent(place), head);
      round.pairs.push_back(upwards ? PairEdge{below, above, 1} : PairEdge{above, below, 1});
    }
  }
  return round;
}

std::vector<Round> NvlsTreeSchedule::rounds() const {
  std::vector<Round> rounds;
  const std::size_t depths = tree_.first_place.size() - 1;
  if (!switched_places_.empty()) rounds.push_back(switched_round(true));
  for (std::size_t depth = depths - 1; depth > 0; --depth) rounds.push_back(level(depth, true));
  for (std::size_t depth = 1; depth < depths; ++depth) rounds.push_back(level(depth, false));
  if (!switched_places_.empty()) rounds.push_back(switched_round(false));
  return rounds;
}

class NvlsTree final : public Algorithm {
 public:
  std::vector<CollectiveKind> collectives() const override { return {CollectiveKind::AllReduce}; }
  bool needs_multicast() const override { return true; }
  int variants(const CollectiveSpec& /*spec*/) const override { return 2; }
  std::string layout_bar(const AlgorithmInput& input) const override {
    if (has_several_nodes(input.layout)) return {};
    return "needs at least two nodes: inside one, nvls does the same";
  }

  std::unique_ptr<Schedule> build(const AlgorithmInput& input) const override {
    RINGSPAN_CHECK(can(input.spec.kind), "nvlstree does not do this collective");
    const auto order = visiting_order(input.layout, input.spec.ranks);
    return std::make_unique<NvlsTreeSchedule>(input.spec, ranks_by_node(input.layout, order),
                                              input.variant);
  }
};

}  // namespace

std::unique_ptr<Algorithm> make_nvls_tree() { return std::make_unique<NvlsTree>(); }

}  // namespace ringspan

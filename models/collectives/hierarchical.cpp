#include "models/collectives/hierarchical.h"

#include <utility>

#include "models/collectives/rank_order.h"
#include "models/collectives/step_schedule.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

enum class LegKind {
  ReduceScatter,  // round a ring: every place ends with its chunk of the sum
  Gather,         // round a ring: every place ends with all chunks
  Exchange,       // a chunk from every place straight to every other
};

// A part of the schedule that goes along one of the two levels.
struct Leg {
  LegKind kind;
  bool inside;  // the node; else between nodes
};

std::vector<Leg> legs_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::AllReduce:
      return {{LegKind::ReduceScatter, true},
              {LegKind::ReduceScatter, false},
              {LegKind::Gather, false},
              {LegKind::Gather, true}};
    case CollectiveKind::ReduceScatter:
      return {{LegKind::ReduceScatter, true}, {LegKind::ReduceScatter, false}};
    case CollectiveKind::AllGather:
      return {{LegKind::Gather, false}, {LegKind::Gather, true}};
    default:
      return {{LegKind::Exchange, true}, {LegKind::Exchange, false}};
  }
}

// Groups of equal size, node by node: position = group * size + index. A leg has one step less than
// the level has places. Inside a group chunk x is the blocks that belong to index x of any group;
// between groups chunk x is the block of the own index in group x.
class HierarchicalSchedule final : public StepSchedule {
 public:
  HierarchicalSchedule(const CollectiveSpec& spec, std::vector<std::int32_t> order,
                       std::int64_t group_size)
      : StepSchedule(spec, std::move(order), step_count(spec, group_size)),
        size_(group_size),
        groups_(spec.ranks / group_size),
        legs_(legs_of(spec.kind)) {}

  std::int64_t block_count() const override {
    return is_alltoall() ? positions() * positions() : positions();
  }
  std::int64_t block_divisor() const override { return positions(); }

 private:
  struct Place {
    Leg leg;
    std::int64_t step;   // within the leg
    std::int64_t steps;  // of the leg
  };

  static std::int64_t step_count(const CollectiveSpec& spec, std::int64_t group_size) {
    std::int64_t steps = 0;
    for (const Leg& leg : legs_of(spec.kind)) {
      steps += (leg.inside ? group_size : spec.ranks / group_size) - 1;
    }
    return steps;
  }

  bool is_alltoall() const { return spec().kind == CollectiveKind::AllToAll; }
  std::int64_t places(const Leg& leg) const { return leg.inside ? size_ : groups_; }
  Place place_of(std::int64_t step) const {
    for (const Leg& leg : legs_) {
      const std::int64_t steps = places(leg) - 1;
      if (step < steps) return {leg, step, steps};
      step -= steps;
    }
    RINGSPAN_CHECK(false, "no such step");
  }

  Rotation rotation(std::int64_t step) const override {
    const Place at = place_of(step);
    const std::int64_t shift = at.leg.kind == LegKind::Exchange ? at.step + 1 : 1;
    return {at.leg.inside ? 1 : size_, places(at.leg), shift};
  }

  TransferAction action(std::int64_t step) const override {
    return place_of(step).leg.kind == LegKind::ReduceScatter ? TransferAction::Reduce
                                                             : TransferAction::Copy;
  }

  std::int64_t steps_alike(std::int64_t step) const override {
    const Place at = place_of(step);
    return at.leg.kind == LegKind::Exchange ? 1 : at.steps - at.step;
  }

  void append_blocks(std::int64_t step, std::int64_t position,
                     std::vector<std::int64_t>& blocks) const override {
    const Place at = place_of(step);
    if (at.leg.kind == LegKind::Exchange) {
      append_exchanged(at, position, blocks);
      return;
    }
    const std::int64_t n = places(at.leg);
    const std::int64_t place = at.leg.inside ? position % size_ : position / size_;
    // A gathered chunk sets out from its place, a reduced one behind it.
    const std::int64_t behind = at.leg.kind == LegKind::ReduceScatter ? 1 : 0;
    const std::int64_t chunk = (place + 2 * n - at.step - behind) % n;
    if (!at.leg.inside) {
      blocks.push_back(rank_at(chunk * size_ + position % size_));
      return;
    }
    for (std::int64_t group = 0; group < groups_; ++group) {
      blocks.push_back(rank_at(group * size_ + chunk));
    }
  }

  // Inside a group: what is bound for the receiver's index in any group. Between groups: what the
  // members of the own group have for the receiver.
  void append_exchanged(const Place& at, std::int64_t position,
                        std::vector<std::int64_t>& blocks) const {
    const std::int64_t group = position / size_;
    const std::int64_t index = position % size_;
    if (at.leg.inside) {
      const std::int64_t bound_for = (index + at.step + 1) % size_;
      for (std::int64_t far = 0; far < groups_; ++far) {
        blocks.push_back(rank_at(position) * positions() + rank_at(far * size_ + bound_for));
      }
      return;
    }
    const std::int64_t receiver = (group + at.step + 1) % groups_ * size_ + index;
    for (std::int64_t member = 0; member < size_; ++member) {
      blocks.push_back(rank_at(group * size_ + member) * positions() + rank_at(receiver));
    }
  }

  std::int64_t size_;
  std::int64_t groups_;
  std::vector<Leg> legs_;
};

class Hierarchical final : public Algorithm {
 public:
  std::vector<CollectiveKind> collectives() const override {
    return {CollectiveKind::AllReduce, CollectiveKind::AllGather, CollectiveKind::ReduceScatter,
            CollectiveKind::AllToAll};
  }

  // Nodes of different sizes are cut in groups of the largest size that divides them all; groups
  // are then what nodes are else.
  std::unique_ptr<Schedule> build(const AlgorithmInput& input) const override {
    RINGSPAN_CHECK(can(input.spec.kind), "hierarchical does not do this collective");
    const auto nodes = ranks_by_node(input.layout, visiting_order(input.layout, input.spec.ranks));
    return std::make_unique<HierarchicalSchedule>(input.spec, node_by_node(nodes),
                                                  common_divisor(nodes));
  }
};

}  // namespace

std::unique_ptr<Algorithm> make_hierarchical() { return std::make_unique<Hierarchical>(); }

}  // namespace ringspan

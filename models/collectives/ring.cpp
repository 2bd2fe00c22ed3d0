#include "models/collectives/ring.h"

#include <cstddef>
#include <utility>

#include "models/collectives/rank_order.h"
#include "models/collectives/transfer.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

// Operation step * n + p: in that step the rank at position p of the ring sends one block to the
// rank at p+1. Every block travels along the ring, so an operation waits for one other: the one
// that brought the block a step earlier. That chain also orders the second visit of an all_reduce
// block (copy) after the first (reduce).
class RingSchedule final : public Schedule {
 public:
  RingSchedule(const CollectiveSpec& spec, std::vector<std::int32_t> order)
      : Schedule(spec),
        order_(std::move(order)),
        n_(spec.ranks),
        reduce_steps_(spec.kind == CollectiveKind::AllGather ? 0 : n_ - 1),
        steps_(spec.kind == CollectiveKind::AllReduce ? 2 * (n_ - 1) : n_ - 1) {}

  std::int64_t block_count() const override { return n_; }
  std::int64_t block_divisor() const override { return n_; }
  OperationId operation_count() const override { return steps_ * n_; }

  void transfer(OperationId operation, Transfer& out) const override {
    const std::int64_t step = operation / n_;
    const std::int64_t p = operation % n_;
    set_pair(out, step < reduce_steps_ ? TransferAction::Reduce : TransferAction::Copy, rank_at(p),
             rank_at(p + 1 == n_ ? 0 : p + 1));
    // A gathered block sets out from its owner. A reduced one sets out behind its owner, visits the
    // whole ring and ends there, from where the all_reduce sends it round again.
    const std::int64_t behind = reduce_steps_ == 0 ? 0 : 1;
    out.blocks.push_back(rank_at((p + 2 * n_ - step - behind) % n_));
  }

  void dependencies(OperationId operation, std::vector<OperationId>& out) const override {
    out.clear();
    if (operation < n_) return;
    const std::int64_t p = operation % n_;
    out.push_back(operation - p - n_ + (p == 0 ? n_ - 1 : p - 1));
  }

  void dependents(OperationId operation, std::vector<OperationId>& out) const override {
    out.clear();
    const std::int64_t p = operation % n_;
    const std::int64_t next = operation - p + n_ + (p + 1 == n_ ? 0 : p + 1);
    if (next < operation_count()) out.push_back(next);
  }

  Pacing pacing() const override { return Pacing::Slices; }
  RoundOverlap overlap() const override { return RoundOverlap::Sequential; }

  std::vector<Round> rounds() const override {
    if (steps_ == 0) return {};
    Round round;
    round.repeat = steps_;
    for (std::int64_t p = 0; p < n_; ++p) {
      round.pairs.push_back({rank_at(p), rank_at(p + 1 == n_ ? 0 : p + 1), 1});
    }
    return {round};
  }
  std::int64_t listed_edges() const override { return n_; }

 private:
  std::int32_t rank_at(std::int64_t position) const {
    return order_[static_cast<std::size_t>(position)];
  }

  std::vector<std::int32_t> order_;
  std::int64_t n_;
  std::int64_t reduce_steps_;
  std::int64_t steps_;
};

// Operation k is hop k of a chain through all ranks; the whole vector is one block.
class ChainSchedule final : public Schedule {
 public:
  ChainSchedule(const CollectiveSpec& spec, std::vector<std::int32_t> order)
      : Schedule(spec), order_(std::move(order)), n_(spec.ranks) {
    const std::int64_t root = position_in(order_, spec.root);
    first_ = spec.kind == CollectiveKind::Broadcast ? root : (root + 1) % n_;
  }

  std::int64_t block_count() const override { return 1; }
  std::int64_t block_divisor() const override { return 1; }
  OperationId operation_count() const override { return n_ - 1; }

  void transfer(OperationId operation, Transfer& out) const override {
    set_pair(
        out,
        spec().kind == CollectiveKind::Broadcast ? TransferAction::Copy : TransferAction::Reduce,
        rank_at(operation), rank_at(operation + 1));
    out.blocks.push_back(0);
  }

  void dependencies(OperationId operation, std::vector<OperationId>& out) const override {
    out.clear();
    if (operation > 0) out.push_back(operation - 1);
  }

  void dependents(OperationId operation, std::vector<OperationId>& out) const override {
    out.clear();
    if (operation + 1 < operation_count()) out.push_back(operation + 1);
  }

  Pacing pacing() const override { return Pacing::Slices; }
  RoundOverlap overlap() const override { return RoundOverlap::Pipelined; }

  std::vector<Round> rounds() const override {
    std::vector<Round> rounds;
    for (OperationId hop = 0; hop < operation_count(); ++hop) {
      rounds.push_back({1, true, {{rank_at(hop), rank_at(hop + 1), 1}}, {}, 0, {}});
    }
    return rounds;
  }

 private:
  std::int32_t rank_at(std::int64_t hop) const {
    return order_[static_cast<std::size_t>((first_ + hop) % n_)];
  }

  std::vector<std::int32_t> order_;
  std::int64_t n_;
  std::int64_t first_ = 0;
};

class Ring final : public Algorithm {
 public:
  std::vector<CollectiveKind> collectives() const override {
    return {CollectiveKind::AllReduce, CollectiveKind::AllGather, CollectiveKind::ReduceScatter,
            CollectiveKind::Broadcast, CollectiveKind::Reduce};
  }

  std::unique_ptr<Schedule> build(const AlgorithmInput& input) const override {
    RINGSPAN_CHECK(can(input.spec.kind), "ring does not do this collective");
    std::vector<std::int32_t> order = visiting_order(input.layout, input.spec.ranks);
    if (collective_has_root(input.spec.kind)) {
      return std::make_unique<ChainSchedule>(input.spec, std::move(order));
    }
    return std::make_unique<RingSchedule>(input.spec, std::move(order));
  }
};

}  // namespace

std::unique_ptr<Algorithm> make_ring() { return std::make_unique<Ring>(); }

}  // namespace ringspan

#include "models/collectives/pair_schedule.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "models/collectives/rank_order.h"
#include "models/collectives/transfer.h"
#include "sim/base/check.h"

namespace ringspan {

PeerOrder::PeerOrder(std::vector<std::int32_t> order, std::int64_t group_size,
                     std::vector<std::int32_t> deltas)
    : order_(std::move(order)), group_size_(group_size), deltas_(std::move(deltas)) {
  RINGSPAN_CHECK(static_cast<std::int64_t>(deltas_.size()) * group_size_ == ranks(),
                 "groups of peers cover the ranks");
  RINGSPAN_CHECK(deltas_.front() == 0, "round 0 is a rank with itself");
}

std::int64_t PeerOrder::send_peer(std::int64_t round, std::int64_t position) const {
  const auto groups = static_cast<std::int64_t>(deltas_.size());
  const std::int64_t delta = deltas_[static_cast<std::size_t>(round / group_size_)];
  const std::int64_t group = (position / group_size_ + delta) % groups;
  return group * group_size_ + (position % group_size_ + round % group_size_) % group_size_;
}

std::int64_t PeerOrder::receive_peer(std::int64_t round, std::int64_t position) const {
  const auto groups = static_cast<std::int64_t>(deltas_.size());
  const std::int64_t delta = deltas_[static_cast<std::size_t>(round / group_size_)];
  const std::int64_t group = wrapped(position / group_size_ - delta, groups);
  return group * group_size_ + wrapped(position % group_size_ - round % group_size_, group_size_);
}

namespace {

// Above, rounds() has no list of n (n - 1) pairs.
constexpr std::int64_t kMostListed = 1024;

std::int64_t bounded(std::int64_t at_once, std::int64_t ranks) {
  return at_once <= 0 ? ranks : std::min(at_once, ranks);
}

// Operation (round - 1) * n + p: the rank at position p sends one block to its peer of that round.
// An all_reduce does that twice: reduces, then copies of what was reduced.
class ExchangeSchedule final : public Schedule {
 public:
  ExchangeSchedule(const CollectiveSpec& spec, PeerOrder peers, std::int64_t at_once)
      : Schedule(spec),
        peers_(std::move(peers)),
        n_(spec.ranks),
        exchange_(n_ * (n_ - 1)),
        at_once_(bounded(at_once, n_)) {}

  std::int64_t block_count() const override { return is_alltoall() ? n_ * n_ : n_; }
  std::int64_t block_divisor() const override { return n_; }
  OperationId operation_count() const override {
    return is_all_reduce() ? 2 * exchange_ : exchange_;
  }

  void transfer(OperationId operation, Transfer& out) const override {
    const bool reduces = collective_reduces(spec().kind) && operation < exchange_;
    const Meeting m = meeting(operation);
    const std::int32_t source = peers_.rank_at(m.position);
    const std::int32_t destination = peers_.rank_at(peers_.send_peer(m.round, m.position));
    set_pair(out, reduces ? TransferAction::Reduce : TransferAction::Copy, source, destination);
    out.blocks.push_back(is_alltoall() ? source * n_ + destination
                                       : (reduces ? destination : source));
  }

  void dependencies(OperationId operation, std::vector<OperationId>& out) const override {
    out.clear();
    const Meeting m = meeting(operation);
    if (operation < exchange_) {
      const std::int64_t before = m.round - at_once_;
      if (before > 0) append_two(before, m.position, peers_.receive_peer(before, m.position), out);
      return;
    }
    for (std::int64_t round = 1; round < n_; ++round) {
      out.push_back((round - 1) * n_ + peers_.receive_peer(round, m.position));
    }
  }

  void dependents(OperationId operation, std::vector<OperationId>& out) const override {
    out.clear();
    if (operation >= exchange_) return;
    const Meeting m = meeting(operation);
    const std::int64_t receiver = peers_.send_peer(m.round, m.position);
    const std::int64_t later = m.round + at_once_;
    if (later < n_) append_two(later, m.position, receiver, out);
    if (!is_all_reduce()) return;
    for (std::int64_t round = 1; round < n_; ++round) {
      out.push_back(exchange_ + (round - 1) * n_ + receiver);
    }
  }

  Pacing pacing() const override { return Pacing::Messages; }
  RoundOverlap overlap() const override { return RoundOverlap::Sequential; }

  std::vector<Round> rounds() const override {
    if (n_ == 1) return {};
    std::vector<Round> batches;
    if (all_at_once()) {
      batches.emplace_back();
      batches.back().coupled = false;
      batches.back().all_pairs = 1;
    } else {
      for (std::int64_t begin = 1; begin < n_; begin += at_once_) {
        batches.push_back(batch(begin, std::min(begin + at_once_, n_)));
      }
    }
    if (is_all_reduce()) batches.push_back(batches.front());
    return batches;
  }
  std::int64_t listed_edges() const override { return all_at_once() ? 0 : operation_count(); }

 private:
  struct Meeting {
    std::int64_t round;
    std::int64_t position;
  };

  bool all_at_once() const { return at_once_ >= n_ - 1 || n_ > kMostListed; }
  bool is_alltoall() const { return spec().kind == CollectiveKind::AllToAll; }
  bool is_all_reduce() const { return spec().kind == CollectiveKind::AllReduce; }
  Round batch(std::int64_t begin, std::int64_t end) const {
    Round batch;
    batch.coupled = false;
    batch.pairs.reserve(static_cast<std::size_t>((end - begin) * n_));
    for (std::int64_t round = begin; round < end; ++round) {
      for (std::int64_t p = 0; p < n_; ++p) {
        batch.pairs.push_back({peers_.rank_at(p), peers_.rank_at(peers_.send_peer(round, p)), 1});
      }
    }
    return batch;
  }
  // The sends of two positions in a round, ascending.
  void append_two(std::int64_t round, std::int64_t one, std::int64_t other,
                  std::vector<OperationId>& out) const {
    out.push_back((round - 1) * n_ + std::min(one, other));
    out.push_back((round - 1) * n_ + std::max(one, other));
  }
  Meeting meeting(OperationId operation) const {
    const OperationId within = operation < exchange_ ? operation : operation - exchange_;
    return {within / n_ + 1, within % n_};
  }

  PeerOrder peers_;
  std::int64_t n_;
  OperationId exchange_;  // operations of one exchange of everybody with everybody
  std::int64_t at_once_;  // rounds
};

// Operations that need nothing of one another: the root with everyone else, or, for sendrecv, each
// rank with the next.
class IndependentSchedule final : public Schedule {
 public:
  IndependentSchedule(const CollectiveSpec& spec, PeerOrder peers, std::int64_t at_once)
      : Schedule(spec),
        peers_(std::move(peers)),
        n_(spec.ranks),
        at_once_(spec.kind == CollectiveKind::SendRecv ? n_ : bounded(at_once, n_)) {
    if (collective_has_root(spec.kind)) {
      for (root_ = 0; peers_.rank_at(root_) != spec.root; ++root_) {
        RINGSPAN_CHECK(root_ + 1 < n_, "the root is not in the communicator");
      }
    }
  }

  std::int64_t block_count() const override { return has_one_block() ? 1 : n_; }
  std::int64_t block_divisor() const override {
    return spec().kind == CollectiveKind::SendRecv ? 1 : block_count();
  }
  OperationId operation_count() const override {
    return spec().kind == CollectiveKind::SendRecv && n_ > 1 ? n_ : n_ - 1;
  }

  void transfer(OperationId operation, Transfer& out) const override {
    const CollectiveKind kind = spec().kind;
    const std::int32_t root = spec().root;
    if (kind == CollectiveKind::SendRecv) {
      const auto rank = static_cast<std::int32_t>(operation);
      set_pair(out, TransferAction::Copy, rank, rank + 1 == n_ ? 0 : rank + 1);
      out.blocks.push_back(rank);
      return;
    }
    const std::int64_t round = operation + 1;
    if (kind == CollectiveKind::Broadcast || kind == CollectiveKind::Scatter) {
      const std::int32_t peer = peers_.rank_at(peers_.send_peer(round, root_));
      set_pair(out, TransferAction::Copy, root, peer);
      out.blocks.push_back(has_one_block() ? 0 : peer);
      return;
    }
    const std::int32_t peer = peers_.rank_at(peers_.receive_peer(round, root_));
    set_pair(out, kind == CollectiveKind::Reduce ? TransferAction::Reduce : TransferAction::Copy,
             peer, root);
    out.blocks.push_back(has_one_block() ? 0 : peer);
  }

  void dependencies(OperationId operation, std::vector<OperationId>& out) const override {
    out.clear();
    if (operation >= at_once_) out.push_back(operation - at_once_);
  }
  void dependents(OperationId operation, std::vector<OperationId>& out) const override {
    out.clear();
    if (operation + at_once_ < operation_count()) out.push_back(operation + at_once_);
  }

  Pacing pacing() const override { return Pacing::Messages; }
  RoundOverlap overlap() const override { return RoundOverlap::Sequential; }

  std::vector<Round> rounds() const override {
    std::vector<Round> batches;
    Transfer move;
    for (OperationId operation = 0; operation < operation_count(); ++operation) {
      if (operation % at_once_ == 0) {
        batches.emplace_back();
        batches.back().coupled = false;
      }
      transfer(operation, move);
      batches.back().pairs.push_back({move.sources.front(), move.destinations.front(), 1});
    }
    return batches;
  }

 private:
  bool has_one_block() const {
    return spec().kind == CollectiveKind::Broadcast || spec().kind == CollectiveKind::Reduce;
  }

  PeerOrder peers_;
  std::int64_t n_;
  std::int64_t at_once_;   // rounds
  std::int64_t root_ = 0;  // the root's position
};

}  // namespace

std::unique_ptr<Schedule> make_pair_schedule(const CollectiveSpec& spec, PeerOrder peers,
                                             std::int64_t at_once) {
  if (collective_has_root(spec.kind) || spec.kind == CollectiveKind::SendRecv) {
    return std::make_unique<IndependentSchedule>(spec, std::move(peers), at_once);
  }
  return std::make_unique<ExchangeSchedule>(spec, std::move(peers), at_once);
}

}  // namespace ringspan

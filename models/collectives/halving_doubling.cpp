#include "models/collectives/halving_doubling.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "models/collectives/rank_order.h"
#include "models/collectives/transfer.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

std::int64_t floor_log2(std::int64_t n) {
  std::int64_t log = 0;
  while ((std::int64_t{2} << log) <= n) ++log;
  return log;
}

// 2^log_ members exchange. With e = n - 2^log_ ranks too many, member i < e stands for positions 2i
// (folded) and 2i+1 (itself), the others for position i + e.
//   operations 0 .. e-1           fold in: position 2i -> 2i+1
//   e + step * members + i        member i sends to its partner of that step
//   the last e                    fold out: position 2i+1 -> 2i
// A message goes when both ends are ready for it (rendezvous, as large messages do): sender and
// receiver have completed their send and receive of the step before.
class HalvingDoubling final : public Schedule {
 public:
  HalvingDoubling(const CollectiveSpec& spec, std::vector<std::int32_t> order)
      : Schedule(spec),
        order_(std::move(order)),
        log_(floor_log2(spec.ranks)),
        members_(std::int64_t{1} << log_),
        excess_(spec.ranks - members_),
        halving_steps_(spec.kind == CollectiveKind::AllGather ? 0 : log_),
        steps_(spec.kind == CollectiveKind::AllReduce ? 2 * log_ : log_) {}

  std::int64_t block_count() const override { return is_all_reduce() ? members_ : ranks(); }
  std::int64_t block_divisor() const override { return block_count(); }
  OperationId operation_count() const override { return 2 * excess_ + steps_ * members_; }

  void transfer(OperationId operation, Transfer& out) const override;
  void dependencies(OperationId operation, std::vector<OperationId>& out) const override;
  void dependents(OperationId operation, std::vector<OperationId>& out) const override;
  Pacing pacing() const override { return Pacing::Messages; }
  RoundOverlap overlap() const override { return RoundOverlap::Sequential; }
  std::vector<Round> rounds() const override;

 private:
  bool is_all_reduce() const { return spec().kind == CollectiveKind::AllReduce; }
  OperationId fold_out_begin() const { return excess_ + steps_ * members_; }
  std::int32_t rank_at(std::int64_t position) const {
    return order_[static_cast<std::size_t>(position)];
  }
  std::int64_t first_position(std::int64_t member) const {
    return member + std::min(member, excess_);
  }
  std::int32_t rank_of(std::int64_t member) const {
    return rank_at(member < excess_ ? 2 * member + 1 : member + excess_);
  }
  // Halving goes from far to near, doubling back.
  std::int64_t distance(std::int64_t step) const {
    return step < halving_steps_ ? members_ >> (step + 1)
                                 : std::int64_t{1} << (step - halving_steps_);
  }
  OperationId send(std::int64_t step, std::int64_t member) const {
    return excess_ + step * members_ + member;
  }
  // Appends base + i, ascending, for the members of both pairs that `member` and its partner of the
  // step behind were in one step before.
  static void append_square(OperationId base, std::int64_t member, std::int64_t before,
                            std::int64_t behind, std::vector<OperationId>& out) {
    const std::int64_t corner = member & ~(before | behind);
    for (const std::int64_t i : {corner, corner | std::min(before, behind),
                                 corner | std::max(before, behind), corner | before | behind}) {
      if (out.empty() || out.back() != base + i) out.push_back(base + i);
    }
  }
  void append_blocks(std::int64_t first_member, std::int64_t count,
                     std::vector<std::int64_t>& blocks) const;
  void fold_in(std::int64_t member, Transfer& out) const;
  void exchange(std::int64_t step, std::int64_t member, Transfer& out) const;
  void fold_out(std::int64_t member, Transfer& out) const;

  std::vector<std::int32_t> order_;
  std::int64_t log_;
  std::int64_t members_;
  std::int64_t excess_;
  std::int64_t halving_steps_;
  std::int64_t steps_;
};

// The blocks that a run of members stands for: one each in an all_reduce, else those of their
// ranks.
void HalvingDoubling::append_blocks(std::int64_t first_member, std::int64_t count,
                                    std::vector<std::int64_t>& blocks) const {
  const std::int64_t end = first_member + count;
  if (is_all_reduce()) {
    for (std::int64_t member = first_member; member < end; ++member) blocks.push_back(member);
    return;
  }
  for (std::int64_t p = first_position(first_member); p < first_position(end); ++p) {
    blocks.push_back(rank_at(p));
  }
}

void HalvingDoubling::fold_in(std::int64_t member, Transfer& out) const {
  const bool gathers = spec().kind == CollectiveKind::AllGather;
  const std::int32_t folded = rank_at(2 * member);
  set_pair(out, gathers ? TransferAction::Copy : TransferAction::Reduce, folded, rank_of(member));
  if (gathers) {
    out.blocks.push_back(folded);
  } else {
    append_blocks(0, members_, out.blocks);
  }
}

void HalvingDoubling::exchange(std::int64_t step, std::int64_t member, Transfer& out) const {
  const std::int64_t d = distance(step);
  const std::int64_t partner = member ^ d;
  const bool halving = step < halving_steps_;
  set_pair(out, halving ? TransferAction::Reduce : TransferAction::Copy, rank_of(member),
           rank_of(partner));
  // Halving sends the partner's half of what both hold; doubling all that the member has.
  append_blocks((halving ? partner : member) & ~(d - 1), d, out.blocks);
}

void HalvingDoubling::fold_out(std::int64_t member, Transfer& out) const {
  const std::int32_t folded = rank_at(2 * member);
  set_pair(out, TransferAction::Copy, rank_of(member), folded);
  if (spec().kind == CollectiveKind::ReduceScatter) {
    out.blocks.push_back(folded);
    return;
  }
  append_blocks(0, members_, out.blocks);
  if (spec().kind == CollectiveKind::AllGather) std::erase(out.blocks, folded);
}

void HalvingDoubling::transfer(OperationId operation, Transfer& out) const {
  if (operation < excess_) {
    fold_in(operation, out);
  } else if (operation < fold_out_begin()) {
    const std::int64_t within = operation - excess_;
    exchange(within / members_, within % members_, out);
  } else {
    fold_out(operation - fold_out_begin(), out);
  }
}

void HalvingDoubling::dependencies(OperationId operation, std::vector<OperationId>& out) const {
  out.clear();
  if (operation < excess_) return;
  if (operation >= fold_out_begin()) {  // the folded rank has waited for this since its fold-in
    append_square(send(steps_ - 1, 0), operation - fold_out_begin(), distance(steps_ - 1), 0, out);
    return;
  }
  const std::int64_t member = (operation - excess_) % members_;
  const std::int64_t step = (operation - excess_) / members_;
  if (step > 0) {
    append_square(send(step - 1, 0), member, distance(step - 1), distance(step), out);
    return;
  }
  append_square(0, member, 0, distance(0), out);  // the fold-ins of both ends
  while (!out.empty() && out.back() >= excess_) out.pop_back();
}

void HalvingDoubling::dependents(OperationId operation, std::vector<OperationId>& out) const {
  out.clear();
  if (operation >= fold_out_begin()) return;
  if (operation < excess_) {
    append_square(send(0, 0), operation, 0, distance(0), out);
    return;
  }
  const std::int64_t member = (operation - excess_) % members_;
  const std::int64_t step = (operation - excess_) / members_;
  const std::int64_t behind = step + 1 < steps_ ? distance(step + 1) : 0;
  append_square(send(step + 1, 0), member, distance(step), behind, out);
  // After the last step come the fold-outs, of the first members only.
  while (!out.empty() && out.back() >= operation_count()) out.pop_back();
}

std::vector<Round> HalvingDoubling::rounds() const {
  std::vector<Round> rounds;
  Transfer move;
  for (OperationId operation = 0; operation < operation_count(); ++operation) {
    const bool first_of_step = operation >= excess_ && operation <= fold_out_begin() &&
                               (operation - excess_) % members_ == 0;
    if (operation == 0 || first_of_step) {
      rounds.emplace_back();
      rounds.back().coupled = false;
    }
    transfer(operation, move);
    rounds.back().pairs.push_back({move.sources.front(), move.destinations.front(),
                                   static_cast<std::int64_t>(move.blocks.size())});
  }
  return rounds;
}

class HalvingDoublingAlgorithm final : public Algorithm {
 public:
  std::vector<CollectiveKind> collectives() const override {
    return {CollectiveKind::AllReduce, CollectiveKind::AllGather, CollectiveKind::ReduceScatter};
  }

  std::unique_ptr<Schedule> build(const AlgorithmInput& input) const override {
    RINGSPAN_CHECK(can(input.spec.kind), "halving-doubling does not do this collective");
    return std::make_unique<HalvingDoubling>(input.spec,
                                             visiting_order(input.layout, input.spec.ranks));
  }
};

}  // namespace

std::unique_ptr<Algorithm> make_halving_doubling() {
  return std::make_unique<HalvingDoublingAlgorithm>();
}

}  // namespace ringspan

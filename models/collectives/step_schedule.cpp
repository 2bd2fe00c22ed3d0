#include "models/collectives/step_schedule.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "models/collectives/rank_order.h"
#include "models/collectives/transfer.h"

namespace ringspan {

StepSchedule::StepSchedule(const CollectiveSpec& spec, TransferAction action,
                           std::vector<std::int32_t> order, std::int64_t steps)
    : Schedule(spec), action_(action), order_(std::move(order)), n_(spec.ranks), steps_(steps) {}

void StepSchedule::transfer(OperationId operation, Transfer& out) const {
  const std::int64_t step = operation / n_;
  const std::int64_t p = operation % n_;
  set_pair(out, action_, rank_at(p), rank_at(p + shift(step)));
  append_blocks(step, p, out.blocks);
}

void StepSchedule::dependencies(OperationId operation, std::vector<OperationId>& out) const {
  out.clear();
  if (operation < n_) return;
  const std::int64_t p = operation % n_;
  const OperationId step_before = operation - p - n_;
  const std::int64_t sender = wrapped(p - shift(operation / n_ - 1), n_);
  out.push_back(step_before + std::min(p, sender));
  out.push_back(step_before + std::max(p, sender));
}

void StepSchedule::dependents(OperationId operation, std::vector<OperationId>& out) const {
  out.clear();
  const std::int64_t p = operation % n_;
  const OperationId step_after = operation - p + n_;
  if (step_after >= operation_count()) return;
  const std::int64_t receiver = (p + shift(operation / n_)) % n_;
  out.push_back(step_after + std::min(p, receiver));
  out.push_back(step_after + std::max(p, receiver));
}

std::vector<Round> StepSchedule::rounds() const {
  std::vector<Round> rounds;
  std::vector<std::int64_t> blocks;
  for (std::int64_t step = 0; step < steps_; ++step) {
    blocks.clear();
    append_blocks(step, 0, blocks);
    Round round;
    round.coupled = false;
    for (std::int64_t p = 0; p < n_; ++p) {
      round.pairs.push_back(
          {rank_at(p), rank_at(p + shift(step)), static_cast<std::int64_t>(blocks.size())});
    }
    rounds.push_back(std::move(round));
  }
  return rounds;
}

}  // namespace ringspan

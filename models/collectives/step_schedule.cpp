#include "models/collectives/step_schedule.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "models/collectives/rank_order.h"
#include "models/collectives/transfer.h"

namespace ringspan {

namespace {

std::int64_t receiver(std::int64_t position, const Rotation& r) {
  const std::int64_t place = position / r.stride % r.length;
  return position + ((place + r.shift) % r.length - place) * r.stride;
}

std::int64_t sender(std::int64_t position, const Rotation& r) {
  return receiver(position, {r.stride, r.length, r.length - r.shift});
}

}  // namespace

StepSchedule::StepSchedule(const CollectiveSpec& spec, std::vector<std::int32_t> order,
                           std::int64_t steps, Pacing pacing)
    : Schedule(spec), order_(std::move(order)), n_(spec.ranks), steps_(steps), pacing_(pacing) {}

TransferAction StepSchedule::action(std::int64_t /*step*/) const {
  return collective_reduces(spec().kind) ? TransferAction::Reduce : TransferAction::Copy;
}

void StepSchedule::transfer(OperationId operation, Transfer& out) const {
  const std::int64_t step = operation / n_;
  const std::int64_t p = operation % n_;
  set_pair(out, action(step), rank_at(p), rank_at(receiver(p, rotation(step))));
  append_blocks(step, p, out.blocks);
}

void StepSchedule::dependencies(OperationId operation, std::vector<OperationId>& out) const {
  out.clear();
  if (operation < n_) return;
  const std::int64_t p = operation % n_;
  const OperationId step_before = operation - p - n_;
  const std::int64_t from = sender(p, rotation(operation / n_ - 1));
  out.push_back(step_before + std::min(p, from));
  out.push_back(step_before + std::max(p, from));
}

void StepSchedule::dependents(OperationId operation, std::vector<OperationId>& out) const {
  out.clear();
  const std::int64_t p = operation % n_;
  const OperationId step_after = operation - p + n_;
  if (step_after >= operation_count()) return;
  const std::int64_t to = receiver(p, rotation(operation / n_));
  out.push_back(step_after + std::min(p, to));
  out.push_back(step_after + std::max(p, to));
}

std::int64_t StepSchedule::listed_edges() const {
  std::int64_t rounds = 0;
  for (std::int64_t step = 0; step < steps_; step += steps_alike(step)) ++rounds;
  return rounds * n_;
}

std::vector<Round> StepSchedule::rounds() const {
  std::vector<Round> rounds;
  std::vector<std::int64_t> blocks;
  for (std::int64_t step = 0; step < steps_; step += steps_alike(step)) {
    blocks.clear();
    append_blocks(step, 0, blocks);
    const auto count = static_cast<std::int64_t>(blocks.size());
    const Rotation turn = rotation(step);
    Round round;
    round.repeat = steps_alike(step);
    round.coupled = pacing_ == Pacing::Slices;
    round.pairs.reserve(static_cast<std::size_t>(n_));
    for (std::int64_t p = 0; p < n_; ++p) {
      round.pairs.push_back({rank_at(p), rank_at(receiver(p, turn)), count});
    }
    rounds.push_back(std::move(round));
  }
  return rounds;
}

}  // namespace ringspan

#include "models/collectives/pairwise.h"

#include <utility>

#include "models/collectives/rank_order.h"
#include "models/collectives/step_schedule.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

class PairwiseSchedule final : public StepSchedule {
 public:
  PairwiseSchedule(const CollectiveSpec& spec, std::vector<std::int32_t> order)
      : StepSchedule(spec, std::move(order), spec.ranks - 1) {}

  std::int64_t block_count() const override {
    return is_alltoall() ? positions() * positions() : positions();
  }
  std::int64_t block_divisor() const override { return positions(); }

 private:
  Rotation rotation(std::int64_t step) const override { return {1, positions(), step + 1}; }

  void append_blocks(std::int64_t step, std::int64_t position,
                     std::vector<std::int64_t>& blocks) const override {
    const std::int64_t destination = rank_at(position + step + 1);
    blocks.push_back(is_alltoall() ? rank_at(position) * positions() + destination : destination);
  }

  bool is_alltoall() const { return spec().kind == CollectiveKind::AllToAll; }
};

class Pairwise final : public Algorithm {
 public:
  std::vector<CollectiveKind> collectives() const override {
    return {CollectiveKind::ReduceScatter, CollectiveKind::AllToAll};
  }

  std::unique_ptr<Schedule> build(const AlgorithmInput& input) const override {
    RINGSPAN_CHECK(can(input.spec.kind), "pairwise does not do this collective");
    return std::make_unique<PairwiseSchedule>(input.spec,
                                              visiting_order(input.layout, input.spec.ranks));
  }
};

}  // namespace

std::unique_ptr<Algorithm> make_pairwise() { return std::make_unique<Pairwise>(); }

}  // namespace ringspan

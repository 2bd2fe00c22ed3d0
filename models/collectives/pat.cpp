#include "models/collectives/pat.h"

#include <utility>

#include "models/collectives/rank_order.h"
#include "models/collectives/step_schedule.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

// A block goes from its owner to the position k further on along the binary digits of k, from the
// highest: a binomial tree per block, all of them side by side. In the step of digit d a position
// hands on the blocks that are a multiple of 2d behind it. A reduce_scatter takes the trees from
// the leaves to the root: the digits from the lowest, d back instead of d on.
class PatSchedule final : public StepSchedule {
 public:
  PatSchedule(const CollectiveSpec& spec, std::vector<std::int32_t> order)
      : StepSchedule(spec, std::move(order), ceil_log2(spec.ranks), Pacing::Slices),
        gathers_(spec.kind == CollectiveKind::AllGather) {}

  std::int64_t block_count() const override { return positions(); }
  std::int64_t block_divisor() const override { return positions(); }

 private:
  std::int64_t digit(std::int64_t step) const {
    return std::int64_t{1} << (gathers_ ? ceil_log2(positions()) - 1 - step : step);
  }

  Rotation rotation(std::int64_t step) const override {
    return {1, positions(), gathers_ ? digit(step) : positions() - digit(step)};
  }

  void append_blocks(std::int64_t step, std::int64_t position,
                     std::vector<std::int64_t>& blocks) const override {
    const std::int64_t d = digit(step);
    const std::int64_t nearer_the_owner = gathers_ ? position : position - d;
    for (std::int64_t behind = 0; behind + d < positions(); behind += 2 * d) {
      blocks.push_back(rank_at(wrapped(nearer_the_owner - behind, positions())));
    }
  }

  bool gathers_;
};

class Pat final : public Algorithm {
 public:
  std::vector<CollectiveKind> collectives() const override {
    return {CollectiveKind::AllGather, CollectiveKind::ReduceScatter};
  }

  std::unique_ptr<Schedule> build(const AlgorithmInput& input) const override {
    RINGSPAN_CHECK(can(input.spec.kind), "pat does not do this collective");
    return std::make_unique<PatSchedule>(input.spec,
                                         visiting_order(input.layout, input.spec.ranks));
  }
};

}  // namespace

std::unique_ptr<Algorithm> make_pat() { return std::make_unique<Pat>(); }

}  // namespace ringspan

#include "models/collectives/bruck.h"

#include <algorithm>
#include <utility>

#include "models/collectives/rank_order.h"
#include "models/collectives/step_schedule.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

// After step j a position holds the blocks of itself and the 2^(j+1) - 1 behind it; each step it
// sends all of them back by 2^j, the last one only what is missing there.
class BruckGather final : public StepSchedule {
 public:
  BruckGather(const CollectiveSpec& spec, std::vector<std::int32_t> order)
      : StepSchedule(spec, std::move(order), ceil_log2(spec.ranks)) {}

  std::int64_t block_count() const override { return positions(); }
  std::int64_t block_divisor() const override { return positions(); }

 private:
  Rotation rotation(std::int64_t step) const override {
    return {1, positions(), positions() - (std::int64_t{1} << step)};
  }

  void append_blocks(std::int64_t step, std::int64_t position,
                     std::vector<std::int64_t>& blocks) const override {
    const std::int64_t held = std::int64_t{1} << step;
    const std::int64_t sent = std::min(held, positions() - held);
    for (std::int64_t i = 0; i < sent; ++i) blocks.push_back(rank_at(position + i));
  }
};

// A block that has k positions to go takes the steps that are the binary digits of k, from the
// lowest. In step j a position sends on every block it holds with digit j in its k: those that set
// out (k mod 2^j) positions before.
class BruckExchange final : public StepSchedule {
 public:
  BruckExchange(const CollectiveSpec& spec, std::vector<std::int32_t> order)
      : StepSchedule(spec, std::move(order), ceil_log2(spec.ranks)) {}

  std::int64_t block_count() const override { return positions() * positions(); }
  std::int64_t block_divisor() const override { return positions(); }

 private:
  Rotation rotation(std::int64_t step) const override {
    return {1, positions(), std::int64_t{1} << step};
  }

  void append_blocks(std::int64_t step, std::int64_t position,
                     std::vector<std::int64_t>& blocks) const override {
    const std::int64_t digit = std::int64_t{1} << step;
    for (std::int64_t k = digit; k < positions(); ++k) {
      if ((k & digit) == 0) continue;
      const std::int64_t start = wrapped(position - k % digit, positions());
      blocks.push_back(rank_at(start) * positions() + rank_at(start + k));
    }
  }
};

class Bruck final : public Algorithm {
 public:
  std::vector<CollectiveKind> collectives() const override {
    return {CollectiveKind::AllGather, CollectiveKind::AllToAll};
  }

  std::unique_ptr<Schedule> build(const AlgorithmInput& input) const override {
    RINGSPAN_CHECK(can(input.spec.kind), "bruck does not do this collective");
    std::vector<std::int32_t> order = visiting_order(input.layout, input.spec.ranks);
    if (input.spec.kind == CollectiveKind::AllGather) {
      return std::make_unique<BruckGather>(input.spec, std::move(order));
    }
    return std::make_unique<BruckExchange>(input.spec, std::move(order));
  }
};

}  // namespace

std::unique_ptr<Algorithm> make_bruck() { return std::make_unique<Bruck>(); }

}  // namespace ringspan

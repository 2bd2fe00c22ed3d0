#include "models/collectives/direct.h"

#include <utility>

#include "models/collectives/pair_schedule.h"
#include "models/collectives/rank_order.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

class Direct final : public Algorithm {
 public:
  std::vector<CollectiveKind> collectives() const override {
    return {kAllCollectives.begin(), kAllCollectives.end()};
  }

  std::unique_ptr<Schedule> build(const AlgorithmInput& input) const override {
    RINGSPAN_CHECK(can(input.spec.kind), "direct does not do this collective");
    std::vector<std::int32_t> order = visiting_order(input.layout, input.spec.ranks);
    // One group: in round r a rank sends r positions on, so no receiver meets two senders at once.
    return make_pair_schedule(input.spec, PeerOrder(std::move(order), input.spec.ranks, {0}));
  }
};

}  // namespace

std::unique_ptr<Algorithm> make_direct() { return std::make_unique<Direct>(); }

}  // namespace ringspan

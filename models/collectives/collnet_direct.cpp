#include "models/collectives/collnet_direct.h"

#include <cstddef>

#include <fmt/format.h>

#include "models/collectives/network_reduction.h"
#include "models/collectives/rank_order.h"
#include "sim/base/check.h"

namespace ringspan {

std::string collnet_layout_bar(const AlgorithmInput& input) {
  constexpr std::size_t kMostLocalRanks = 8;
  if (!has_several_nodes(input.layout)) {
    return "needs at least two nodes: the network reduces between them";
  }
  const auto nodes = ranks_by_node(input.layout, visiting_order(input.layout, input.spec.ranks));
  for (const auto& node : nodes) {
    if (node.size() > kMostLocalRanks) {
      return fmt::format("is for {} ranks of a node at most, and a node has {}", kMostLocalRanks,
                         node.size());
    }
  }
  return {};
}

namespace {

class CollnetDirect final : public Algorithm {
 public:
  std::vector<CollectiveKind> collectives() const override {
    return {CollectiveKind::AllReduce, CollectiveKind::AllGather, CollectiveKind::ReduceScatter};
  }
  bool needs_network_reduction(const RankLayout& /*layout*/) const override { return true; }
  std::string layout_bar(const AlgorithmInput& input) const override {
    return collnet_layout_bar(input);
  }

  std::unique_ptr<Schedule> build(const AlgorithmInput& input) const override {
    RINGSPAN_CHECK(can(input.spec.kind), "collnetdirect does not do this collective");
    const auto order = visiting_order(input.layout, input.spec.ranks);
    return make_network_reduction(input.spec, ranks_by_node(input.layout, order),
                                  HeadTraffic::Messages);
  }
};

}  // namespace

std::unique_ptr<Algorithm> make_collnet_direct() { return std::make_unique<CollnetDirect>(); }

}  // namespace ringspan

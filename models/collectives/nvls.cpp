#include "models/collectives/nvls.h"

#include <cstddef>
#include <utility>

#include "models/collectives/network_reduction.h"
#include "models/collectives/rank_order.h"
#include "models/collectives/transfer.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

// Every rank is the head of one block. Reductions come first, operation p for the head at position
// p; then the multicasts, n + p (or p where nothing is reduced).
class NvlsSchedule final : public Schedule {
 public:
  NvlsSchedule(const CollectiveSpec& spec, std::vector<std::int32_t> order)
      : Schedule(spec),
        order_(std::move(order)),
        n_(spec.ranks == 1 ? 0 : spec.ranks),
        reduces_(collective_reduces(spec.kind)),
        multicasts_(spec.kind != CollectiveKind::ReduceScatter) {}

  std::int64_t block_count() const override { return ranks(); }
  std::int64_t block_divisor() const override { return ranks(); }
  OperationId operation_count() const override { return (reduces_ && multicasts_ ? 2 : 1) * n_; }

  void transfer(OperationId operation, Transfer& out) const override {
    const std::int32_t head = order_[static_cast<std::size_t>(operation % n_)];
    out.blocks.assign(1, head);
    if (is_reduction(operation)) {
      out.action = TransferAction::Reduce;
      out.sources = order_;
      out.destinations.assign(1, head);
    } else {
      // The head's store goes through the switch to every member, itself included.
      out.action = TransferAction::Copy;
      out.sources.assign(1, head);
      out.destinations = order_;
    }
  }

  void dependencies(OperationId operation, std::vector<OperationId>& out) const override {
    out.clear();
    if (operation >= n_) out.push_back(operation - n_);
  }

  void dependents(OperationId operation, std::vector<OperationId>& out) const override {
    out.clear();
    if (operation + n_ < operation_count()) out.push_back(operation + n_);
  }

  Pacing pacing() const override { return Pacing::Slices; }
  RoundOverlap overlap() const override { return RoundOverlap::Pipelined; }

  std::vector<Round> rounds() const override {
    std::vector<Round> rounds;
    const auto add = [&](bool reduction) {
      rounds.emplace_back().nodes.push_back({order_, static_cast<std::int32_t>(n_), reduction, 1});
    };
    if (n_ > 0 && reduces_) add(true);
    if (n_ > 0 && multicasts_) add(false);
    return rounds;
  }

 private:
  bool is_reduction(OperationId operation) const { return reduces_ && operation < n_; }

  std::vector<std::int32_t> order_;
  std::int64_t n_;  // heads that have something to do: none with one rank
  bool reduces_;
  bool multicasts_;
};

class Nvls final : public Algorithm {
 public:
  std::vector<CollectiveKind> collectives() const override {
    return {CollectiveKind::AllReduce, CollectiveKind::AllGather, CollectiveKind::ReduceScatter};
  }
  bool needs_multicast() const override { return true; }
  bool needs_network_reduction(const RankLayout& layout) const override {
    return has_several_nodes(layout);
  }
  std::string layout_bar(const AlgorithmInput& input) const override {
    if (input.spec.kind == CollectiveKind::AllReduce || !has_several_nodes(input.layout)) return {};
    return "does all_reduce alone over several nodes";
  }

  // Over several nodes the network reduces between the heads of a block, of which every node has
  // one.
  std::unique_ptr<Schedule> build(const AlgorithmInput& input) const override {
    RINGSPAN_CHECK(can(input.spec.kind), "nvls does not do this collective");
    if (input.spec.kind == CollectiveKind::AllReduce && has_several_nodes(input.layout)) {
      const auto order = visiting_order(input.layout, input.spec.ranks);
      return make_network_reduction(input.spec, ranks_by_node(input.layout, order),
                                    HeadTraffic::Switch);
    }
    return std::make_unique<NvlsSchedule>(input.spec,
                                          visiting_order(input.layout, input.spec.ranks));
  }
};

}  // namespace

std::unique_ptr<Algorithm> make_nvls() { return std::make_unique<Nvls>(); }

}  // namespace ringspan

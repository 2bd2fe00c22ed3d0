#include "topologies/routing/dimension_order.h"

namespace ringspan {

namespace {

class DimensionOrder final : public PathChoice {
 public:
  Spread spread() const override { return Spread::One; }
  std::uint32_t pick(std::uint32_t /*at*/, const FlowKey& /*flow*/,
                     std::uint32_t /*ways*/) const override {
    return 0;
  }
  std::uint32_t pick_cable(std::uint32_t /*at*/, const FlowKey& flow,
                           std::uint32_t cables) const override {
    return flow.destination % cables;
  }
};

}  // namespace

std::unique_ptr<const PathChoice> make_dimension_order(std::uint64_t /*seed*/) {
  return std::make_unique<DimensionOrder>();
}

}  // namespace ringspan

#include "topologies/routing/destination_modulo.h"

namespace ringspan {

namespace {

class DestinationModulo final : public PathChoice {
 public:
  Spread spread() const override { return Spread::One; }
  std::uint32_t pick(std::uint32_t /*at*/, const FlowKey& flow, std::uint32_t ways) const override {
    return flow.destination % ways;
  }
  std::uint32_t pick_above(std::uint32_t /*at*/, const FlowKey& flow, std::uint32_t ways,
                           std::uint32_t before) const override {
    return flow.destination / before % ways;
  }
};

}  // namespace

std::unique_ptr<const PathChoice> make_destination_modulo(std::uint64_t /*seed*/) {
  return std::make_unique<DestinationModulo>();
}

}  // namespace ringspan

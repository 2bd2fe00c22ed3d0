#include "topologies/routing/adaptive.h"

namespace ringspan {

namespace {

class Adaptive final : public PathChoice {
 public:
  Spread spread() const override { return Spread::ByRate; }
};

}  // namespace

std::unique_ptr<const PathChoice> make_adaptive(std::uint64_t /*seed*/) {
  return std::make_unique<Adaptive>();
}

}  // namespace ringspan

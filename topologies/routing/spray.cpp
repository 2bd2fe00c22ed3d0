#include "topologies/routing/spray.h"

namespace ringspan {

namespace {

class Spray final : public PathChoice {
 public:
  Spread spread() const override { return Spread::Even; }
};

}  // namespace

std::unique_ptr<const PathChoice> make_spray(std::uint64_t /*seed*/) {
  return std::make_unique<Spray>();
}

}  // namespace ringspan

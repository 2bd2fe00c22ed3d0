#include "topologies/routing/valiant.h"

#include "topologies/routing/hashed_choice.h"

namespace ringspan {

namespace {

// No switch has this number: detours are drawn apart from ways.
constexpr std::uint64_t kDetour = std::uint64_t{1} << 32U;

class Valiant final : public HashedChoice {
 public:
  using HashedChoice::HashedChoice;

  bool detours() const override { return true; }
  std::uint32_t detour(const FlowKey& flow, std::uint32_t places) const override {
    return hash_below(flow_hash(seed(), kDetour, flow), places);
  }
};

}  // namespace

std::unique_ptr<const PathChoice> make_valiant(std::uint64_t seed) {
  return std::make_unique<Valiant>(seed);
}

}  // namespace ringspan

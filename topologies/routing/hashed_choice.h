#pragma once

// A flow takes one way at every fork, by flow_hash().

#include <cstdint>

#include "topologies/routing/flow_hash.h"
#include "topologies/routing/path_choice.h"

namespace ringspan {

class HashedChoice : public PathChoice {
 public:
  explicit HashedChoice(std::uint64_t seed) : seed_(seed) {}

  Spread spread() const override { return Spread::One; }
  std::uint32_t pick(std::uint32_t at, const FlowKey& flow, std::uint32_t ways) const override {
    return consistent_below(flow_hash(seed_, at, flow), ways);
  }
  std::uint32_t pick_instead(std::uint32_t at, const FlowKey& flow, std::uint32_t others,
                             std::uint32_t /*before*/) const override {
    return consistent_below(flow_hash(seed_, kInstead + at, flow), others);
  }
  bool tells_channels_apart() const override { return true; }

 protected:
  std::uint64_t seed() const { return seed_; }

 private:
  // No switch has such a number: what is drawn instead is independent of what was drawn first.
  static constexpr std::uint64_t kInstead = std::uint64_t{1} << 33U;

  std::uint64_t seed_;
};

}  // namespace ringspan

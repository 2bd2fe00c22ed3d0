#pragma once

// What is left of the cables above a leaf or a block of a Clos fabric, counted in whole cables.
// Flows are spread in two ways (PathChoice::Spread):
//   ByRate   the sum over all cables
//   Even     as slow as the slowest: at the switch that spreads, alive cables x the slowest of
//            them; on the way down, alive switches above x the narrowest of them
// One is counted as ByRate: it is what hashes even out to.

#include <cstdint>

#include "topologies/fabrics/clos_cables.h"
#include "topologies/fabrics/clos_shape.h"
#include "topologies/routing/path_choice.h"

namespace ringspan {

class ClosPools {
 public:
  // Both must outlive this.
  ClosPools(const ClosShape& shape, const ClosCables& cables, PathChoice::Spread spread)
      : shape_(shape), cables_(cables), even_(spread == PathChoice::Spread::Even) {}

  double leaf_up(std::uint32_t plane, std::uint32_t leaf) const;
  double leaf_down(std::uint32_t plane, std::uint32_t leaf) const;
  double block_up(std::uint32_t plane, std::uint32_t block) const;
  double block_down(std::uint32_t plane, std::uint32_t block) const;

 private:
  const ClosShape& shape_;
  const ClosCables& cables_;
  bool even_;
};

}  // namespace ringspan

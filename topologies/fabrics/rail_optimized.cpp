#include "topologies/fabrics/rail_optimized.h"

#include "topologies/fabrics/clos_fabric.h"

namespace ringspan {

std::unique_ptr<const Fabric> make_rail_optimized(const FabricInput& input) {
  constexpr ClosKind kKind{
      .name = "rail-optimized", .least_tiers = 2, .most_tiers = 3, .leaf_per_rail = true};
  return make_clos_fabric(kKind, input);
}

}  // namespace ringspan

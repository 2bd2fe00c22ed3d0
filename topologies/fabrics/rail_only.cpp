#include "topologies/fabrics/rail_only.h"

#include "topologies/fabrics/clos_fabric.h"

namespace ringspan {

std::unique_ptr<const Fabric> make_rail_only(const FabricInput& input) {
  constexpr ClosKind kKind{.name = "rail-only",
                           .least_tiers = 1,
                           .most_tiers = 2,
                           .leaf_per_rail = true,
                           .rails_apart = true};
  return make_clos_fabric(kKind, input);
}

}  // namespace ringspan

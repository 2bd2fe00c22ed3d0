#include "topologies/fabrics/leaf_spine.h"

#include "topologies/fabrics/clos_fabric.h"

namespace ringspan {

std::unique_ptr<const Fabric> make_leaf_spine(const FabricInput& input) {
  constexpr ClosKind kKind{.name = "leaf-spine", .least_tiers = 2, .most_tiers = 2};
  return make_clos_fabric(kKind, input);
}

}  // namespace ringspan

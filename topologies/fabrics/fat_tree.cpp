#include "topologies/fabrics/fat_tree.h"

#include "topologies/fabrics/clos_fabric.h"

namespace ringspan {

std::unique_ptr<const Fabric> make_fat_tree(const FabricInput& input) {
  constexpr ClosKind kKind{.name = "fat-tree", .least_tiers = 2, .most_tiers = 3};
  return make_clos_fabric(kKind, input);
}

}  // namespace ringspan

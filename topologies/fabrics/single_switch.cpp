#include "topologies/fabrics/single_switch.h"

#include "topologies/fabrics/clos_fabric.h"

namespace ringspan {

std::unique_ptr<const Fabric> make_single_switch(const FabricInput& input) {
  constexpr ClosKind kKind{.name = "single-switch", .least_tiers = 1, .most_tiers = 1};
  return make_clos_fabric(kKind, input);
}

}  // namespace ringspan

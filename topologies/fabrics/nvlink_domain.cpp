#include "topologies/fabrics/nvlink_domain.h"

namespace ringspan {

std::unique_ptr<const Fabric> refuse_nvlink_domain(const FabricInput& input) {
  input.config.fail("kind", "an NVLink domain cannot join others",
                    "[fabric] may have this kind; what joins its racks is another one, such as "
                    "\"rail-optimized\"");
}

}  // namespace ringspan

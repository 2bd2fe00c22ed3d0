// Every fabric kind, by name.

#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

Registry<FabricFactory> builtin_fabrics() {
  Registry<FabricFactory> fabrics("fabric");
  return fabrics;
}

}  // namespace ringspan

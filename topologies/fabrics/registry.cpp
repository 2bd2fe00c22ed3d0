// Every fabric kind, by name.

#include "topologies/fabrics/custom.h"
#include "topologies/fabrics/dragonfly.h"
#include "topologies/fabrics/fabric_input.h"
#include "topologies/fabrics/fat_tree.h"
#include "topologies/fabrics/leaf_spine.h"
#include "topologies/fabrics/nvlink_domain.h"
#include "topologies/fabrics/rail_only.h"
#include "topologies/fabrics/rail_optimized.h"
#include "topologies/fabrics/single_switch.h"
#include "topologies/fabrics/torus.h"

namespace ringspan {

Registry<FabricFactory> builtin_fabrics() {
  Registry<FabricFactory> fabrics("fabric");
  fabrics.add("single-switch", "all NICs on one switch", make_single_switch);
  fabrics.add("leaf-spine", "two tiers, all NICs of a server on one leaf", make_leaf_spine);
  fabrics.add("fat-tree", "two or three tiers, all NICs of a server on one leaf", make_fat_tree);
  fabrics.add("rail-optimized", "two or three tiers, a leaf per rail", make_rail_optimized);
  fabrics.add("rail-only", "a fabric per rail, nothing joins them", make_rail_only);
  fabrics.add("torus", "switches in a grid of 1 to 6 dimensions whose ends meet", make_torus);
  fabrics.add("nvlink-domain", "racks of trays whose GPUs share NVSwitches; [fabric.scale_out]",
              refuse_nvlink_domain);
  fabrics.add("dragonfly", "groups of switches, all to all inside and between", make_dragonfly);
  fabrics.add("custom", "switches and cables as the file names them", make_custom);
  return fabrics;
}

}  // namespace ringspan

#pragma once

// A made-up fabric for tests of reports: servers on leaves, leaves in pods, one pool of cables up
// from every leaf.

#include <cstdint>

#include "topologies/fabrics/cluster.h"

namespace ringspan {

struct LeafPodShape {
  std::int32_t servers = 8, rails = 2;
  std::int32_t servers_per_leaf = 2;
  std::int32_t leaf_groups_per_pod = 2;  // a leaf group is one leaf, or one leaf a rail
  bool leaf_per_rail = false;            // rail-optimised
  double up_share = 0.5;                 // of a leaf's ports: 0.5 = 2:1
};

// The servers of tests/support/clusters.h on it. Ports of 50 GB/s nominal and payload; a cable
// takes 300 ns, so NIC to NIC takes 0.6 us on one leaf, 1.2 us in a pod and 1.8 us across. The
// servers of tests/support/clusters.h on it.
Cluster leaf_pod_cluster(const LeafPodShape& shape);

// Racks of two trays on it, shape.servers / 2 of them: two GPUs of 450 GB/s a tray, all on one
// NVSwitch (300 ns); NIC i of a tray and GPU i under a PCIe switch of their own (55 GB/s, 110 ns a
// link).
Cluster rack_cluster(const LeafPodShape& shape);

}  // namespace ringspan

#pragma once

// Which servers there are, and which leaf each NIC hangs on.

#include <cstdint>
#include <vector>

#include "topologies/fabrics/clos_shape.h"
#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

// The servers of a cluster, pod by pod. Without [[pod]]s there is one pod.
struct ServerPods {
  std::vector<std::int64_t> first_server;  // by pod, and one more: how many servers there are
  std::int64_t rails = 1;                  // NICs of a server, the most that one has

  std::int64_t servers() const { return first_server.back(); }
  std::int64_t count() const { return static_cast<std::int64_t>(first_server.size()) - 1; }
  std::int64_t servers_of(std::int64_t pod) const {
    return first_server[static_cast<std::size_t>(pod) + 1] -
           first_server[static_cast<std::size_t>(pod)];
  }
  // Leaves, or groups of a leaf per rail, that serve `servers_per_leaf` servers each. None serves
  // two pods.
  std::int64_t groups_of(std::int64_t pod, std::int64_t servers_per_leaf) const {
    return (servers_of(pod) + servers_per_leaf - 1) / servers_per_leaf;
  }
  std::int64_t groups(std::int64_t servers_per_leaf) const;
  std::int64_t most_groups_of_a_pod(std::int64_t servers_per_leaf) const;
  // One pod of all: where a switch serves every server.
  void merge() { first_server = {0, servers()}; }
};

// Requires ports in order of servers, and pods in order of domains.
ServerPods count_servers(const FabricInput& input);

// Fills leaves, first_leaf, block_of_leaf, leaf_of_port and number_of_port. Requires
// shape.tiers, leaves_per_block, blocks_are_rails, leaves_per_group.
void place_ports(const FabricInput& input, const ServerPods& pods, std::int64_t servers_per_leaf,
                 ClosShape& shape);

}  // namespace ringspan

#pragma once

// Shortest ways through PCIe switches and CPUs.

#include <cstdint>
#include <optional>
#include <vector>

#include "topologies/graph/topology.h"
#include "topologies/routing/bundle_table.h"

namespace ringspan {

class HostPaths {
 public:
  HostPaths(const Topology& topology, const BundleTable& bundles);

  // The devices from `from` to `to`, both included, over PCIe switches and CPUs: fewest links, then
  // least latency, then lowest numbers. `to` is a GPU or a host device. Empty: there is no way.
  std::vector<NodeId> shortest(NodeId from, NodeId to) const;
  // The same to the CPU nearest to `gpu`.
  std::vector<NodeId> to_nearest_cpu(NodeId gpu) const;

 private:
  template <typename Accept>
  std::vector<NodeId> search(NodeId from, Accept accept) const;
  bool is_host(NodeId id) const { return host_index_[id.index()] >= 0; }

  const Topology& topology_;
  const BundleTable& bundles_;
  std::vector<std::int32_t> host_index_;  // per device, counted in its server; -1: not of the host
  std::vector<std::size_t> host_count_;   // per server
};

}  // namespace ringspan

#pragma once

// All links from one device to another taken together: data is striped over them by capacity.

#include <cstdint>
#include <span>
#include <vector>

#include "topologies/graph/topology.h"
#include "topologies/routing/route.h"

namespace ringspan {

struct Bundle {
  NodeId from, to;
  std::uint32_t begin = 0, end = 0;          // into the table's link list
  double payload = 0;                        // bits/s, all links together
  Duration latency{};                        // of the slowest link
  LinkClass link_class = LinkClass::NvLink;  // the costliest of its links
};

class BundleTable {
 public:
  explicit BundleTable(const Topology& topology);

  // Bundles that leave a device, by ascending destination.
  std::span<const Bundle> from(NodeId device) const;
  // nullptr when no link joins them.
  const Bundle* between(NodeId from, NodeId to) const;
  // Appends the bundle's links with their parts of `share`.
  void append(const Bundle& bundle, double share, std::uint32_t stage,
              std::vector<RouteLink>& links) const;

 private:
  const Topology& topology_;
  std::vector<std::uint32_t> begin_;  // per device, into bundles_
  std::vector<Bundle> bundles_;
  std::vector<LinkId> links_;
};

}  // namespace ringspan

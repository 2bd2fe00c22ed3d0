#include "models/cost/fabric_class.h"

#include <algorithm>
#include <vector>

#include "sim/base/check.h"

namespace ringspan {

namespace {

// Whether links of NVLink's kind join the ranks' GPUs, directly, through switches or through one
// another. One GPU is joined.
bool nvlink_joins(const DomainKind& domain, std::span<const GpuPlace> places) {
  const Topology& topology = domain.topology;
  std::vector<bool> passable(topology.devices().size(), true);
  for (const NodeId gpu : topology.gpus()) passable[gpu.index()] = false;
  std::vector<NodeId> ranks;
  for (const GpuPlace& place : places) {
    ranks.push_back(domain.gpus[static_cast<std::size_t>(place.gpu)]);
    passable[ranks.back().index()] = true;
  }
  std::vector<NodeId> reached = {ranks.front()};
  passable[ranks.front().index()] = false;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    for (const LinkId id : topology.out_links(reached[next])) {
      const Link& link = topology.link(id);
      if (link.link_class != LinkClass::NvLink || !passable[link.to.index()]) continue;
      passable[link.to.index()] = false;
      reached.push_back(link.to);
    }
  }
  return std::none_of(ranks.begin(), ranks.end(),
                      [&](NodeId rank) { return passable[rank.index()]; });
}

}  // namespace

std::string_view fabric_class_name(FabricClass fabric_class) {
  switch (fabric_class) {
    case FabricClass::NvlinkDomain:
      return "nvlink-domain";
    case FabricClass::PcieServer:
      return "pcie-server";
    case FabricClass::SeveralServers:
      return "several-servers";
  }
  RINGSPAN_CHECK(false, "unknown fabric class");
}

FabricClass fabric_class_of(const Cluster& cluster, std::span<const GpuPlace> places) {
  RINGSPAN_CHECK(!places.empty(), "a communicator has a rank");
  const std::int32_t domain = places.front().domain;
  const bool one_domain = std::all_of(
      places.begin(), places.end(), [&](const GpuPlace& place) { return place.domain == domain; });
  if (!one_domain) return FabricClass::SeveralServers;
  return nvlink_joins(cluster.domain(domain), places) ? FabricClass::NvlinkDomain
                                                      : FabricClass::PcieServer;
}

std::string_view size_class_name(SizeClass size_class) {
  return size_class == SizeClass::Small ? "small" : "large";
}

}  // namespace ringspan

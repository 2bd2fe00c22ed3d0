#include "models/nccl/plan_rates.h"

#include <algorithm>
#include <limits>

namespace ringspan {

namespace {

// NCCL's figure per NVLink over the link's rate. A ratio, so that a link a user made slower or
// faster than the real one is planned with in proportion.
double nvlink_ratio(int compute_capability) {
  if (compute_capability >= 100) return 40.1 / 50.0;
  if (compute_capability >= 90) return 20.6 / 25.0;
  if (compute_capability == 86) return 12.0 / 14.0625;  // GA102: four lanes of 28.125 Gbit/s
  if (compute_capability >= 70) return 20.0 / 25.0;
  return 18.0 / 20.0;
}

double nvlink_rate(const Topology& topology, const Link& link) {
  double ratio = std::numeric_limits<double>::infinity();
  for (const NodeId end : {link.from, link.to}) {
    if (topology.device(end).kind != DeviceKind::Gpu) continue;
    const int compute_capability = topology.gpu_model(end).compute_capability;
    // Other vendors' links are no part of NCCL's table: what gets through them.
    ratio = std::min(ratio,
                     compute_capability > 0 ? nvlink_ratio(compute_capability) : link.efficiency);
  }
  return to_gbytes_per_second(link.nominal) * ratio;
}

// GB/s of one PCIe lane: 0.75 of its signalling rate, for every generation (8 GT/s: 0.75).
constexpr double kPcieShareOfRaw = 0.75;

// NCCL asks an Intel CPU for its model. Where the system does not say its generation, the fastest
// PCIe lane of the CPU tells it: Gen5 came with Sapphire Rapids (22), Gen4 and Gen3 are planned
// like Skylake (10).
double intel_socket_rate(const Topology& topology, NodeId cpu) {
  constexpr double kGen5LaneGbytes = 4.0;
  const std::string& generation = topology.device(cpu).generation;
  if (generation == "broadwell") return 6.0;
  if (generation == "skylake") return 10.0;
  if (generation == "sapphire-rapids") return 22.0;
  if (generation == "emerald-rapids") return 40.0;
  for (const LinkId id : topology.out_links(cpu)) {
    const Link& link = topology.link(id);
    if (link.link_class != LinkClass::Pcie) continue;
    if (to_gbytes_per_second(link.raw) / link.count >= kGen5LaneGbytes) return 22.0;
  }
  return 10.0;
}

// All links between two CPUs together are one link to NCCL, whatever they are made of.
double socket_rate(const Topology& topology, const Link& link) {
  double bundle = 0;
  for (const LinkId id : topology.out_links(link.from)) {
    const Link& other = topology.link(id);
    if (other.to == link.to) bundle += to_gbytes_per_second(other.nominal);
  }
  const std::string& vendor = topology.device(link.from).vendor;
  double planned = bundle;
  if (vendor == "intel") planned = intel_socket_rate(topology, link.from);
  if (vendor == "amd") planned = 16.0;
  if (vendor == "arm") planned = 6.0;
  if (vendor == "power") planned = 32.0;
  const double own = to_gbytes_per_second(link.nominal);
  return std::min(own, planned * own / bundle);
}

}  // namespace

double plan_rate(const Topology& topology, const Link& link) {
  switch (link.link_class) {
    case LinkClass::NvLink:
      return nvlink_rate(topology, link);
    case LinkClass::Pcie:
      return to_gbytes_per_second(link.raw) * kPcieShareOfRaw;
    case LinkClass::Socket:
      return socket_rate(topology, link);
    case LinkClass::C2c:
    case LinkClass::Network:
      break;
  }
  return to_gbytes_per_second(link.nominal);
}

}  // namespace ringspan

#include "models/nccl/plan_graph.h"

#include <algorithm>
#include <limits>

#include "models/nccl/plan_rates.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

// Through an Intel root complex peer-to-peer data travels in small packets; NCCL charges PCIe links
// 6/5 of the rate for it (INTEL_P2P_OVERHEAD in src/graph/topo.h).
constexpr double kIntelOverhead = 1.2;

HopReach hop_reach(const Route& route) {
  // Staged data passes a CPU even when the pair shares a switch.
  if (route.staged) {
    return route.slowest_class == LinkClass::Socket ? HopReach::Socket : HopReach::RootComplex;
  }
  switch (route.kind) {
    case PathKind::Local:
    case PathKind::NvLink:
    case PathKind::NvSwitch:
      return HopReach::NvLink;
    case PathKind::NvLinkRelay:
      return HopReach::Relay;
    case PathKind::PcieSwitch:
      return HopReach::PcieSwitch;
    case PathKind::PcieSwitches:
      return HopReach::PcieSwitches;
    case PathKind::RootComplex:
      return HopReach::RootComplex;
    case PathKind::Socket:
      break;
  }
  return HopReach::Socket;
}

bool over_vendor(const Topology& topology, const Route& route, std::string_view vendor) {
  return std::any_of(route.via.begin(), route.via.end(), [&](NodeId id) {
    return topology.device(id).kind == DeviceKind::Cpu && topology.device(id).vendor == vendor;
  });
}

bool between_switches(const Topology& topology, const Link& link) {
  return topology.device(link.from).kind == DeviceKind::NvSwitch &&
         topology.device(link.to).kind == DeviceKind::NvSwitch;
}

}  // namespace

PlanGraph::PlanGraph(const Topology& topology, std::span<const NodeId> gpus)
    : size_(static_cast<int>(gpus.size())) {
  RINGSPAN_CHECK(size_ >= 1, "a ring needs a GPU");
  const auto devices = topology.devices();
  in_order_only_ = size_ > kMostSearched ||
                   std::any_of(devices.begin(), devices.end(), [](const Device& device) {
                     return device.kind == DeviceKind::NvSwitch;
                   });
  capacity_.reserve(topology.links().size());
  for (const Link& link : topology.links()) capacity_.push_back(plan_rate(topology, link));

  const GpuRouter router(topology);
  for (int from = 0; from < size_; ++from) {
    for (int step = 0; step < (in_order_only_ ? 2 : size_); ++step) {
      const int neighbour = (from + (step == 0 ? 1 : size_ - 1)) % size_;
      const int to = in_order_only_ ? neighbour : step;
      if (from == to) {
        hops_.emplace_back();
        continue;
      }
      const Route route =
          router.route(gpus[static_cast<std::size_t>(from)], gpus[static_cast<std::size_t>(to)]);
      hops_.push_back(hop_of(topology, route));
      farthest_ = std::max(farthest_, hops_.back().reach);
      if (hops_.back().reach == HopReach::Socket && over_vendor(topology, route, "amd")) {
        crosses_amd_ = true;
      }
    }
  }
  find_rates(topology, gpus);
}

PathType path_type(HopReach reach) {
  switch (reach) {
    case HopReach::NvLink:
      return PathType::Nvl;
    case HopReach::Relay:
      return PathType::Nvb;
    case HopReach::PcieSwitch:
      return PathType::Pix;
    case HopReach::PcieSwitches:
      return PathType::Pxb;
    case HopReach::RootComplex:
      return PathType::Phb;
    case HopReach::Socket:
      break;
  }
  return PathType::Sys;
}

Hop hop_of(const Topology& topology, const Route& route) {
  Hop hop;
  hop.reach = hop_reach(route);
  hop.links = static_cast<int>(route.links.back().stage) + 1;
  const double overhead =
      hop.reach == HopReach::RootComplex && over_vendor(topology, route, "intel") ? kIntelOverhead
                                                                                  : 1.0;
  for (const RouteLink& step : route.links) {
    const Link& link = topology.link(step.link);
    if (between_switches(topology, link)) continue;
    const bool pcie = link.link_class == LinkClass::Pcie;
    hop.charges.push_back({step.link.value, step.share * (pcie ? overhead : 1.0)});
  }
  return hop;
}

void PlanGraph::find_rates(const Topology& topology, std::span<const NodeId> gpus) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const Hop& hop : hops_) {
    if (hop.charges.empty()) continue;
    double rate = kInfinity;
    for (const HopCharge& charge : hop.charges) {
      rate = std::min(rate, capacity_[charge.link] / charge.factor);
    }
    best_hop_rate_ = std::max(best_hop_rate_, rate);
  }
  least_compute_capability_ = std::numeric_limits<int>::max();
  nvlink_port_rate_ = all_port_rate_ = kInfinity;
  for (const NodeId gpu : gpus) {
    double nvlink = 0;
    double members = 0;  // NCCL drops the GPUs that are not of the communicator, and their links
    double pcie = 0;
    double all = 0;
    for (const LinkId id : topology.out_links(gpu)) {
      const Link& link = topology.link(id);
      const double rate = std::min(capacity_[id.index()], capacity_[link.reverse.index()]);
      all += rate;
      if (link.link_class == LinkClass::Pcie) pcie += rate;
      if (link.link_class != LinkClass::NvLink) continue;
      nvlink += rate;
      const bool member = topology.device(link.to).kind == DeviceKind::NvSwitch ||
                          std::find(gpus.begin(), gpus.end(), link.to) != gpus.end();
      if (member) members += rate;
    }
    gpu_rate_ = std::max({gpu_rate_, members, pcie});
    nvlink_port_rate_ = std::min(nvlink_port_rate_, nvlink);
    all_port_rate_ = std::min(all_port_rate_, all);
    least_compute_capability_ =
        std::min(least_compute_capability_, topology.gpu_model(gpu).compute_capability);
  }
  gpu_rate_ = std::max(gpu_rate_, best_hop_rate_);
}

const Hop& PlanGraph::hop(int from, int to) const {
  if (in_order_only_) {
    const bool next = to == (from + 1) % size_;
    RINGSPAN_CHECK(next || from == (to + 1) % size_, "only hops to neighbours are known");
    return hops_[2 * static_cast<std::size_t>(from) + (next ? 0 : 1)];
  }
  return hops_[static_cast<std::size_t>(from) * static_cast<std::size_t>(size_) +
               static_cast<std::size_t>(to)];
}

double PlanGraph::port_rate(HopReach reach) const {
  return reach <= HopReach::Relay ? nvlink_port_rate_ : all_port_rate_;
}

}  // namespace ringspan

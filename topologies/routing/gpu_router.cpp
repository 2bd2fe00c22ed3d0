#include "topologies/routing/gpu_router.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include <fmt/format.h>

#include "sim/base/check.h"
#include "sim/base/input_error.h"
#include "topologies/routing/bundle_table.h"
#include "topologies/routing/host_paths.h"
#include "topologies/routing/switch_spread.h"

namespace ringspan {

struct GpuRouter::Tables {
  explicit Tables(const Topology& t)
      : topology(t), bundles(t), switches(t, bundles), hosts(t, bundles) {}

  const Bundle* gpu_bundle(NodeId from, NodeId to) const;
  bool direct(NodeId from, NodeId to, Route& route) const;
  bool relay(NodeId from, NodeId to, Route& route) const;
  bool host(NodeId from, NodeId to, Route& route) const;
  void stage(NodeId from, NodeId to, std::string_view reason, Route& route) const;
  void any_way(NodeId from, NodeId to, Route& route) const;
  void follow(std::span<const NodeId> way, Route& route) const;
  void finish(Route& route) const;

  const Topology& topology;
  BundleTable bundles;
  SwitchSpread switches;
  HostPaths hosts;
};

namespace {

PathKind kind_of_way(const Topology& topology, std::span<const NodeId> way) {
  int switches = 0;
  int cpus = 0;
  for (const NodeId id : way.subspan(1, way.size() - 2)) {
    if (topology.device(id).kind == DeviceKind::PcieSwitch) ++switches;
    if (topology.device(id).kind == DeviceKind::Cpu) ++cpus;
  }
  if (cpus > 1) return PathKind::Socket;
  if (cpus == 1) return PathKind::RootComplex;
  return switches > 1 ? PathKind::PcieSwitches : PathKind::PcieSwitch;
}

// Why a pair wired like this is not peer-to-peer; empty: it is.
std::string_view why_staged(PeerReach reach, PathKind kind) {
  if (reach == PeerReach::Off) return "peer-to-peer is off on this server";
  if (reach == PeerReach::Switch && kind == PathKind::RootComplex) {
    return "peer-to-peer reaches only through PCIe switches, and this pair is joined through a "
           "root complex";
  }
  if (reach == PeerReach::Switch && kind == PathKind::Socket) {
    return "peer-to-peer reaches only through PCIe switches, and this pair is joined across "
           "sockets";
  }
  if (reach == PeerReach::Socket && kind == PathKind::Socket) {
    return "peer-to-peer reaches only within one socket, and this pair is joined across sockets";
  }
  return {};
}

}  // namespace

// Links between two GPUs; a PCIe cable between cards is left to host().
const Bundle* GpuRouter::Tables::gpu_bundle(NodeId from, NodeId to) const {
  const Bundle* bundle = bundles.between(from, to);
  return bundle != nullptr && bundle->link_class != LinkClass::Pcie ? bundle : nullptr;
}

bool GpuRouter::Tables::direct(NodeId from, NodeId to, Route& route) const {
  const Bundle* bundle = gpu_bundle(from, to);
  if (bundle == nullptr) return false;
  bundles.append(*bundle, 1.0, 0, route.links);
  route.kind = PathKind::NvLink;
  route.latency = bundle->latency;
  return true;
}

// NCCL relays over one GPU only (NVB); the widest bottleneck wins, then the lowest GPU.
bool GpuRouter::Tables::relay(NodeId from, NodeId to, Route& route) const {
  const Bundle* best_in = nullptr;
  const Bundle* best_out = nullptr;
  double best = 0;
  for (const Bundle& in : bundles.from(from)) {
    if (topology.device(in.to).kind != DeviceKind::Gpu || in.link_class == LinkClass::Pcie)
      continue;
    const Bundle* out = gpu_bundle(in.to, to);
    if (out == nullptr) continue;
    const double width = std::min(in.payload, out->payload);
    if (width <= best) continue;
    best = width;
    best_in = &in;
    best_out = out;
  }
  if (best_in == nullptr) return false;
  bundles.append(*best_in, 1.0, 0, route.links);
  bundles.append(*best_out, 1.0, 1, route.links);
  route.kind = PathKind::NvLinkRelay;
  route.latency = best_in->latency + best_out->latency;
  route.via.push_back(best_in->to);
  return true;
}

bool GpuRouter::Tables::host(NodeId from, NodeId to, Route& route) const {
  const std::vector<NodeId> way = hosts.shortest(from, to);
  if (way.empty()) return false;
  route.kind = kind_of_way(topology, way);
  const std::string_view reason = why_staged(topology.peer_reach(), route.kind);
  if (reason.empty()) {
    follow(way, route);
  } else {
    stage(from, to, reason, route);
  }
  return true;
}

// The sender writes to the memory of the receiver's CPU, the receiver reads it there: NCCL's
// shared-memory transport keeps its buffers on the receiver's side (src/transport/shm.cc).
void GpuRouter::Tables::stage(NodeId from, NodeId to, std::string_view reason, Route& route) const {
  std::vector<NodeId> read = hosts.to_nearest_cpu(to);
  std::vector<NodeId> way;
  if (!read.empty()) way = hosts.shortest(from, read.back());
  if (way.empty()) {
    throw InputError(
        fmt::format("{} and {} have no CPU through whose memory they could exchange data, and {}",
                    topology.device(from).name, topology.device(to).name, reason),
        "link both GPUs to a CPU, or let peer-to-peer reach further");
  }
  route.staged = true;
  route.staging = way.back();
  route.staging_reason = reason;
  read.pop_back();
  way.insert(way.end(), read.rbegin(), read.rend());
  follow(way, route);
}

// The last resort for graphs no transport of NCCL's covers, such as a ring of GPUs without a host:
// fewest links of any class.
void GpuRouter::Tables::any_way(NodeId from, NodeId to, Route& route) const {
  std::vector<std::int64_t> before(topology.devices().size(), -1);
  std::queue<NodeId> open;
  open.push(from);
  while (!open.empty() && before[to.index()] < 0) {
    const NodeId at = open.front();
    open.pop();
    for (const Bundle& bundle : bundles.from(at)) {
      if (bundle.to == from || before[bundle.to.index()] >= 0) continue;
      before[bundle.to.index()] = at.value;
      open.push(bundle.to);
    }
  }
  if (before[to.index()] < 0) {
    throw InputError(fmt::format("no chain of links joins {} and {}", topology.device(from).name,
                                 topology.device(to).name),
                     "link the two GPUs, or both to one NVSwitch, PCIe switch or CPU");
  }
  std::vector<NodeId> way{to};
  while (way.back() != from) {
    way.push_back(NodeId{static_cast<std::uint32_t>(before[way.back().index()])});
  }
  std::reverse(way.begin(), way.end());
  const bool over_host = std::any_of(way.begin(), way.end(), [&](NodeId id) {
    const DeviceKind kind = topology.device(id).kind;
    return kind != DeviceKind::Gpu && kind != DeviceKind::NvSwitch;
  });
  route.kind = over_host ? kind_of_way(topology, way) : PathKind::NvLinkRelay;
  follow(way, route);
}

void GpuRouter::Tables::follow(std::span<const NodeId> way, Route& route) const {
  for (std::uint32_t i = 0; i + 1 < way.size(); ++i) {
    const Bundle& bundle = *bundles.between(way[i], way[i + 1]);
    bundles.append(bundle, 1.0, i, route.links);
    route.latency += bundle.latency;
    if (i > 0) route.via.push_back(way[i]);
  }
}

// A link that one route crosses twice carries both shares.
void GpuRouter::Tables::finish(Route& route) const {
  double rate = std::numeric_limits<double>::max();
  route.slowest_class = LinkClass::NvLink;
  for (const RouteLink& step : route.links) {
    double share = step.share;
    if (route.staged) {
      share = 0;
      for (const RouteLink& other : route.links) {
        if (other.link == step.link) share += other.share;
      }
    }
    const Link& link = topology.link(step.link);
    rate = std::min(rate, static_cast<double>(link.payload().bits_per_second) / share);
    // LinkClass lists the classes from cheap to costly.
    route.slowest_class = std::max(route.slowest_class, link.link_class);
  }
  route.payload = {std::llround(rate)};
}

GpuRouter::GpuRouter(const Topology& topology) : tables_(std::make_unique<Tables>(topology)) {}
GpuRouter::~GpuRouter() = default;
GpuRouter::GpuRouter(GpuRouter&&) noexcept = default;
GpuRouter& GpuRouter::operator=(GpuRouter&&) noexcept = default;

Route GpuRouter::route(NodeId from, NodeId to) const {
  const Tables& tables = *tables_;
  const Topology& topology = tables.topology;
  RINGSPAN_CHECK(
      topology.device(from).kind == DeviceKind::Gpu && topology.device(to).kind == DeviceKind::Gpu,
      "routes join GPUs");
  Route route;
  if (from == to) {
    route.payload = topology.gpu_model(from).memory_copy;
    return route;
  }
  const bool found = tables.direct(from, to, route) || tables.switches.spread(from, to, route) ||
                     tables.relay(from, to, route) || tables.host(from, to, route);
  if (!found) tables.any_way(from, to, route);
  tables.finish(route);
  return route;
}

// Worked out from the GPU to the NIC, and turned round link by link where data comes in.
Route GpuRouter::nic_route(NodeId gpu, NodeId nic, bool to_nic, bool staged) const {
  const Tables& tables = *tables_;
  const Topology& topology = tables.topology;
  std::vector<NodeId> way = tables.hosts.shortest(gpu, nic);
  if (way.empty()) {
    throw InputError(fmt::format("no chain of links joins {} and {}", topology.device(gpu).name,
                                 topology.device(nic).name),
                     "link the NIC to the GPU's PCIe switch or CPU");
  }
  Route route;
  route.kind = kind_of_way(topology, way);
  if (staged) {
    way = tables.hosts.to_nearest_cpu(gpu);
    std::vector<NodeId> rest;
    if (!way.empty()) rest = tables.hosts.shortest(way.back(), nic);
    if (rest.empty()) {
      throw InputError(
          fmt::format("{} and {} have no CPU through whose memory data could be staged",
                      topology.device(gpu).name, topology.device(nic).name),
          "link both to a CPU, or let GPUDirect RDMA reach further (gpu_direct)");
    }
    route.staged = true;
    route.staging = way.back();
    route.staging_reason = "GPUDirect RDMA does not reach this NIC";
    way.insert(way.end(), rest.begin() + 1, rest.end());
  }
  if (!to_nic) std::reverse(way.begin(), way.end());
  tables.follow(way, route);
  tables.finish(route);
  return route;
}

SwitchPort GpuRouter::switch_port(NodeId gpu) const { return tables_->switches.port(gpu); }

}  // namespace ringspan

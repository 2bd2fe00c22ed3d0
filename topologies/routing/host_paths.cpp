#include "topologies/routing/host_paths.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace ringspan {

namespace {

// In the order in which ways are preferred.
struct Distance {
  std::int32_t hops = 0;
  Duration latency{};
  NodeId device;
  auto key() const { return std::tuple(hops, latency, device); }
  bool operator>(const Distance& other) const { return key() > other.key(); }
};

struct Reached {
  std::int32_t hops = -1;  // -1: not yet
  Duration latency{};
  NodeId before;
};

}  // namespace

HostPaths::HostPaths(const Topology& topology, const BundleTable& bundles)
    : topology_(topology),
      bundles_(bundles),
      host_index_(topology.devices().size(), -1),
      host_count_(static_cast<std::size_t>(topology.server_count()), 0) {
  for (std::size_t i = 0; i < host_index_.size(); ++i) {
    const Device& device = topology.devices()[i];
    if (device.kind != DeviceKind::PcieSwitch && device.kind != DeviceKind::Cpu) continue;
    auto& count = host_count_[static_cast<std::size_t>(device.server)];
    host_index_[i] = static_cast<std::int32_t>(count++);
  }
}

// Dijkstra over the host devices of one server; `accept` names the device to end at.
template <typename Accept>
std::vector<NodeId> HostPaths::search(NodeId from, Accept accept) const {
  const std::int32_t server = topology_.device(from).server;
  const std::size_t hosts = host_count_[static_cast<std::size_t>(server)];
  std::vector<Reached> reached(hosts + 1);  // the last entry: a GPU that is the end
  const auto entry = [&](NodeId id) -> Reached& {
    return reached[is_host(id) ? static_cast<std::size_t>(host_index_[id.index()]) : hosts];
  };
  std::priority_queue<Distance, std::vector<Distance>, std::greater<>> open;
  open.push({0, Duration::zero(), from});
  while (!open.empty()) {
    const Distance at = open.top();
    open.pop();
    if (at.device != from) {
      const Reached& known = entry(at.device);
      if (std::tie(known.hops, known.latency) != std::tie(at.hops, at.latency)) continue;
      if (accept(at.device)) {
        std::vector<NodeId> way{at.device};
        while (way.back() != from) way.push_back(entry(way.back()).before);
        std::reverse(way.begin(), way.end());
        return way;
      }
    }
    for (const Bundle& bundle : bundles_.from(at.device)) {
      if (bundle.to == from || topology_.device(bundle.to).server != server) continue;
      if (!is_host(bundle.to) && !accept(bundle.to)) continue;
      const std::int32_t hops = at.hops + 1;
      const Duration latency = at.latency + bundle.latency;
      Reached& next = entry(bundle.to);
      if (next.hops >= 0 && std::tie(next.hops, next.latency) <= std::tie(hops, latency)) continue;
      next = {hops, latency, at.device};
      open.push({hops, latency, bundle.to});
    }
  }
  return {};
}

std::vector<NodeId> HostPaths::shortest(NodeId from, NodeId to) const {
  return search(from, [to](NodeId id) { return id == to; });
}

std::vector<NodeId> HostPaths::to_nearest_cpu(NodeId gpu) const {
  return search(gpu, [this](NodeId id) { return topology_.device(id).kind == DeviceKind::Cpu; });
}

}  // namespace ringspan

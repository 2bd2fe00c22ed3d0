#include "app/scenario/ll128_paths.h"

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include "topologies/routing/gpu_router.h"

namespace ringspan {

namespace {

class Ll128Paths {
 public:
  Ll128Paths(const Cluster& cluster, std::span<const GpuPlace> ranks, const Transport* transport)
      : cluster_(cluster), ranks_(ranks), transport_(transport), routers_(cluster.kinds().size()) {}

  // Pairs alike are looked at once.
  bool nvlink_inside() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      const GpuPlace& from = ranks_[rank];
      const GpuPlace& to = ranks_[(rank + 1) % ranks_.size()];
      if (from.domain != to.domain || from == to) continue;
      const std::int32_t kind = cluster_.kind_of(from.domain);
      if (!seen_.emplace(kind, from.gpu, to.gpu).second) continue;
      const Route route = router(kind).route(gpu(from), gpu(to));
      if (route.slowest_class != LinkClass::NvLink) return false;
    }
    return true;
  }

  bool near_nics(const ChannelSet& channels) {
    for (std::size_t channel = 0; channel < channels.orders.size(); ++channel) {
      const auto& order = channels.orders[channel];
      for (std::size_t i = 0; i < order.size(); ++i) {
        const GpuPlace& from = ranks_[static_cast<std::size_t>(order[i])];
        const GpuPlace& to = ranks_[static_cast<std::size_t>(order[(i + 1) % order.size()])];
        if (from.domain == to.domain) continue;
        const auto number = static_cast<std::int32_t>(channel);
        if (!near_nic(from, number) || !near_nic(to, number)) return false;
      }
    }
    return true;
  }

  // The least and the most compute capability.
  std::pair<int, int> capabilities() const {
    std::pair<int, int> range{capability(ranks_.front()), capability(ranks_.front())};
    for (const GpuPlace& place : ranks_) {
      range.first = std::min(range.first, capability(place));
      range.second = std::max(range.second, capability(place));
    }
    return range;
  }

 private:
  static constexpr int kHopper = 90;

  NodeId gpu(const GpuPlace& place) const {
    return cluster_.domain(place.domain).gpus[static_cast<std::size_t>(place.gpu)];
  }
  int capability(const GpuPlace& place) const {
    return cluster_.domain(place.domain).topology.gpu_model(gpu(place)).compute_capability;
  }
  const GpuRouter& router(std::int32_t kind) {
    auto& router = routers_[static_cast<std::size_t>(kind)];
    if (!router) {
      router =
          std::make_unique<GpuRouter>(cluster_.kinds()[static_cast<std::size_t>(kind)].topology);
    }
    return *router;
  }

  bool near_nic(const GpuPlace& place, std::int32_t channel) const {
    const std::int32_t kind = cluster_.kind_of(place.domain);
    const std::int32_t nic = transport_->nic_of(kind, place.gpu, channel);
    if (over_switches(kind, place.gpu, nic)) return true;
    if (capability(place) < kHopper) return false;
    if (has_c2c(place)) return true;
    const std::int32_t proxy = transport_->proxy_of(kind, place.gpu, nic);
    return proxy >= 0 && over_switches(kind, proxy, nic);
  }

  bool over_switches(std::int32_t kind, std::int32_t gpu, std::int32_t nic) const {
    const PathKind distance = transport_->distance(kind, gpu, nic);
    return distance == PathKind::PcieSwitch || distance == PathKind::PcieSwitches;
  }

  bool has_c2c(const GpuPlace& place) const {
    const Topology& topology = cluster_.domain(place.domain).topology;
    const auto links = topology.out_links(gpu(place));
    return std::any_of(links.begin(), links.end(),
                       [&](LinkId id) { return topology.link(id).link_class == LinkClass::C2c; });
  }

  const Cluster& cluster_;
  std::span<const GpuPlace> ranks_;
  const Transport* transport_;
  std::vector<std::unique_ptr<GpuRouter>> routers_;                      // by kind
  std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t>> seen_;  // kind, from, to
};

}  // namespace

bool nvlink_inside(const Cluster& cluster, std::span<const GpuPlace> ranks) {
  return Ll128Paths(cluster, ranks, nullptr).nvlink_inside();
}

std::string ll128_bar(const Cluster& cluster, std::span<const GpuPlace> ranks,
                      const ChannelSet& channels, const Transport* transport) {
  Ll128Paths paths(cluster, ranks, transport);
  if (!paths.nvlink_inside()) {
    return "ll128 needs stores of 128 bytes to arrive whole, which only NVLink does inside a "
           "server";
  }
  const auto [least, most] = paths.capabilities();
  if (least < 70) return "ll128 needs a GPU of compute capability 7.0 or later";
  if (least != most) return "ll128 needs GPUs of one compute capability";
  if (transport != nullptr && !paths.near_nics(channels)) {
    return "ll128 needs NICs that are reached from their GPUs over PCIe switches, or on GPUs of "
           "compute capability 9.0 or later over C2C or another GPU";
  }
  return {};
}

}  // namespace ringspan

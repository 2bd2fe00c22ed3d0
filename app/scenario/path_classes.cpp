#include "app/scenario/path_classes.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "models/nccl/transport.h"
#include "topologies/routing/gpu_router.h"

namespace ringspan {

namespace {

// A pair's class but for the count and the example.
struct PathDescription {
  std::string kind;
  Bandwidth payload;
  Duration latency{};
  std::string reason;  // staged: why
};

// A way through a domain, in words.
std::string devices_text(const Topology& topology, const Route& route) {
  std::string text;
  for (const NodeId node : route.via) {
    text += topology.device(node).name;
    if (route.staged && node == route.staging) text += " (host memory)";
    text += " -> ";
  }
  return text;
}

class PathClassCollector {
 public:
  PathClassCollector(const Cluster& cluster, std::span<const GpuPlace> places,
                     const Transport* transport)
      : cluster_(cluster), places_(places), transport_(transport) {
    for (const DomainKind& kind : cluster.kinds()) {
      routers_.push_back(std::make_unique<GpuRouter>(kind.topology));
      several_rails_ = several_rails_ || kind.nics.size() > 1;
    }
  }

  // Each ordered pair once.
  void add(std::int32_t source, std::int32_t destination, std::int32_t channel) {
    if (source == destination || full()) return;
    if (!seen_.emplace(source, destination).second) return;
    const GpuPlace& from = places_[static_cast<std::size_t>(source)];
    const GpuPlace& to = places_[static_cast<std::size_t>(destination)];
    const bool local = from.domain == to.domain;
    const PathDescription path = local ? inside(from, to) : between(from, to, channel);
    const auto [found, added] = known_.emplace(
        std::tuple{path.kind, path.payload.bits_per_second, path.latency.count()}, classes_.size());
    if (added) {
      classes_.push_back({path.kind, 0, to_gbytes_per_second(path.payload), path.latency,
                          local ? inside_text(from, to) : between_text(from, to, channel),
                          path.reason});
    }
    ++classes_[found->second].pairs;
  }

  bool full() const { return seen_.size() == kMostPathPairs; }
  std::vector<PathClassUse> take() { return std::move(classes_); }

 private:
  const DomainKind& kind(const GpuPlace& place) const { return cluster_.domain(place.domain); }
  NodeId node(const GpuPlace& place) const {
    return kind(place).gpus[static_cast<std::size_t>(place.gpu)];
  }
  const GpuRouter& router(const GpuPlace& place) const {
    return *routers_[static_cast<std::size_t>(cluster_.kind_of(place.domain))];
  }
  std::string name(const GpuPlace& place) const {
    return cluster_.device_name(place.domain, node(place));
  }

  // Pairs of alike domains are alike.
  const PathDescription& inside(const GpuPlace& from, const GpuPlace& to) {
    const auto [found, added] =
        inside_.try_emplace({cluster_.kind_of(from.domain), from.gpu, to.gpu});
    if (!added) return found->second;
    const Route route = router(from).route(node(from), node(to));
    std::string text(path_kind_name(route.kind));
    if (route.staged) {
      text += ", staged through " + kind(from).topology.device(route.staging).name + "'s memory";
    }
    found->second = {text, route.payload, route.latency, route.staging_reason};
    return found->second;
  }

  std::string inside_text(const GpuPlace& from, const GpuPlace& to) const {
    const Route route = router(from).route(node(from), node(to));
    return name(from) + " -> " + devices_text(kind(from).topology, route) + name(to);
  }

  NodeId nic(const GpuPlace& place, const NicLeg& leg) const {
    return kind(place).nics[static_cast<std::size_t>(leg.nic)];
  }
  std::uint32_t port(const GpuPlace& place, const NicLeg& leg) const {
    return cluster_.port(place.domain, leg.nic);
  }
  // The GPU that a NIC exchanges data with: the rank's own, or the one PXN goes through.
  GpuPlace owner(const GpuPlace& place, const NicLeg& leg) const {
    return {place.domain, leg.proxy < 0 ? place.gpu : leg.proxy};
  }
  Route nic_route(const GpuPlace& place, const NicLeg& leg, bool to_nic) const {
    return router(place).nic_route(node(owner(place, leg)), nic(place, leg), to_nic,
                                   !leg.gpu_direct);
  }

  // Rate and latency between a GPU and its NIC.
  const std::pair<Bandwidth, Duration>& leg_of(const GpuPlace& place, const NicLeg& leg,
                                               bool to_nic) {
    const auto [found, added] = legs_.try_emplace(
        {cluster_.kind_of(place.domain), place.gpu, leg.nic, leg.proxy, leg.gpu_direct, to_nic});
    if (!added) return found->second;
    const Route route = nic_route(place, leg, to_nic);
    found->second = {route.payload, route.latency};
    if (leg.proxy >= 0) {
      const PathDescription& first = inside(place, owner(place, leg));
      found->second.first = std::min(found->second.first, first.payload);
      found->second.second += first.latency;
    }
    return found->second;
  }

  PathDescription between(const GpuPlace& from, const GpuPlace& to, std::int32_t channel) {
    const Transport::Legs legs = transport_->legs(from, to, channel);
    const Fabric& fabric = *cluster_.fabric();
    fabric.route(
        {port(from, legs.send), port(to, legs.receive), static_cast<std::uint32_t>(channel)},
        route_);
    const auto& send = leg_of(from, legs.send, true);
    const auto& receive = leg_of(to, legs.receive, false);
    Bandwidth payload = std::min(send.first, receive.first);
    for (const FabricUse& use : route_.uses) {
      payload = std::min(payload, scaled(fabric.payload(use.link), 1.0 / use.share));
    }
    return {network_text(from, to, legs), payload, send.second + route_.latency + receive.second,
            staged(legs) ? "no GPUDirect RDMA between a GPU and its NIC" : ""};
  }

  static bool staged(const Transport::Legs& legs) {
    return !legs.send.gpu_direct || !legs.receive.gpu_direct;
  }

  // "network, one rail by PXN, 3 switches"
  std::string network_text(const GpuPlace& from, const GpuPlace& to,
                           const Transport::Legs& legs) const {
    const auto rail = [&](const GpuPlace& place, const NicLeg& leg) {
      return kind(place).rails[static_cast<std::size_t>(leg.nic)];
    };
    std::string text = "network";
    if (several_rails_) {
      text += rail(from, legs.send) == rail(to, legs.receive) ? ", one rail" : ", across rails";
    }
    if (legs.send.proxy >= 0) text += " by PXN";
    text += fmt::format(", {} switch{}", route_.switches, route_.switches == 1 ? "" : "es");
    if (!staged(legs)) return text;
    const bool both = !legs.send.gpu_direct && !legs.receive.gpu_direct;
    return text + ", staged through host memory of the " +
           (both                   ? "sender and the receiver"
            : legs.send.gpu_direct ? "receiver"
                                   : "sender");
  }

  std::string between_text(const GpuPlace& from, const GpuPlace& to, std::int32_t channel) const {
    const Transport::Legs legs = transport_->legs(from, to, channel);
    std::string text = name(from) + " -> ";
    if (legs.send.proxy >= 0) {
      const GpuPlace proxy = owner(from, legs.send);
      text += devices_text(kind(from).topology, router(from).route(node(from), node(proxy))) +
              kind(from).topology.device(node(proxy)).name + " -> ";
    }
    text += devices_text(kind(from).topology, nic_route(from, legs.send, true)) +
            kind(from).topology.device(nic(from, legs.send)).name + " -> ";
    const Fabric& fabric = *cluster_.fabric();
    const std::uint32_t first = fabric.attachment(port(from, legs.send));
    const std::uint32_t last = fabric.attachment(port(to, legs.receive));
    text += fabric.attachment_name(first) + " -> ";
    if (route_.switches > 2) text += "... -> ";
    if (last != first) text += fabric.attachment_name(last) + " -> ";
    return text + kind(to).topology.device(nic(to, legs.receive)).name + " -> " +
           devices_text(kind(to).topology, nic_route(to, legs.receive, false)) + name(to);
  }

  const Cluster& cluster_;
  std::span<const GpuPlace> places_;
  const Transport* transport_;
  bool several_rails_ = false;
  std::vector<std::unique_ptr<GpuRouter>> routers_;  // by kind
  FabricRoute route_;                                // of the pair at hand
  std::set<std::pair<std::int32_t, std::int32_t>> seen_;
  // By kind of domain, source and destination; by kind, GPU, NIC, proxy, GPUDirect and direction.
  std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t>, PathDescription> inside_;
  std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t, bool, bool>,
           std::pair<Bandwidth, Duration>>
      legs_;
  std::map<std::tuple<std::string, std::int64_t, std::int64_t>, std::size_t> known_;
  std::vector<PathClassUse> classes_;
};

// As Round::for_each_pair(), but no further than is looked at: 131,072 ranks have 17 billion pairs.
void add_pairs(const Round& round, std::int32_t ranks, std::int32_t channel,
               PathClassCollector& collector) {
  for (const PairEdge& edge : round.pairs) collector.add(edge.source, edge.destination, channel);
  if (round.all_pairs == 0) return;
  for (std::int32_t distance = 1; distance < ranks && !collector.full(); ++distance) {
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
      collector.add(rank, (rank + distance) % ranks, channel);
    }
  }
}

}  // namespace

std::vector<PathClassUse> path_classes(const PlanOutline& outline, const Cluster& cluster,
                                       std::span<const GpuPlace> places,
                                       const Transport* transport) {
  PathClassCollector collector(cluster, places, transport);
  for (const ChannelClass& channel_class : outline.classes) {
    const std::int32_t channel = channel_class.channels.front();
    for (const Round& round : channel_class.schedule->rounds()) {
      add_pairs(round, outline.spec.ranks, channel, collector);
      // A multicast or a reduction in the switch goes the way of all its pairs.
      round.for_each_switched([&](const auto& sources, const auto& destinations, std::int64_t) {
        for (const std::int32_t source : sources) {
          for (const std::int32_t destination : destinations) {
            collector.add(source, destination, channel);
          }
        }
      });
    }
  }
  return collector.take();
}

}  // namespace ringspan

#include "app/scenario/run_details.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "topologies/routing/gpu_router.h"

namespace ringspan {

namespace {

std::string route_text(const Topology& topology, NodeId from, NodeId to, const Route& route) {
  std::string text = topology.device(from).name;
  for (const NodeId node : route.via) {
    text += " -> " + topology.device(node).name;
    if (route.staged && node == route.staging) text += " (host memory)";
  }
  return text + " -> " + topology.device(to).name;
}

std::string kind_text(const Topology& topology, const Route& route) {
  std::string text(path_kind_name(route.kind));
  if (route.staged) text += ", staged through " + topology.device(route.staging).name + "'s memory";
  return text;
}

}  // namespace

void describe_loads(const CollectivePlan& plan, const SizeCut& cut, RunRow& row) {
  const StaticLoad load = static_load(plan, cut);
  row.rank_send_bytes = load.rank_send_payload;
  const double seconds = to_seconds(row.time);
  for (std::size_t l = 0; l < plan.infos.size(); ++l) {
    if (load.link_bytes[l] <= 0) continue;
    const FabricResource& info = plan.infos[l];
    // What these bytes could get of the resource: less than its rate where staging wastes some.
    const double rate =
        static_cast<double>(info.rate.bits_per_second) / 8 * load.link_bytes[l] / load.link_load[l];
    row.loads.push_back({info.name, info.link_class, load.link_bytes[l], rate,
                         seconds > 0 ? load.link_bytes[l] / (rate * seconds) : 0});
  }
  std::stable_sort(
      row.loads.begin(), row.loads.end(),
      [](const ResourceLoad& a, const ResourceLoad& b) { return a.utilisation > b.utilisation; });
  if (row.loads.empty()) {
    row.bottleneck = "latency";
    return;
  }
  constexpr double kBandwidthBound = 0.5;
  const ResourceLoad& busiest = row.loads.front();
  row.bottleneck_utilisation = busiest.utilisation;
  row.bottleneck = busiest.utilisation >= kBandwidthBound ? busiest.name : "latency";
}

namespace {

// Collects classes pair by pair, each ordered pair once.
class PathClassCollector {
 public:
  PathClassCollector(const Topology& topology, std::span<const NodeId> gpus)
      : topology_(topology), gpus_(gpus), router_(topology) {}

  void add(std::int32_t source, std::int32_t destination) {
    if (source == destination || seen_.size() == kMostPathPairs) return;
    if (!seen_.emplace(source, destination).second) return;
    const NodeId from = gpus_[source];
    const NodeId to = gpus_[destination];
    const Route route = router_.route(from, to);
    const std::string kind = kind_text(topology_, route);
    const auto [found, added] = known_.emplace(
        std::tuple{kind, route.payload.bits_per_second, route.latency.count()}, classes_.size());
    if (added) {
      classes_.push_back({kind, 0, to_gbytes_per_second(route.payload), route.latency,
                          route_text(topology_, from, to, route), route.staging_reason});
    }
    ++classes_[found->second].pairs;
  }

  std::vector<PathClassUse> take() { return std::move(classes_); }

 private:
  const Topology& topology_;
  std::span<const NodeId> gpus_;
  GpuRouter router_;
  std::set<std::pair<std::int32_t, std::int32_t>> seen_;
  std::map<std::tuple<std::string, std::int64_t, std::int64_t>, std::size_t> known_;
  std::vector<PathClassUse> classes_;
};

}  // namespace

std::vector<PathClassUse> path_classes(const CollectivePlan& plan, const Topology& topology,
                                       std::span<const NodeId> gpus) {
  PathClassCollector collector(topology, gpus);
  for (const ChannelClass& channel_class : plan.classes) {
    for (const PlannedEdge& edge : channel_class.edges) {
      // A multicast or a reduction in the switch goes the way of all its pairs.
      for (const std::int32_t source : edge.sources) {
        for (const std::int32_t destination : edge.destinations) {
          collector.add(source, destination);
        }
      }
    }
  }
  return collector.take();
}

}  // namespace ringspan

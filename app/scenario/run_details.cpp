#include "app/scenario/run_details.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "fmt/format.h"
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
    const double rate = static_cast<double>(info.rate.bits_per_second) / 8;
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

std::vector<PathClassUse> path_classes(const CollectivePlan& plan, const Topology& topology,
                                       std::span<const NodeId> gpus) {
  using Key = std::tuple<std::string, std::int64_t, std::int64_t>;
  std::map<Key, std::size_t> known;
  std::map<std::pair<std::int32_t, std::int32_t>, bool> seen;
  std::vector<PathClassUse> classes;
  const GpuRouter router(topology);
  for (const ChannelClass& channel_class : plan.classes) {
    for (const PlannedEdge& edge : channel_class.edges) {
      // A multicast or an in-switch reduction goes the way of its pairs.
      const NodeId from = gpus[edge.sources.front()];
      const NodeId to = gpus[edge.destinations.back()];
      if (from == to ||
          !seen.emplace(std::pair{edge.sources.front(), edge.destinations.back()}, true).second) {
        continue;
      }
      const Route route = router.route(from, to);
      const std::string kind = kind_text(topology, route);
      const Key key{kind, route.payload.bits_per_second, route.latency.count()};
      const auto [found, added] = known.emplace(key, classes.size());
      if (added) {
        classes.push_back({kind, 0, to_gbytes_per_second(route.payload), route.latency,
                           route_text(topology, from, to, route), route.staging_reason});
      }
      ++classes[found->second].pairs;
    }
  }
  return classes;
}

}  // namespace ringspan

#include "app/report/pair_classes.h"

#include <algorithm>

#include "topologies/routing/gpu_router.h"

namespace ringspan {

namespace {

// Shares of a route's bytes per link; a link that is crossed twice (staging) counts twice.
std::map<LinkId, double> link_shares(const Route& route) {
  std::map<LinkId, double> shares;
  for (const RouteLink& part : route.links) shares[part.link] += part.share;
  return shares;
}

Bandwidth rate_over(const Topology& topology, const std::map<LinkId, double>& shares) {
  Bandwidth rate{};
  for (const auto& [link, share] : shares) {
    const Bandwidth through = scaled(topology.link(link).nominal, 1.0 / share);
    if (rate.bits_per_second == 0 || through < rate) rate = through;
  }
  return rate;
}

bool same_class(const PairClass& known, const Route& route, Bandwidth nominal) {
  return known.route.kind == route.kind && known.route.staged == route.staged &&
         known.route.slowest_class == route.slowest_class && known.route.payload == route.payload &&
         known.route.latency == route.latency && known.nominal == nominal &&
         known.route.via.size() == route.via.size();
}

void add_pair(const Topology& topology, const GpuRouter& router, NodeId from, NodeId to,
              std::vector<PairClass>& classes) {
  const Route route = router.route(from, to);
  const std::map<LinkId, double> there = link_shares(route);
  const Bandwidth nominal = rate_over(topology, there);
  auto found = std::find_if(classes.begin(), classes.end(), [&](const PairClass& known) {
    return same_class(known, route, nominal);
  });
  if (found == classes.end()) {
    found = classes.insert(classes.end(), PairClass{from, to, route, nominal, 0, {}});
  }
  ++found->pairs;
  for (const auto& [link, share] : there) ++found->transfers[link];
  for (const auto& [link, share] : link_shares(router.route(to, from))) {
    ++found->transfers[link];
  }
}

}  // namespace

Bandwidth nominal_rate(const Topology& topology, const Route& route) {
  return rate_over(topology, link_shares(route));
}

std::vector<PairClass> pair_classes(const Topology& topology, std::span<const NodeId> gpus) {
  const GpuRouter router(topology);
  std::vector<PairClass> classes;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    for (std::size_t j = i + 1; j < gpus.size(); ++j)
      add_pair(topology, router, gpus[i], gpus[j], classes);
  }
  std::stable_sort(classes.begin(), classes.end(),
                   [](const PairClass& a, const PairClass& b) { return a.pairs > b.pairs; });
  return classes;
}

}  // namespace ringspan

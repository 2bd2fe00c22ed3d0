#include "models/nccl/nic_ends.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "topologies/routing/gpu_router.h"

namespace ringspan {

namespace {

NicReach reach_of(const Topology& topology, const Route& route, bool gpu_direct) {
  switch (route.kind) {
    case PathKind::Socket:
      return NicReach::Socket;
    case PathKind::RootComplex: {
      const LinkClass first = topology.link(route.links.front().link).link_class;
      const LinkClass last = topology.link(route.links.back().link).link_class;
      const bool c2c = first == LinkClass::C2c || last == LinkClass::C2c;
      return c2c && gpu_direct ? NicReach::OverC2c : NicReach::RootComplex;
    }
    case PathKind::PcieSwitches:
      return gpu_direct ? NicReach::PcieSwitches : NicReach::RootComplex;
    default:
      return gpu_direct ? NicReach::PcieSwitch : NicReach::RootComplex;
  }
}

std::int32_t place_of(std::span<const std::int32_t> gpus, std::int32_t gpu) {
  const auto found = std::lower_bound(gpus.begin(), gpus.end(), gpu);
  if (found == gpus.end() || *found != gpu) return -1;
  return static_cast<std::int32_t>(found - gpus.begin());
}

}  // namespace

PathType path_type(NicReach reach) {
  switch (reach) {
    case NicReach::PcieSwitch:
      return PathType::Pix;
    case NicReach::PcieSwitches:
      return PathType::Pxb;
    case NicReach::OverC2c:
      return PathType::P2c;
    case NicReach::Proxy:
      return PathType::Pxn;
    case NicReach::RootComplex:
      return PathType::Phb;
    case NicReach::Socket:
      break;
  }
  return PathType::Sys;
}

NicEnds::NicEnds(const Cluster& cluster, std::int32_t kind, std::span<const std::int32_t> gpus,
                 const Transport& transport, const PlanGraph& graph)
    : capacity_(graph.capacity()) {
  order_nics(kind, gpus, transport);
  for (const std::int32_t nic : nics_) {
    const double rate = to_gbytes_per_second(transport.nic_rate(kind, nic));
    capacity_.insert(capacity_.end(), 2, rate);
  }
  add_ends(cluster, kind, gpus, transport);
}

void NicEnds::order_nics(std::int32_t kind, std::span<const std::int32_t> gpus,
                         const Transport& transport) {
  const auto add = [&](std::int32_t nic) {
    if (std::find(nics_.begin(), nics_.end(), nic) == nics_.end()) nics_.push_back(nic);
  };
  for (const std::int32_t gpu : gpus) {
    for (const std::int32_t nic : transport.nics_of(kind, gpu)) add(nic);
  }
  std::vector<std::tuple<PathKind, std::int32_t, std::int32_t>> others;
  for (const std::int32_t gpu : gpus) {
    for (std::int32_t nic = 0; nic < transport.nic_count(kind); ++nic) {
      const PathKind distance = transport.distance(kind, gpu, nic);
      if (distance == PathKind::Local) continue;
      if (transport.nic_rate(kind, nic).bits_per_second == 0) continue;
      others.emplace_back(distance, gpu, nic);
    }
  }
  std::sort(others.begin(), others.end());
  for (const auto& [distance, gpu, nic] : others) add(nic);
}

void NicEnds::add_ends(const Cluster& cluster, std::int32_t kind,
                       std::span<const std::int32_t> gpus, const Transport& transport) {
  const DomainKind& domain = cluster.kinds()[static_cast<std::size_t>(kind)];
  const Topology& topology = domain.topology;
  const GpuRouter router(topology);
  const auto links = static_cast<std::uint32_t>(topology.links().size());
  for (std::size_t i = 0; i < nics_.size(); ++i) {
    const std::int32_t nic = nics_[i];
    const NodeId device = domain.nics[static_cast<std::size_t>(nic)];
    const auto in = links + 2 * static_cast<std::uint32_t>(i);
    std::vector<NicEnd> entries, exits;
    const auto end = [&](std::int32_t gpu, bool leaves) {
      const bool direct = transport.gpu_direct(kind, gpu, nic);
      const Route route =
          router.nic_route(domain.gpus[static_cast<std::size_t>(gpu)], device, leaves, !direct);
      NicEnd made{0, reach_of(topology, route, direct), 0, hop_of(topology, route).charges};
      made.charges.push_back({leaves ? in + 1 : in, 1});
      return made;
    };
    for (std::size_t g = 0; g < gpus.size(); ++g) {
      if (transport.distance(kind, gpus[g], nic) == PathKind::Local) continue;
      entries.push_back(end(gpus[g], false));
      exits.push_back(end(gpus[g], true));
      const std::int32_t proxy = transport.proxy_of(kind, gpus[g], nic);
      if (exits.back().reach > NicReach::Proxy && place_of(gpus, proxy) >= 0) {
        const Route over = router.route(domain.gpus[static_cast<std::size_t>(gpus[g])],
                                        domain.gpus[static_cast<std::size_t>(proxy)]);
        exits.back() = end(proxy, true);
        exits.back().reach = NicReach::Proxy;
        for (const HopCharge& charge : hop_of(topology, over).charges) {
          exits.back().charges.push_back(charge);
        }
      }
      for (NicEnd* made : {&entries.back(), &exits.back()}) {
        made->gpu = static_cast<std::int32_t>(g);
        finish(*made);
      }
    }
    std::stable_sort(entries.begin(), entries.end(), [](const NicEnd& a, const NicEnd& b) {
      return std::tuple(-a.rate, a.reach) < std::tuple(-b.rate, b.reach);
    });
    std::size_t nearest = 0;
    while (nearest < entries.size() && entries[nearest].rate == entries.front().rate &&
           entries[nearest].reach == entries.front().reach) {
      ++nearest;
    }
    nearest_.push_back(nearest);
    entries_.push_back(std::move(entries));
    exits_.push_back(std::move(exits));
  }
}

void NicEnds::finish(NicEnd& end) {
  end.rate = std::numeric_limits<double>::infinity();
  for (const HopCharge& charge : end.charges) {
    end.rate = std::min(end.rate, capacity_[charge.link] / charge.factor);
  }
  best_rate_ = std::max(best_rate_, end.rate);
  farthest_ = std::max(farthest_, end.reach);
}

const NicEnd* NicEnds::exit(std::int32_t gpu, std::size_t nic) const {
  for (const NicEnd& end : exits_[nic]) {
    if (end.gpu == gpu) return &end;
  }
  return nullptr;
}

}  // namespace ringspan

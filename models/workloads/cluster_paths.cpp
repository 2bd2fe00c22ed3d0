#include "models/workloads/cluster_paths.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "models/workloads/path_parts.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

bool in_one_domain(std::span<const GpuPlace> places, std::int32_t domain) {
  return std::all_of(places.begin(), places.end(),
                     [domain](const GpuPlace& place) { return place.domain == domain; });
}

std::vector<std::int32_t> gpus_of(std::span<const GpuPlace> places) {
  std::vector<std::int32_t> gpus;
  gpus.reserve(places.size());
  for (const GpuPlace& place : places) gpus.push_back(place.gpu);
  return gpus;
}

}  // namespace

bool channels_take_own_ways(const Cluster& cluster, const Transport* transport) {
  return cluster.fabric() != nullptr &&
         (cluster.fabric()->choice().tells_channels_apart() ||
          (transport != nullptr && transport->tells_channels_apart()));
}

ClusterPaths::ClusterPaths(const Cluster& cluster, const Profile& profile,
                           const Transport* transport)
    : cluster_(cluster),
      profile_(profile),
      transport_(transport),
      tells_channels_apart_(channels_take_own_ways(cluster, transport)) {
  for (const DomainKind& kind : cluster.kinds()) {
    kinds_.push_back(std::make_unique<DomainPaths>(kind, profile));
    first_gpu_.push_back(tabled_gpus_);
    tabled_gpus_ += kind.gpus.size();
  }
  if (transport_ == nullptr || tells_channels_apart_ || tabled_gpus_ > kMostTabled) return;
  legs_.assign(tabled_gpus_ * tabled_gpus_, {{-1, -1, true}, {-1, -1, true}});
}

void ClusterPaths::declare(Places sources, Places destinations, Channels channels) {
  const std::int32_t domain = sources.front().domain;
  if (sources.size() == 1 && destinations.size() == 1) {
    if (destinations[0].domain == domain) {
      paths_in(domain).declare_pair(sources[0].gpu, destinations[0].gpu);
    } else {
      declare_between(sources[0], destinations[0], channels);
    }
    return;
  }
  if (in_one_domain(sources, domain) && in_one_domain(destinations, domain)) {
    paths_in(domain).declare_switched(gpus_of(sources), gpus_of(destinations));
    return;
  }
  declare_reduction(sources, destinations, channels);
}

std::size_t ClusterPaths::legs_place(const GpuPlace& from, const GpuPlace& to) const {
  const auto number = [this](const GpuPlace& place) {
    return first_gpu_[static_cast<std::size_t>(cluster_.kind_of(place.domain))] +
           static_cast<std::size_t>(place.gpu);
  };
  return number(from) * tabled_gpus_ + number(to);
}

void ClusterPaths::declare_between(const GpuPlace& from, const GpuPlace& to, Channels channels) {
  RINGSPAN_CHECK(transport_ != nullptr, "several domains need a transport");
  if (!legs_.empty() && legs_[legs_place(from, to)].send.nic >= 0) return;
  for (const std::int32_t channel : channels) {
    const Transport::Legs legs = transport_->legs(from, to, channel);
    paths_in(from.domain).declare_leg(from.gpu, legs.send, true);
    paths_in(to.domain).declare_leg(to.gpu, legs.receive, false);
    if (!legs_.empty()) legs_[legs_place(from, to)] = legs;
    if (!tells_channels_apart_) return;
  }
}

// Every source to its own NIC, every destination from its own.
void ClusterPaths::declare_reduction(Places sources, Places destinations, Channels channels) {
  RINGSPAN_CHECK(transport_ != nullptr, "several domains need a transport");
  for (const std::int32_t channel : channels) {
    for (const GpuPlace& place : sources) {
      paths_in(place.domain).declare_leg(place.gpu, own_leg(place, channel), true);
    }
    for (const GpuPlace& place : destinations) {
      paths_in(place.domain).declare_leg(place.gpu, own_leg(place, channel), false);
    }
  }
}

NicLeg ClusterPaths::own_leg(const GpuPlace& place, std::int32_t channel) const {
  const std::int32_t kind = cluster_.kind_of(place.domain);
  const std::int32_t nic = transport_->nic_of(kind, place.gpu, channel);
  return {nic, -1, transport_->gpu_direct(kind, place.gpu, nic)};
}

void ClusterPaths::finish() {
  for (const auto& kind : kinds_) kind->finish();
  first_resource_.reserve(static_cast<std::size_t>(cluster_.domain_count()) + 1);
  for (int domain = 0; domain < cluster_.domain_count(); ++domain) {
    first_resource_.push_back(resource_count_);
    resource_count_ += static_cast<std::uint32_t>(paths_in(domain).resources().size());
  }
  first_resource_.push_back(resource_count_);
  if (cluster_.fabric() != nullptr) resource_count_ += cluster_.fabric()->link_count();
}

void ClusterPaths::find(Places sources, Places destinations, Channels channels,
                        FabricPath& out) const {
  if (sources.size() == 1 && destinations.size() == 1) {
    PathScratch scratch;
    find(sources[0], destinations[0], channels, scratch, out);
    return;
  }
  clear(out);
  const std::int32_t domain = sources.front().domain;
  if (in_one_domain(sources, domain) && in_one_domain(destinations, domain)) {
    append(out, paths_in(domain).switched(gpus_of(sources), gpus_of(destinations)),
           first_resource(domain));
    return;
  }
  append_reduction(sources, destinations, channels, out);
}

void ClusterPaths::find(const GpuPlace& from, const GpuPlace& to, Channels channels,
                        PathScratch& scratch, FabricPath& out) const {
  clear(out);
  if (from.domain != to.domain) {
    append_between(from, to, channels, scratch, out);
    return;
  }
  append(out, paths_in(from.domain).pair(from.gpu, to.gpu), first_resource(from.domain));
}

void ClusterPaths::append_leg(const GpuPlace& place, const NicLeg& leg, bool sends,
                              FabricPath& out) const {
  const DomainPaths& paths = paths_in(place.domain);
  const std::uint32_t first = first_resource(place.domain);
  std::int32_t owner = place.gpu;
  if (leg.proxy >= 0) {
    owner = leg.proxy;
    append(out, paths.pair(place.gpu, owner), first);
  }
  append(out, paths.nic(owner, leg.nic, sends), first);
}

void ClusterPaths::find_leg(const GpuPlace& place, const NicLeg& leg, bool sends,
                            FabricPath& out) const {
  clear(out);
  append_leg(place, leg, sends, out);
}

void ClusterPaths::append_legs(const GpuPlace& from, const GpuPlace& to,
                               const Transport::Legs& legs, std::int32_t channel,
                               FabricRoute& route, FabricPath& out) const {
  append_leg(from, legs.send, true, out);
  cluster_.fabric()->route(
      {cluster_.port(from.domain, legs.send.nic), cluster_.port(to.domain, legs.receive.nic),
       static_cast<std::uint32_t>(channel)},
      route);
  append(out, route, first_resource(cluster_.domain_count()));
  append_leg(to, legs.receive, false, out);
}

// The average of the channels' paths. Latency: that of the longest.
void ClusterPaths::append_between(const GpuPlace& from, const GpuPlace& to, Channels channels,
                                  PathScratch& scratch, FabricPath& out) const {
  if (!legs_.empty()) {
    const Transport::Legs& legs = legs_[legs_place(from, to)];
    RINGSPAN_CHECK(legs.send.nic >= 0, "a transfer is declared before it is asked for");
    append_legs(from, to, legs, channels.front(), scratch.route, out);
    return;
  }
  const auto append_channel = [&](std::int32_t channel, FabricPath& path) {
    append_legs(from, to, transport_->legs(from, to, channel), channel, scratch.route, path);
  };
  append_channel(channels.front(), out);
  if (!tells_channels_apart_ || channels.size() == 1) return;
  for (std::size_t c = 1; c < channels.size(); ++c) {
    clear(scratch.more);
    append_channel(channels[c], scratch.more);
    merge_into(out, scratch.more);
  }
  for (ResourceUse& use : out.uses) {
    use.weight /= static_cast<double>(channels.size());
    use.staged /= static_cast<double>(channels.size());
  }
}

void ClusterPaths::append_reduction(Places sources, Places destinations, Channels channels,
                                    FabricPath& out) const {
  const std::int32_t channel = channels.front();
  std::set<std::uint32_t> ports;
  Duration up{}, down{};
  // All places send, or receive, side by side: a link that several of them use is listed once.
  const auto side = [&](Places places, bool sends, std::uint32_t stage, Duration& latency) {
    std::unordered_map<std::uint32_t, std::size_t> listed;  // by resource; never walked
    for (const GpuPlace& place : places) {
      const NicLeg leg = own_leg(place, channel);
      ports.insert(cluster_.port(place.domain, leg.nic));
      FabricPath part;
      append_leg(place, leg, sends, part);
      for (const ResourceUse& use : part.uses) {
        const auto [known, added] = listed.emplace(use.resource, out.uses.size());
        if (added) {
          out.uses.push_back({use.resource, stage + use.stage, use.weight, use.staged});
          continue;
        }
        ResourceUse& both = out.uses[known->second];
        both.weight += use.weight;
        both.staged += use.staged;
        both.stage = std::max(both.stage, stage + use.stage);  // the later part waits there
      }
      latency = std::max(latency, part.latency);
      out.staged = out.staged || part.staged;
    }
  };
  side(sources, true, 0, up);
  FabricRoute route;
  cluster_.fabric()->reduction(std::vector<std::uint32_t>(ports.begin(), ports.end()), route);
  sort_by_stage(out);
  append(out, route, first_resource(cluster_.domain_count()));
  side(destinations, false, next_stage(out), down);
  sort_by_stage(out);
  out.latency += up + down;
}

std::vector<Bandwidth> ClusterPaths::rates(double nvlink_share) const {
  std::vector<std::vector<Bandwidth>> of_kind;
  for (const auto& kind : kinds_) {
    of_kind.emplace_back();
    for (const FabricResource& entry : kind->resources()) {
      const bool nvlink = entry.link_class == link_class_name(LinkClass::NvLink);
      of_kind.back().push_back(nvlink ? scaled(entry.rate, nvlink_share) : entry.rate);
    }
  }
  std::vector<Bandwidth> rates;
  rates.reserve(resource_count_);
  for (int domain = 0; domain < cluster_.domain_count(); ++domain) {
    const auto kind = static_cast<std::size_t>(cluster_.kind_of(domain));
    rates.insert(rates.end(), of_kind[kind].begin(), of_kind[kind].end());
  }
  const std::uint32_t first = first_resource(cluster_.domain_count());
  for (std::uint32_t r = first; r < resource_count_; ++r) rates.push_back(fabric_rate(r - first));
  return rates;
}

Bandwidth ClusterPaths::fabric_rate(std::uint32_t link) const {
  const Fabric& fabric = *cluster_.fabric();
  return scaled(fabric.payload(link), profile_.share_of(LinkClass::Network, fabric.preset(link)));
}

Bandwidth ClusterPaths::rate(std::uint32_t resource) const {
  const std::uint32_t first = first_resource(cluster_.domain_count());
  if (resource >= first) return fabric_rate(resource - first);
  const int domain = domain_of(resource);
  return paths_in(domain).resources()[resource - first_resource(domain)].rate;
}

int ClusterPaths::domain_of(std::uint32_t resource) const {
  const auto after = std::upper_bound(first_resource_.begin(), first_resource_.end(), resource);
  return static_cast<int>(after - first_resource_.begin()) - 1;
}

FabricResource ClusterPaths::describe(std::uint32_t resource) const {
  const std::uint32_t first = first_resource(cluster_.domain_count());
  if (resource >= first) {
    const FabricLink link = cluster_.fabric()->link(resource - first);
    return {link.name, std::string(link_class_name(LinkClass::Network)), rate(resource)};
  }
  const int domain = domain_of(resource);
  FabricResource entry = paths_in(domain).resources()[resource - first_resource(domain)];
  if (cluster_.domain_count() > 1) {
    const bool rack = cluster_.domain(domain).servers() > 1;
    entry.name = fmt::format("{}{}: {}", rack ? "rack" : "server",
                             rack ? domain : cluster_.first_server(domain), entry.name);
  }
  return entry;
}

}  // namespace ringspan

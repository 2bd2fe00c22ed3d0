#include "models/workloads/cluster_paths.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/base/check.h"
#include "sim/base/input_error.h"

namespace ringspan {

namespace {

std::size_t at(std::int32_t row, std::size_t columns, std::int32_t column) {
  return static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column);
}

// One class of link costs protocols most; LinkClass lists them from cheap to costly.
void take_slower(FabricPath& path, LinkClass link_class) {
  path.slowest_class = std::max(path.slowest_class, link_class);
}

std::uint32_t next_stage(const FabricPath& path) {
  return path.uses.empty() ? 0 : path.uses.back().stage + 1;
}

bool in_one_domain(std::span<const GpuPlace> places, std::int32_t domain) {
  return std::all_of(places.begin(), places.end(),
                     [domain](const GpuPlace& place) { return place.domain == domain; });
}

std::vector<std::int32_t> locals(std::span<const GpuPlace> places) {
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
    : cluster_(cluster), profile_(profile), transport_(transport) {
  for (const DomainKind& kind : cluster.kinds()) {
    const std::size_t gpus = kind.gpus.size();
    Kind entry;
    entry.paths = std::make_unique<FabricPaths>(kind.topology, kind.gpus, profile);
    if (gpus <= kMostTabled) entry.pair.assign(gpus * gpus, kNone);
    entry.to_nic.assign(gpus * kind.nics.size(), kNone);
    entry.from_nic = entry.to_nic;
    kinds_.push_back(std::move(entry));
  }
  tells_channels_apart_ = channels_take_own_ways(cluster, transport);
}

void ClusterPaths::declare(Places sources, Places destinations, Channels channels) {
  const std::int32_t domain = sources.front().domain;
  if (sources.size() == 1 && destinations.size() == 1) {
    if (destinations[0].domain == domain) {
      declare_local(cluster_.kind_of(domain), sources[0].gpu, destinations[0].gpu);
    } else {
      declare_between(sources[0], destinations[0], channels);
    }
    return;
  }
  if (in_one_domain(sources, domain) && in_one_domain(destinations, domain)) {
    declare_switched(sources, destinations);
    return;
  }
  declare_reduction(sources, destinations, channels);
}

void ClusterPaths::declare_local(std::int32_t kind, std::int32_t from, std::int32_t to) {
  const Kind& entry = kinds_[static_cast<std::size_t>(kind)];
  if (entry.pair.empty() || pair_number(kind, from, to) == kNone) {
    const std::uint32_t number = entry.paths->path_index({&from, 1}, {&to, 1});
    if (!entry.pair.empty())
      kinds_[static_cast<std::size_t>(kind)].pair[pair_place(kind, from, to)] = number;
  }
}

namespace {

std::uint64_t hash_of(std::span<const GpuPlace> sources, std::span<const GpuPlace> destinations) {
  std::uint64_t hash = sources.size();
  for (const auto& places : {sources, destinations}) {
    for (const GpuPlace& place : places) {
      hash = (hash ^ static_cast<std::uint64_t>(place.gpu)) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 29U;
    }
  }
  return hash;
}

bool same_gpus(std::span<const GpuPlace> places, const std::vector<std::int32_t>& gpus) {
  return std::equal(places.begin(), places.end(), gpus.begin(), gpus.end(),
                    [](const GpuPlace& place, std::int32_t gpu) { return place.gpu == gpu; });
}

}  // namespace

void ClusterPaths::declare_switched(Places sources, Places destinations) {
  if (switched_number(sources, destinations) != kNone) return;
  auto& kind = kinds_[static_cast<std::size_t>(cluster_.kind_of(sources.front().domain))];
  std::vector<std::int32_t> from = locals(sources), to = locals(destinations);
  const std::uint32_t number = kind.paths->path_index(from, to);
  kind.switched.emplace(hash_of(sources, destinations),
                        Kind::Switched{std::move(from), std::move(to), number});
}

std::uint32_t ClusterPaths::switched_number(Places sources, Places destinations) const {
  const auto& kind = kinds_[static_cast<std::size_t>(cluster_.kind_of(sources.front().domain))];
  const auto [begin, end] = kind.switched.equal_range(hash_of(sources, destinations));
  for (auto it = begin; it != end; ++it) {
    const Kind::Switched& known = it->second;
    if (same_gpus(sources, known.sources) && same_gpus(destinations, known.destinations)) {
      return known.number;
    }
  }
  return kNone;
}

std::size_t ClusterPaths::pair_place(std::int32_t kind, std::int32_t from, std::int32_t to) const {
  return at(from, cluster_.kinds()[static_cast<std::size_t>(kind)].gpus.size(), to);
}

std::uint32_t ClusterPaths::pair_number(std::int32_t kind, std::int32_t from,
                                        std::int32_t to) const {
  const Kind& entry = kinds_[static_cast<std::size_t>(kind)];
  return entry.pair.empty() ? entry.paths->path_index({&from, 1}, {&to, 1})
                            : entry.pair[pair_place(kind, from, to)];
}

void ClusterPaths::declare_nic(std::int32_t kind, std::int32_t gpu, const NicLeg& leg, bool sends) {
  Kind& entry = kinds_[static_cast<std::size_t>(kind)];
  const DomainKind& domain = cluster_.kinds()[static_cast<std::size_t>(kind)];
  std::int32_t owner = gpu;
  if (leg.proxy >= 0) {
    declare_local(kind, gpu, leg.proxy);
    owner = leg.proxy;
  }
  auto& numbers = sends ? entry.to_nic : entry.from_nic;
  std::uint32_t& number = numbers[at(owner, domain.nics.size(), leg.nic)];
  if (number != kNone) return;
  number = entry.paths->nic_path_index(owner, domain.nics[static_cast<std::size_t>(leg.nic)], sends,
                                       !leg.gpu_direct);
}

void ClusterPaths::declare_between(const GpuPlace& from, const GpuPlace& to, Channels channels) {
  RINGSPAN_CHECK(transport_ != nullptr, "several domains need a transport");
  for (const std::int32_t channel : channels) {
    const Transport::Legs legs = transport_->legs(from, to, channel);
    declare_nic(cluster_.kind_of(from.domain), from.gpu, legs.send, true);
    declare_nic(cluster_.kind_of(to.domain), to.gpu, legs.receive, false);
    if (!tells_channels_apart_) return;
  }
}

// Every source to its own NIC, every destination from its own.
void ClusterPaths::declare_reduction(Places sources, Places destinations, Channels channels) {
  RINGSPAN_CHECK(transport_ != nullptr, "several domains need a transport");
  for (const std::int32_t channel : channels) {
    for (const GpuPlace& place : sources) {
      declare_nic(cluster_.kind_of(place.domain), place.gpu, own_leg(place, channel), true);
    }
    for (const GpuPlace& place : destinations) {
      declare_nic(cluster_.kind_of(place.domain), place.gpu, own_leg(place, channel), false);
    }
  }
}

NicLeg ClusterPaths::own_leg(const GpuPlace& place, std::int32_t channel) const {
  const std::int32_t kind = cluster_.kind_of(place.domain);
  const std::int32_t nic = transport_->nic_of(kind, place.gpu, channel);
  return {nic, -1, transport_->gpu_direct(kind, place.gpu, nic)};
}

void ClusterPaths::finish() {
  std::vector<std::uint32_t> resources;
  for (Kind& kind : kinds_) {
    kind.paths->finish();
    resources.push_back(static_cast<std::uint32_t>(kind.paths->resources().size()));
  }
  first_resource_.reserve(static_cast<std::size_t>(cluster_.domain_count()) + 1);
  for (int domain = 0; domain < cluster_.domain_count(); ++domain) {
    first_resource_.push_back(resource_count_);
    resource_count_ += resources[static_cast<std::size_t>(cluster_.kind_of(domain))];
  }
  first_resource_.push_back(resource_count_);
  if (cluster_.fabric() != nullptr) resource_count_ += cluster_.fabric()->link_count();
}

namespace {

void clear(FabricPath& path) {
  path.uses.clear();
  path.slowest_class = LinkClass::NvLink;
  path.latency = {};
  path.staged = false;
}

}  // namespace

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
    const auto& kind = kinds_[static_cast<std::size_t>(cluster_.kind_of(domain))];
    const std::uint32_t number = switched_number(sources, destinations);
    RINGSPAN_CHECK(number != kNone, "a transfer is declared before it is asked for");
    append_local(domain, kind.paths->paths()[number], out);
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
  const std::int32_t kind = cluster_.kind_of(from.domain);
  const std::uint32_t number = pair_number(kind, from.gpu, to.gpu);
  RINGSPAN_CHECK(number != kNone, "a transfer is declared before it is asked for");
  append_local(from.domain, kinds_[static_cast<std::size_t>(kind)].paths->paths()[number], out);
}

void ClusterPaths::append_local(int domain, const FabricPath& part, FabricPath& out) const {
  const std::uint32_t stage = next_stage(out);
  const std::uint32_t first = first_resource(domain);
  for (const ResourceUse& use : part.uses) {
    out.uses.push_back({first + use.resource, use.weight, stage + use.stage});
  }
  out.latency += part.latency;
  out.staged = out.staged || part.staged;
  take_slower(out, part.slowest_class);
}

void ClusterPaths::append_nic(const GpuPlace& place, const NicLeg& leg, bool sends,
                              FabricPath& out) const {
  const auto& kind = kinds_[static_cast<std::size_t>(cluster_.kind_of(place.domain))];
  const DomainKind& domain = cluster_.domain(place.domain);
  std::int32_t owner = place.gpu;
  if (leg.proxy >= 0) {
    owner = leg.proxy;
    const std::uint32_t way = pair_number(cluster_.kind_of(place.domain), place.gpu, owner);
    append_local(place.domain, kind.paths->paths()[way], out);
  }
  const auto& numbers = sends ? kind.to_nic : kind.from_nic;
  const std::uint32_t number = numbers[at(owner, domain.nics.size(), leg.nic)];
  RINGSPAN_CHECK(number != kNone, "a transfer is declared before it is asked for");
  append_local(place.domain, kind.paths->paths()[number], out);
}

void ClusterPaths::find_leg(const GpuPlace& place, const NicLeg& leg, bool sends,
                            FabricPath& out) const {
  clear(out);
  append_nic(place, leg, sends, out);
}

void ClusterPaths::append_fabric(const FabricRoute& route, FabricPath& out) const {
  const std::uint32_t stage = next_stage(out);
  const std::uint32_t first = first_resource(cluster_.domain_count());
  for (const FabricUse& use : route.uses) {
    out.uses.push_back({first + use.link, use.share, stage + use.stage});
  }
  out.latency += route.latency;
  take_slower(out, LinkClass::Network);
}

void ClusterPaths::append_one(const GpuPlace& from, const GpuPlace& to, std::int32_t channel,
                              FabricRoute& route, FabricPath& out) const {
  const Transport::Legs legs = transport_->legs(from, to, channel);
  append_nic(from, legs.send, true, out);
  cluster_.fabric()->route(
      {cluster_.port(from.domain, legs.send.nic), cluster_.port(to.domain, legs.receive.nic),
       static_cast<std::uint32_t>(channel)},
      route);
  append_fabric(route, out);
  append_nic(to, legs.receive, false, out);
}

// The average of the channels' paths. Latency: that of the longest.
void ClusterPaths::append_between(const GpuPlace& from, const GpuPlace& to, Channels channels,
                                  PathScratch& scratch, FabricPath& out) const {
  append_one(from, to, channels.front(), scratch.route, out);
  if (!tells_channels_apart_ || channels.size() == 1) return;
  for (std::size_t c = 1; c < channels.size(); ++c) {
    clear(scratch.more);
    append_one(from, to, channels[c], scratch.route, scratch.more);
    merge_into(out, scratch.more);
  }
  for (ResourceUse& use : out.uses) use.weight /= static_cast<double>(channels.size());
}

void ClusterPaths::merge_into(FabricPath& path, const FabricPath& more) {
  for (const ResourceUse& use : more.uses) {
    const auto known =
        std::find_if(path.uses.begin(), path.uses.end(), [&](const ResourceUse& existing) {
          return existing.resource == use.resource && existing.stage == use.stage;
        });
    if (known != path.uses.end()) {
      known->weight += use.weight;
    } else {
      path.uses.push_back(use);
    }
  }
  std::stable_sort(path.uses.begin(), path.uses.end(),
                   [](const ResourceUse& a, const ResourceUse& b) { return a.stage < b.stage; });
  path.latency = std::max(path.latency, more.latency);
  path.staged = path.staged || more.staged;
  take_slower(path, more.slowest_class);
}

void ClusterPaths::append_reduction(Places sources, Places destinations, Channels channels,
                                    FabricPath& out) const {
  const std::int32_t channel = channels.front();
  std::set<std::uint32_t> ports;
  Duration up{}, down{};
  const auto side = [&](Places places, bool sends, std::uint32_t stage, Duration& latency) {
    for (const GpuPlace& place : places) {
      const NicLeg leg = own_leg(place, channel);
      ports.insert(cluster_.port(place.domain, leg.nic));
      FabricPath part;
      append_nic(place, leg, sends, part);
      for (const ResourceUse& use : part.uses) {
        out.uses.push_back({use.resource, use.weight, stage + use.stage});
      }
      latency = std::max(latency, part.latency);
      out.staged = out.staged || part.staged;
    }
  };
  side(sources, true, 0, up);
  FabricRoute route;
  cluster_.fabric()->reduction(std::vector<std::uint32_t>(ports.begin(), ports.end()), route);
  std::stable_sort(out.uses.begin(), out.uses.end(),
                   [](const ResourceUse& a, const ResourceUse& b) { return a.stage < b.stage; });
  append_fabric(route, out);
  side(destinations, false, next_stage(out), down);
  out.latency += up + down;
}

std::vector<Bandwidth> ClusterPaths::rates(double nvlink_share) const {
  std::vector<std::vector<Bandwidth>> of_kind;
  for (const Kind& kind : kinds_) {
    of_kind.emplace_back();
    for (const FabricResource& entry : kind.paths->resources()) {
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
  const auto kind = static_cast<std::size_t>(cluster_.kind_of(domain));
  return kinds_[kind].paths->resources()[resource - first_resource(domain)].rate;
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
  const auto kind = static_cast<std::size_t>(cluster_.kind_of(domain));
  FabricResource entry = kinds_[kind].paths->resources()[resource - first_resource(domain)];
  if (cluster_.domain_count() > 1) {
    const bool rack = cluster_.domain(domain).servers() > 1;
    entry.name = fmt::format("{}{}: {}", rack ? "rack" : "server",
                             rack ? domain : cluster_.first_server(domain), entry.name);
  }
  return entry;
}

}  // namespace ringspan

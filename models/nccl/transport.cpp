#include "models/nccl/transport.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "models/nccl/plan_rates.h"
#include "sim/base/check.h"
#include "sim/base/input_error.h"
#include "topologies/routing/gpu_router.h"

namespace ringspan {

namespace {

// The only CPU between is the GPU's own, over C2C: NCCL's P2C, which GPUDirect RDMA passes.
bool over_c2c(const Topology& topology, const Route& route) {
  return route.kind == PathKind::RootComplex &&
         topology.link(route.links.front().link).link_class == LinkClass::C2c;
}

bool reaches(GpuDirectReach reach, const Topology& topology, const Route& route) {
  if (reach == GpuDirectReach::Off) return false;
  switch (route.kind) {
    case PathKind::RootComplex:
      return reach >= GpuDirectReach::Socket || over_c2c(topology, route);
    case PathKind::Socket:
      return reach == GpuDirectReach::All;
    default:
      return true;
  }
}

bool over_nvlink(PathKind kind) { return kind == PathKind::NvLink || kind == PathKind::NvSwitch; }

bool over_switches(PathKind kind) {
  return kind == PathKind::PcieSwitch || kind == PathKind::PcieSwitches;
}

// NCCL's order of preference: what it takes the way to be worth, then distance.
struct NicWay {
  std::int64_t rate = 0;  // kB/s: figures that differ by rounding are equal
  PathKind kind = PathKind::Socket;
  auto key() const { return std::tuple(-rate, kind); }
};

NicWay way_worth(double gbytes_per_second, PathKind kind) {
  constexpr double kPerGbyte = 1e6;
  return {std::llround(gbytes_per_second * kPerGbyte), kind};
}

// GB/s, of the way and of the NIC's cables.
double planned(const Topology& topology, const Route& route, Bandwidth nic) {
  double rate = to_gbytes_per_second(nic);
  for (const RouteLink& step : route.links) {
    rate = std::min(rate, plan_rate(topology, topology.link(step.link)) / step.share);
  }
  return rate;
}

// Turns the lowest bits round: of `bits` = 3, 1 becomes 4.
std::size_t reversed_bits(std::size_t value, int bits) {
  std::size_t result = 0;
  for (int bit = 0; bit < bits; ++bit) result |= ((value >> bit) & 1U) << (bits - 1 - bit);
  return result;
}

// GPUs are numbered from 0 in their server, in the order of the kind.
std::vector<std::size_t> numbers_in_servers(const DomainKind& kind) {
  std::vector<std::size_t> count(static_cast<std::size_t>(kind.servers()), 0);
  std::vector<std::size_t> numbers;
  for (const NodeId gpu : kind.gpus) {
    numbers.push_back(count[static_cast<std::size_t>(kind.topology.device(gpu).server)]++);
  }
  return numbers;
}

}  // namespace

Transport::Transport(const Cluster& cluster, const TransportOptions& options)
    : cluster_(cluster), options_(options) {
  tables_.resize(cluster.kinds().size());
  if (cluster.domain_count() == 1) return;
  std::vector<char> used(tables_.size(), 0);
  for (int domain = 0; domain < cluster.domain_count(); ++domain) {
    used[static_cast<std::size_t>(cluster.kind_of(domain))] = 1;
  }
  for (std::size_t kind = 0; kind < tables_.size(); ++kind) {
    if (used[kind] == 0) continue;
    tables_[kind] = make_table(static_cast<std::int32_t>(kind));
    for (const auto& own : tables_[kind].own) {
      tells_channels_apart_ = tells_channels_apart_ || own.size() > 1;
    }
  }
  find_joined_rails();
}

Transport::KindTable Transport::make_table(std::int32_t number) const {
  const DomainKind& kind = cluster_.kinds()[static_cast<std::size_t>(number)];
  const GpuRouter router(kind.topology);
  KindTable table;
  for (std::size_t nic = 0; nic < kind.nics.size(); ++nic) {
    table.rates.push_back(port_rate(number, static_cast<std::int32_t>(nic)));
  }
  table.pairs.resize(kind.gpus.size() * kind.nics.size());
  for (std::size_t gpu = 0; gpu < kind.gpus.size(); ++gpu) find_near(number, router, gpu, table);
  share_out(kind, table);
  if (options_.pxn) find_proxies(kind, router, table);
  return table;
}

int Transport::first_of(std::int32_t kind) const {
  int domain = 0;
  while (cluster_.kind_of(domain) != kind) ++domain;
  return domain;
}

// What its cables carry, from the routes to the first port the fabric joins it to. A few are tried:
// the same rail of other domains first.
Bandwidth Transport::port_rate(std::int32_t kind, std::int32_t nic) const {
  const Fabric& fabric = *cluster_.fabric();
  const int domains = cluster_.domain_count();
  const int domain = first_of(kind);
  const std::uint32_t port = cluster_.port(domain, nic);
  for (const bool same_rail : {true, false}) {
    for (const int other : {domain + 1, domain - 1, domains - 1, 0}) {
      if (other < 0 || other >= domains || other == domain) continue;
      const auto& rails = cluster_.domain(other).rails;
      for (std::size_t n = 0; n < rails.size(); ++n) {
        if ((rails[n] == rail(kind, nic)) != same_rail) continue;
        const std::uint32_t to = cluster_.port(other, static_cast<std::int32_t>(n));
        if (!fabric.joins(port, to)) continue;
        FabricRoute route;
        fabric.even_route({port, to, 0}, route);
        double rate = std::numeric_limits<double>::infinity();
        for (const FabricUse& use : route.uses) {
          if (use.stage != 0) continue;
          rate = std::min(rate, static_cast<double>(fabric.link(use.link).nominal.bits_per_second) /
                                    static_cast<double>(use.share));
        }
        return {std::llround(rate)};
      }
    }
  }
  return {};
}

void Transport::find_near(std::int32_t number, const GpuRouter& router, std::size_t gpu,
                          KindTable& table) const {
  const DomainKind& kind = cluster_.kinds()[static_cast<std::size_t>(number)];
  const Topology& topology = kind.topology;
  const std::int32_t server = topology.device(kind.gpus[gpu]).server;
  std::vector<std::int32_t> near;
  NicWay best;
  for (std::size_t n = 0; n < kind.nics.size(); ++n) {
    if (topology.device(kind.nics[n]).server != server) continue;
    const Route route = way_to_nic(number, router, gpu, n);
    Pair& pair = table.pairs[gpu * kind.nics.size() + n];
    pair.kind = route.kind;
    pair.gpu_direct = reaches(kind.gpu_direct, topology, route);
    pair.may_be_proxy = pair.gpu_direct && (over_switches(route.kind) || over_c2c(topology, route));
    if (table.rates[n].bits_per_second == 0) continue;
    pair.planned_rate = planned(topology, route, table.rates[n]);
    const NicWay way = way_worth(pair.planned_rate, route.kind);
    if (near.empty() || way.key() < best.key()) {
      near.clear();
      best = way;
    }
    if (way.key() == best.key()) near.push_back(static_cast<std::int32_t>(n));
  }
  if (near.empty()) refuse_apart(number, gpu);
  table.near.push_back(std::move(near));
}

// How many GPUs are nearest to a NIC.
std::size_t Transport::nearest_gpus(const DomainKind& kind, const KindTable& table,
                                    std::size_t nic) {
  NicWay best;
  std::size_t count = 0;
  for (std::size_t gpu = 0; gpu < kind.gpus.size(); ++gpu) {
    const Pair& pair = table.pairs[gpu * kind.nics.size() + nic];
    if (pair.kind == PathKind::Local) continue;
    const NicWay way = way_worth(pair.planned_rate, pair.kind);
    if (count == 0 || way.key() < best.key()) {
      best = way;
      count = 0;
    }
    if (way.key() == best.key()) ++count;
  }
  return count;
}

// NCCL_NETDEVS_POLICY=AUTO: where k GPUs are nearest to a GPU's NICs each takes ceil(NICs / k) of
// them, from its number modulo k on, with turned bits where the number of NICs is a power of two
// (so that two GPUs with four NICs begin half the way round).
void Transport::share_out(const DomainKind& kind, KindTable& table) {
  const std::vector<std::size_t> numbers = numbers_in_servers(kind);
  for (std::size_t gpu = 0; gpu < table.near.size(); ++gpu) {
    const std::vector<std::int32_t>& near = table.near[gpu];
    const std::size_t sharers = nearest_gpus(kind, table, static_cast<std::size_t>(near.front()));
    std::size_t start = numbers[gpu] % sharers;
    if (std::has_single_bit(near.size())) {
      start = reversed_bits(start, std::countr_zero(near.size()));
    }
    std::vector<std::int32_t> own;
    for (std::size_t i = 0; i < (near.size() + sharers - 1) / sharers; ++i) {
      own.push_back(near[(start + i) % near.size()]);
    }
    table.own.push_back(std::move(own));
  }
}

// A GPU of the same server that NVLink leads to, with GPUDirect RDMA to the NIC over PCIe switches
// or C2C; first those to which the NIC belongs, then the lowest.
void Transport::find_proxies(const DomainKind& kind, const GpuRouter& router, KindTable& table) {
  const std::size_t nics = kind.nics.size();
  const auto server = [&](std::size_t gpu) { return kind.topology.device(kind.gpus[gpu]).server; };
  std::vector<std::vector<std::size_t>> owners(nics);
  for (std::size_t nic = 0; nic < nics; ++nic) {
    std::vector<std::size_t> others;
    for (std::size_t gpu = 0; gpu < kind.gpus.size(); ++gpu) {
      const Pair& pair = table.pairs[gpu * nics + nic];
      if (!pair.may_be_proxy) continue;
      const auto& own = table.own[gpu];
      const bool owns = std::find(own.begin(), own.end(), nic) != own.end();
      (owns ? owners[nic] : others).push_back(gpu);
    }
    owners[nic].insert(owners[nic].end(), others.begin(), others.end());
  }
  for (std::size_t gpu = 0; gpu < kind.gpus.size(); ++gpu) {
    for (std::size_t nic = 0; nic < nics; ++nic) {
      Pair& pair = table.pairs[gpu * nics + nic];
      if (pair.kind == PathKind::Local) continue;
      for (const std::size_t owner : owners[nic]) {
        if (owner == gpu || server(owner) != server(gpu)) continue;
        if (!over_nvlink(router.route(kind.gpus[gpu], kind.gpus[owner]).kind)) continue;
        pair.proxy = static_cast<std::int32_t>(owner);
        break;
      }
    }
  }
}

// Pairs of ports of every two kinds of domains, a few of each kind: the first two and the last,
// since what one of them hangs on may be broken.
void Transport::find_joined_rails() {
  for (const DomainKind& kind : cluster_.kinds()) {
    for (const std::int32_t rail : kind.rails) {
      rails_ = std::max(rails_, static_cast<std::size_t>(rail) + 1);
    }
  }
  joined_.assign(rails_ * rails_, 0);
  std::vector<std::vector<int>> some(cluster_.kinds().size());
  for (int domain = 0; domain < cluster_.domain_count(); ++domain) {
    std::vector<int>& known = some[static_cast<std::size_t>(cluster_.kind_of(domain))];
    if (known.size() == 3) known.pop_back();
    known.push_back(domain);
  }
  for (const std::vector<int>& senders : some) {
    for (const std::vector<int>& receivers : some) {
      for (const int from : senders) {
        for (const int to : receivers) {
          if (from != to) join_rails(from, to);
        }
      }
    }
  }
}

void Transport::join_rails(int from, int to) {
  const auto& out = cluster_.domain(from).rails;
  const auto& in = cluster_.domain(to).rails;
  for (std::size_t a = 0; a < out.size(); ++a) {
    for (std::size_t b = 0; b < in.size(); ++b) {
      char& known =
          joined_[static_cast<std::size_t>(out[a]) * rails_ + static_cast<std::size_t>(in[b])];
      if (known != 0) continue;
      known = cluster_.fabric()->joins(cluster_.port(from, static_cast<std::int32_t>(a)),
                                       cluster_.port(to, static_cast<std::int32_t>(b)))
                  ? 1
                  : 0;
    }
  }
}

std::span<const std::int32_t> Transport::nics_of(std::int32_t kind, std::int32_t gpu) const {
  return table(kind).own[static_cast<std::size_t>(gpu)];
}

std::int32_t Transport::nic_of(std::int32_t kind, std::int32_t gpu, std::int32_t channel) const {
  const auto& own = table(kind).own[static_cast<std::size_t>(gpu)];
  return own[static_cast<std::size_t>(channel) % own.size()];
}

bool Transport::gpu_direct(std::int32_t kind, std::int32_t gpu, std::int32_t nic) const {
  return pair(kind, gpu, nic).gpu_direct;
}

PathKind Transport::distance(std::int32_t kind, std::int32_t gpu, std::int32_t nic) const {
  return pair(kind, gpu, nic).kind;
}

std::int32_t Transport::proxy_of(std::int32_t kind, std::int32_t gpu, std::int32_t nic) const {
  return pair(kind, gpu, nic).proxy;
}

Bandwidth Transport::nic_rate(std::int32_t kind, std::int32_t nic) const {
  return table(kind).rates[static_cast<std::size_t>(nic)];
}

Transport::Legs Transport::legs(const GpuPlace& from, const GpuPlace& to,
                                std::int32_t channel) const {
  const std::int32_t to_kind = cluster_.kind_of(to.domain);
  Legs legs;
  legs.receive.nic = nic_of(to_kind, to.gpu, channel);
  legs.receive.gpu_direct = gpu_direct(to_kind, to.gpu, legs.receive.nic);
  const std::int32_t onto = rail(to_kind, legs.receive.nic);
  legs.send = send_leg(from, onto, channel);
  const std::int32_t leaves = rail(cluster_.kind_of(from.domain), legs.send.nic);
  if (joined_[static_cast<std::size_t>(leaves) * rails_ + static_cast<std::size_t>(onto)] == 0) {
    refuse(from, to, legs);
  }
  return legs;
}

NicLeg Transport::send_leg(const GpuPlace& from, std::int32_t onto, std::int32_t channel) const {
  const std::int32_t kind = cluster_.kind_of(from.domain);
  const KindTable& entry = table(kind);
  // By the GPU itself, or through a GPU that GPUDirect RDMA lets near the NIC.
  const auto leg = [&](std::int32_t nic) -> NicLeg {
    const Pair& way = pair(kind, from.gpu, nic);
    if (!way.gpu_direct && way.proxy >= 0) return {nic, way.proxy, true};
    return {nic, -1, way.gpu_direct};
  };
  const std::int32_t own = nic_of(kind, from.gpu, channel);
  if (rail(kind, own) == onto) return leg(own);
  for (const std::int32_t nic : entry.near[static_cast<std::size_t>(from.gpu)]) {
    if (rail(kind, nic) == onto) return leg(nic);
  }
  for (std::size_t n = 0; n < entry.rates.size(); ++n) {
    const auto nic = static_cast<std::int32_t>(n);
    const std::int32_t proxy = pair(kind, from.gpu, nic).proxy;
    if (rail(kind, nic) == onto && proxy >= 0) return {nic, proxy, true};
  }
  return leg(own);
}

}  // namespace ringspan

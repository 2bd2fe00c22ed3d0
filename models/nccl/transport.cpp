#include "models/nccl/transport.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "sim/base/check.h"
#include "sim/base/input_error.h"
#include "topologies/routing/gpu_router.h"

namespace ringspan {

namespace {

bool reaches(GpuDirectReach reach, PathKind kind) {
  switch (kind) {
    case PathKind::PcieSwitch:
    case PathKind::PcieSwitches:
      return reach >= GpuDirectReach::Switch;
    case PathKind::RootComplex:
      return reach >= GpuDirectReach::Socket;
    case PathKind::Socket:
      return reach >= GpuDirectReach::All;
    default:
      return reach != GpuDirectReach::Off;
  }
}

// NCCL's order of preference: bandwidth, then distance.
struct NicWay {
  std::int64_t rate = 0;
  PathKind kind = PathKind::Socket;
  std::int32_t nic = 0;
  bool better_than(const NicWay& other) const {
    return std::tuple(-rate, kind) < std::tuple(-other.rate, other.kind);
  }
};

bool over_nvlink(PathKind kind) { return kind == PathKind::NvLink || kind == PathKind::NvSwitch; }

}  // namespace

Transport::Transport(const Cluster& cluster, const TransportOptions& options)
    : cluster_(cluster), options_(options) {
  for (const DomainKind& kind : cluster.kinds()) tables_.push_back(make_table(kind));
}

Transport::KindTable Transport::make_table(const DomainKind& kind) {
  const GpuRouter router(kind.topology);
  KindTable table;
  if (cluster_.domain_count() == 1) return table;
  for (const NodeId gpu : kind.gpus) {
    const std::int32_t server = kind.topology.device(gpu).server;
    std::vector<std::int32_t> best;
    std::vector<char> direct(kind.nics.size(), 0);
    NicWay best_way;
    for (std::size_t n = 0; n < kind.nics.size(); ++n) {
      if (kind.topology.device(kind.nics[n]).server != server) continue;
      const Route route = router.nic_route(gpu, kind.nics[n], true, false);
      direct[n] = reaches(kind.gpu_direct, route.kind) ? 1 : 0;
      const NicWay way{route.payload.bits_per_second, route.kind, static_cast<std::int32_t>(n)};
      if (best.empty() || way.better_than(best_way)) {
        best.clear();
        best_way = way;
      }
      if (!best_way.better_than(way)) best.push_back(way.nic);
    }
    if (best.empty()) {
      throw InputError(fmt::format("{} has no NIC, and the system has several servers",
                                   kind.topology.device(gpu).name),
                       "give the server a NIC and link it to the GPU's PCIe switch or CPU");
    }
    table.near.push_back(std::move(best));
    table.direct.push_back(std::move(direct));
  }
  share_out(table);
  add_rails(kind, table);
  for (const auto& own : table.own) tells_channels_apart_ = tells_channels_apart_ || own.size() > 1;
  return table;
}

// NCCL_NETDEVS_POLICY=AUTO: GPUs that are as near to several NICs share them out; each starts with
// its part of them.
void Transport::share_out(KindTable& table) {
  for (std::size_t gpu = 0; gpu < table.near.size(); ++gpu) {
    std::vector<std::int32_t> own = table.near[gpu];
    std::size_t sharers = 0, before = 0;
    for (std::size_t other = 0; other < table.near.size(); ++other) {
      if (table.near[other] != table.near[gpu]) continue;
      if (other < gpu) ++before;
      ++sharers;
    }
    if (!own.empty()) {
      const std::size_t each = (own.size() + sharers - 1) / sharers;
      std::rotate(own.begin(),
                  own.begin() + static_cast<std::ptrdiff_t>(before * each % own.size()), own.end());
      own.resize(each);
    }
    table.own.push_back(std::move(own));
  }
}

// Which GPU owns the NIC of each rail of a GPU's server, if NVLink leads there.
void Transport::add_rails(const DomainKind& kind, KindTable& table) {
  const GpuRouter router(kind.topology);
  for (std::size_t gpu = 0; gpu < kind.gpus.size(); ++gpu) {
    const std::int32_t server = kind.topology.device(kind.gpus[gpu]).server;
    std::vector<NicLeg> rails;
    for (std::size_t owner = 0; owner < kind.gpus.size(); ++owner) {
      if (owner == gpu || kind.topology.device(kind.gpus[owner]).server != server) continue;
      if (!over_nvlink(router.route(kind.gpus[gpu], kind.gpus[owner]).kind)) continue;
      for (const std::int32_t nic : table.own[owner]) {
        if (table.direct[owner][static_cast<std::size_t>(nic)] == 0) continue;
        const auto rail = static_cast<std::size_t>(kind.rails[static_cast<std::size_t>(nic)]);
        if (rails.size() <= rail) rails.resize(rail + 1, {-1, -1, true});
        if (rails[rail].nic < 0) rails[rail] = {nic, static_cast<std::int32_t>(owner), true};
      }
    }
    table.by_rail.push_back(std::move(rails));
  }
}

std::span<const std::int32_t> Transport::nics_of(std::int32_t kind, std::int32_t gpu) const {
  return table(kind).own[static_cast<std::size_t>(gpu)];
}

std::int32_t Transport::nic_of(std::int32_t kind, std::int32_t gpu, std::int32_t channel) const {
  const KindTable& entry = table(kind);
  const auto& near = entry.near[static_cast<std::size_t>(gpu)];
  const auto nics = static_cast<std::int32_t>(entry.direct[static_cast<std::size_t>(gpu)].size());
  if (std::find(near.begin(), near.end(), channel % nics) != near.end()) return channel % nics;
  const auto& own = entry.own[static_cast<std::size_t>(gpu)];
  return own[static_cast<std::size_t>(channel) % own.size()];
}

bool Transport::gpu_direct(std::int32_t kind, std::int32_t gpu, std::int32_t nic) const {
  return table(kind).direct[static_cast<std::size_t>(gpu)][static_cast<std::size_t>(nic)] != 0;
}

Transport::Legs Transport::legs(const GpuPlace& from, const GpuPlace& to,
                                std::int32_t channel) const {
  const std::int32_t from_kind = cluster_.kind_of(from.domain);
  const std::int32_t to_kind = cluster_.kind_of(to.domain);
  Legs legs;
  legs.receive.nic = nic_of(to_kind, to.gpu, channel);
  legs.receive.gpu_direct = gpu_direct(to_kind, to.gpu, legs.receive.nic);
  legs.send.nic = nic_of(from_kind, from.gpu, channel);
  legs.send.gpu_direct = gpu_direct(from_kind, from.gpu, legs.send.nic);
  if (!options_.pxn) return legs;
  const auto rail_of = [&](std::int32_t kind, std::int32_t nic) {
    return cluster_.kinds()[static_cast<std::size_t>(kind)].rails[static_cast<std::size_t>(nic)];
  };
  const auto rail = static_cast<std::size_t>(rail_of(to_kind, legs.receive.nic));
  if (rail_of(from_kind, legs.send.nic) == static_cast<std::int32_t>(rail)) return legs;
  const auto& rails = table(from_kind).by_rail[static_cast<std::size_t>(from.gpu)];
  if (rail < rails.size() && rails[rail].nic >= 0) legs.send = rails[rail];
  return legs;
}

}  // namespace ringspan

#include "app/report/pair_legs.h"

#include <algorithm>

#include "app/report/pair_classes.h"
#include "sim/base/input_error.h"

namespace ringspan {

namespace {

LegFinder::Leg measured(const Topology& topology, const Route& route) {
  return {nominal_rate(topology, route), route.payload, route.latency};
}

// One leg behind the other: Leg or PairLegs.
template <typename Legs>
void append(const LegFinder::Leg& leg, Legs& legs) {
  const bool first = legs.payload.bits_per_second == 0;
  legs.nominal = first ? leg.nominal : std::min(legs.nominal, leg.nominal);
  legs.payload = first ? leg.payload : std::min(legs.payload, leg.payload);
  legs.latency += leg.latency;
}

}  // namespace

LegFinder::LegFinder(const Cluster& cluster, const Transport& transport)
    : cluster_(cluster), transport_(transport) {
  for (const DomainKind& kind : cluster.kinds()) routers_.emplace_back(kind.topology);
}

LegFinder::Found LegFinder::find(const GpuPlace& from, const GpuPlace& to) {
  Found found;
  try {
    const Transport::Legs legs = transport_.legs(from, to, 0);
    found.send_nic = legs.send.nic;
    found.receive_nic = legs.receive.nic;
    found.legs = describe(from, to, legs);
  } catch (const InputError& error) {
    found.legs.impossible = error.what();
  }
  return found;
}

PairLegs LegFinder::describe(const GpuPlace& from, const GpuPlace& to,
                             const Transport::Legs& legs) {
  const std::int32_t from_kind = cluster_.kind_of(from.domain);
  const std::int32_t to_kind = cluster_.kind_of(to.domain);
  PairLegs pair;
  pair.same_rail =
      rail(from_kind, transport_.nic_of(from_kind, from.gpu, 0)) == rail(to_kind, legs.receive.nic);
  pair.pxn = legs.send.proxy >= 0;
  pair.send_direct = legs.send.gpu_direct;
  pair.receive_direct = legs.receive.gpu_direct;
  append(nic_leg(from_kind, from.gpu, legs.send, true), pair);
  append(nic_leg(to_kind, to.gpu, legs.receive, false), pair);
  return pair;
}

const LegFinder::Leg& LegFinder::nic_leg(std::int32_t kind, std::int32_t gpu, const NicLeg& leg,
                                         bool sends) {
  const auto [known, added] =
      legs_.try_emplace(std::tuple(kind, gpu, leg.nic, leg.proxy, leg.gpu_direct, sends));
  Leg& found = known->second;
  if (!added) return found;
  const DomainKind& domain = cluster_.kinds()[static_cast<std::size_t>(kind)];
  const GpuRouter& router = routers_[static_cast<std::size_t>(kind)];
  NodeId owner = domain.gpus[static_cast<std::size_t>(gpu)];
  if (leg.proxy >= 0) {
    const NodeId proxy = domain.gpus[static_cast<std::size_t>(leg.proxy)];
    append(measured(domain.topology, router.route(owner, proxy)), found);
    owner = proxy;
  }
  const NodeId nic = domain.nics[static_cast<std::size_t>(leg.nic)];
  append(measured(domain.topology, router.nic_route(owner, nic, sends, !leg.gpu_direct)), found);
  return found;
}

std::int32_t LegFinder::rail(std::int32_t kind, std::int32_t nic) const {
  return cluster_.kinds()[static_cast<std::size_t>(kind)].rails[static_cast<std::size_t>(nic)];
}

}  // namespace ringspan

#include "topologies/builders/cluster_draft.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/base/input_error.h"
#include "topologies/builders/config_reading.h"
#include "topologies/builders/limits.h"

namespace ringspan {

void ClusterDraft::add_domain(std::size_t kind, std::size_t pod, std::int32_t servers) {
  if (first_server.empty()) first_server.push_back(0);
  kind_of_domain.push_back(static_cast<std::int32_t>(kind));
  pod_of_domain.push_back(static_cast<std::int32_t>(pod));
  first_server.push_back(first_server.back() + servers);
}

int ClusterDraft::domain_of_server(std::int64_t server) const {
  const auto after = std::upper_bound(first_server.begin(), first_server.end(), server);
  return static_cast<int>(after - first_server.begin()) - 1;
}

ClusterDraft server_domains(ServerList list) {
  ClusterDraft draft;
  const auto servers = static_cast<std::size_t>(list.servers());
  draft.kind_of_domain.reserve(servers);
  draft.pod_of_domain.reserve(servers);
  draft.first_server.reserve(servers + 1);
  for (std::size_t pod = 0; pod < list.pods.size(); ++pod) {
    for (std::int64_t i = 0; i < list.pods[pod].servers; ++i) {
      draft.add_domain(list.pods[pod].type, pod, 1);
    }
  }
  draft.kinds = std::move(list.types);
  return draft;
}

std::vector<FabricPort> ports_on(const ClusterDraft& draft, const std::string& network) {
  struct KindPorts {
    std::vector<std::int32_t> servers, rails;
  };
  std::vector<KindPorts> kinds;
  for (const DomainDraft& kind : draft.kinds) {
    NicList list = nics_on(kind, network);
    KindPorts& entry = kinds.emplace_back();
    for (const NodeId nic : list.nics) entry.servers.push_back(kind.devices[nic.index()].server);
    entry.rails = std::move(list.rails);
  }
  std::int64_t count = 0;
  for (const std::int32_t kind : draft.kind_of_domain) {
    count += static_cast<std::int64_t>(kinds[static_cast<std::size_t>(kind)].rails.size());
  }
  if (count > kMaxPorts) {
    throw InputError(fmt::format("{} servers have {} NICs on the network '{}', which are too many",
                                 draft.servers(), count, network),
                     fmt::format("at most {} NICs", kMaxPorts));
  }
  std::vector<FabricPort> ports;
  ports.reserve(static_cast<std::size_t>(count));
  for (std::size_t domain = 0; domain < draft.kind_of_domain.size(); ++domain) {
    const KindPorts& kind = kinds[static_cast<std::size_t>(draft.kind_of_domain[domain])];
    for (std::size_t i = 0; i < kind.rails.size(); ++i) {
      ports.push_back({static_cast<std::int32_t>(domain),
                       draft.first_server[domain] + kind.servers[i], kind.rails[i]});
    }
  }
  return ports;
}

namespace {

// What the reader of files let through breaks a rule only where a fault took a link away.
DomainKind build_kind(const ClusterDraft& draft, std::size_t kind, const std::string& name,
                      const std::string& network) {
  const auto fault = draft.fault_of_kind.find(kind);
  if (fault == draft.fault_of_kind.end()) {
    DomainKind built = build_domain(draft.kinds[kind], name, network);
    built.where = draft.kinds[kind].where;
    return built;
  }
  DomainKind built =
      at_table(fault->second, [&] { return build_domain(draft.kinds[kind], name, network); });
  built.where = fault->second.position();
  return built;
}

}  // namespace

Cluster build_cluster(const ClusterDraft& draft, const std::string& name,
                      const std::string& network, std::shared_ptr<const Fabric> fabric) {
  std::vector<std::int32_t> number(draft.kinds.size(), -1);
  std::vector<DomainKind> kinds;
  std::vector<std::int32_t> kind_of_domain;
  kind_of_domain.reserve(draft.kind_of_domain.size());
  for (const std::int32_t kind : draft.kind_of_domain) {
    const auto index = static_cast<std::size_t>(kind);
    if (number[index] < 0) {
      number[index] = static_cast<std::int32_t>(kinds.size());
      kinds.push_back(build_kind(draft, index, name, network));
    }
    kind_of_domain.push_back(number[index]);
  }
  return Cluster(std::move(kinds), std::move(kind_of_domain), std::move(fabric));
}

}  // namespace ringspan

#pragma once

// A cluster while it is put together: which domains there are, in what order. Nothing is stored per
// server but numbers.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "topologies/builders/domain_draft.h"
#include "topologies/builders/server_list.h"
#include "topologies/fabrics/fabric.h"

namespace ringspan {

struct ClusterDraft {
  std::vector<DomainDraft> kinds;
  std::vector<std::int32_t> kind_of_domain;
  std::vector<std::int32_t> pod_of_domain;
  std::vector<std::int32_t> first_server;           // by domain, and one more
  std::map<std::size_t, ConfigNode> fault_of_kind;  // the last one, of kinds that faults made

  std::int64_t servers() const { return first_server.empty() ? 0 : first_server.back(); }
  int domain_of_server(std::int64_t server) const;
  void add_domain(std::size_t kind, std::size_t pod, std::int32_t servers);
};

// Every server is a domain of its own.
ClusterDraft server_domains(ServerList list);

// The NICs on a network, as a fabric sees them. Throws InputError: more than kMaxPorts.
std::vector<FabricPort> ports_on(const ClusterDraft& draft, const std::string& network);

// The kinds that domains are of, in the order in which domains need them. `fabric` joins the NICs
// of `network`; absent: one domain. Throws InputError: faults left a graph that is none.
Cluster build_cluster(const ClusterDraft& draft, const std::string& name,
                      const std::string& network, std::shared_ptr<const Fabric> fabric);

}  // namespace ringspan

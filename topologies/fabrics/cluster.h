#pragma once

// Domains and the fabric between them. A domain is what NVLink or one host joins: a server, or a
// rack of trays. It is NCCL's node. Equal domains are one kind: nothing is stored per domain but
// its kind.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/input_error.h"
#include "topologies/fabrics/fabric.h"
#include "topologies/graph/topology.h"

namespace ringspan {

// How far a NIC may be from a GPU and still read and write its memory (GPUDirect RDMA). Beyond,
// data is staged through host memory. NCCL's default is Switch (NCCL_NET_GDR_LEVEL=PXB), and on
// machines with C2C the CPU between (P2C).
enum class GpuDirectReach { Off, Switch, Socket, All };
std::string_view gpu_direct_reach_name(GpuDirectReach reach);  // "off", "switch", "socket", "all"

struct DomainKind {
  Topology topology;                // its servers are the trays of a rack, else there is one
  std::vector<NodeId> gpus;         // alive, in rank order, server by server
  std::vector<NodeId> nics;         // on the compute network and alive, in order, server by server
  std::vector<std::int32_t> rails;  // rails[i]: which of its server's NICs nics[i] is
  GpuDirectReach gpu_direct = GpuDirectReach::Switch;
  SourcePosition where = {};  // for messages: the last [[fault]] in it, else what describes it

  int servers() const { return topology.server_count(); }
};

// A GPU of the cluster.
struct GpuPlace {
  std::int32_t domain = 0;
  std::int32_t gpu = 0;  // index into DomainKind::gpus
  auto operator<=>(const GpuPlace&) const = default;
};

class Cluster {
 public:
  // kind_of_domain[d] indexes kinds. fabric: absent for one domain; its ports are the NICs, domain
  // by domain. Requires at least one domain.
  Cluster(std::vector<DomainKind> kinds, std::vector<std::int32_t> kind_of_domain,
          std::shared_ptr<const Fabric> fabric);
  // One domain without a fabric: a server.
  explicit Cluster(Topology server);

  int domain_count() const { return static_cast<int>(kind_of_domain_.size()); }
  std::span<const DomainKind> kinds() const { return kinds_; }
  std::int32_t kind_of(int domain) const {
    return kind_of_domain_[static_cast<std::size_t>(domain)];
  }
  const DomainKind& domain(int domain) const {
    return kinds_[static_cast<std::size_t>(kind_of(domain))];
  }
  // Servers are counted over the whole cluster: a domain's are first_server(d) ..
  // first_server(d+1)-1.
  int server_count() const { return first_server_.back(); }
  int first_server(int domain) const { return first_server_[static_cast<std::size_t>(domain)]; }
  std::int64_t gpu_count() const { return first_gpu_.back(); }
  // GPUs are numbered domain by domain.
  GpuPlace place(std::int64_t gpu) const;
  // Ports are numbered as the fabric numbers them.
  std::uint32_t port(int domain, int nic) const {
    return first_port_[static_cast<std::size_t>(domain)] + static_cast<std::uint32_t>(nic);
  }
  // nullptr: one domain.
  const Fabric* fabric() const { return fabric_.get(); }

  // The GPU's server, counted over the cluster.
  int server_of(const GpuPlace& place) const;
  // "gpu0" where there is one server, else "server3.gpu0"; the same for any device of a domain.
  // What sits in no server: "nvswitch0" where there is one domain, else "rack1.nvswitch0".
  std::string device_name(int domain, NodeId device) const;

 private:
  std::vector<DomainKind> kinds_;
  std::vector<std::int32_t> kind_of_domain_;
  std::vector<std::int32_t> first_server_;  // by domain, and one more
  std::vector<std::int64_t> first_gpu_;
  std::vector<std::uint32_t> first_port_;
  std::shared_ptr<const Fabric> fabric_;
};

}  // namespace ringspan

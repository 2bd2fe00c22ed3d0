#include "topologies/fabrics/cluster.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sim/base/check.h"

namespace ringspan {

std::string_view gpu_direct_reach_name(GpuDirectReach reach) {
  constexpr std::array<std::string_view, 4> kNames = {"off", "switch", "socket", "all"};
  return kNames[static_cast<std::size_t>(reach)];
}

Cluster::Cluster(std::vector<DomainKind> kinds, std::vector<std::int32_t> kind_of_domain,
                 std::shared_ptr<const Fabric> fabric)
    : kinds_(std::move(kinds)),
      kind_of_domain_(std::move(kind_of_domain)),
      fabric_(std::move(fabric)) {
  RINGSPAN_CHECK(!kinds_.empty() && !kind_of_domain_.empty(), "a cluster has a domain");
  int server = 0;
  std::int64_t gpu = 0;
  std::uint32_t port = 0;
  const std::size_t entries = kind_of_domain_.size() + 1;
  first_server_.reserve(entries);
  first_gpu_.reserve(entries);
  first_port_.reserve(entries);
  const auto mark = [&] {
    first_server_.push_back(server);
    first_gpu_.push_back(gpu);
    first_port_.push_back(port);
  };
  mark();
  for (const std::int32_t kind : kind_of_domain_) {
    const DomainKind& domain = kinds_[static_cast<std::size_t>(kind)];
    server += domain.servers();
    gpu += static_cast<std::int64_t>(domain.gpus.size());
    port += static_cast<std::uint32_t>(domain.nics.size());
    mark();
  }
  RINGSPAN_CHECK(fabric_ == nullptr || fabric_->ports().size() == port,
                 "a fabric has a port for every NIC");
}

namespace {

std::vector<DomainKind> one_kind(Topology server) {
  DomainKind kind{std::move(server), {}, {}, {}, GpuDirectReach::Switch};
  kind.gpus.assign(kind.topology.gpus().begin(), kind.topology.gpus().end());
  std::vector<DomainKind> kinds;
  kinds.push_back(std::move(kind));
  return kinds;
}

}  // namespace

Cluster::Cluster(Topology server) : Cluster(one_kind(std::move(server)), {0}, nullptr) {}

GpuPlace Cluster::place(std::int64_t gpu) const {
  RINGSPAN_CHECK(gpu >= 0 && gpu < gpu_count(), "no such GPU");
  const auto after = std::upper_bound(first_gpu_.begin(), first_gpu_.end(), gpu);
  const auto domain = static_cast<std::int32_t>(after - first_gpu_.begin() - 1);
  return {domain, static_cast<std::int32_t>(gpu - first_gpu_[static_cast<std::size_t>(domain)])};
}

int Cluster::server_of(const GpuPlace& place) const {
  const DomainKind& kind = domain(place.domain);
  const NodeId gpu = kind.gpus[static_cast<std::size_t>(place.gpu)];
  return first_server(place.domain) + kind.topology.device(gpu).server;
}

std::string Cluster::device_name(int domain_index, NodeId device) const {
  const Device& entry = domain(domain_index).topology.device(device);
  if (entry.server == kNoServer) {
    return domain_count() == 1 ? entry.name : fmt::format("rack{}.{}", domain_index, entry.name);
  }
  if (server_count() == 1) return entry.name;
  return fmt::format("server{}.{}", first_server(domain_index) + entry.server, entry.name);
}

}  // namespace ringspan

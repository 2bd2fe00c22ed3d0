#pragma once

// The resources of a whole cluster and the paths of transfers over them. Resources are numbered by
// formula: those of domain 0 (as FabricPaths found them for its kind), of domain 1, ..., then the
// fabric's links. Several communicators may share one ClusterPaths: their transfers then share
// links. Code flow:
//   declare()    every transfer that will be asked for; cheap when its like was declared before
//   finish()     merges links of a domain that all paths use in one proportion (FabricPaths)
//   find()       the path of a transfer; describe() a resource, by name, when a report needs it

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/cost/profile.h"
#include "models/nccl/transport.h"
#include "models/workloads/domain_paths.h"
#include "models/workloads/fabric_paths.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

// Memory that look-ups reuse, so that none allocates.
struct PathScratch {
  FabricPath more;
  FabricRoute route;
};

// Two channels may take different links for the same transfer (ECMP, several NICs a GPU).
bool channels_take_own_ways(const Cluster& cluster, const Transport* transport);

class ClusterPaths {
 public:
  // All must outlive this. `transport`: nullptr for a cluster of one domain.
  ClusterPaths(const Cluster& cluster, const Profile& profile, const Transport* transport);

  using Places = std::span<const GpuPlace>;
  // The channels that a transfer is spread over, in equal parts: those of one channel class.
  using Channels = std::span<const std::int32_t>;

  // One source and one destination: a copy. Several of one domain: through its NVSwitches (requires
  // multicast). Several of several domains: reduced and multicast by the fabric's switches, or by
  // both (requires Fabric::reduces_in_network()). Throws InputError where they cannot be joined.
  void declare(Places sources, Places destinations, Channels channels);
  void finish();

  // Replaces `out`. Weights are per byte that one of the channels moves: averages over `channels`.
  void find(Places sources, Places destinations, Channels channels, FabricPath& out) const;

  // The same from one GPU to another.
  void find(const GpuPlace& from, const GpuPlace& to, Channels channels, PathScratch& scratch,
            FabricPath& out) const;
  // One end of a transfer between domains alone: from the GPU to its NIC, or from the NIC to it.
  void find_leg(const GpuPlace& place, const NicLeg& leg, bool sends, FabricPath& out) const;

  std::uint32_t resource_count() const { return resource_count_; }
  // Of every resource; NVLinks at `nvlink_share` of theirs.
  std::vector<Bandwidth> rates(double nvlink_share) const;
  Bandwidth rate(std::uint32_t resource) const;  // what the kernels get of it
  FabricResource describe(std::uint32_t resource) const;
  // Two channels may take different links for the same transfer (ECMP, several NICs a GPU): then
  // each channel is a class of its own.
  bool tells_channels_apart() const { return tells_channels_apart_; }
  const Cluster& cluster() const { return cluster_; }
  // The first resource of a domain; of the fabric for domain == domain_count().
  std::uint32_t first_resource(int domain) const {
    return first_resource_[static_cast<std::size_t>(domain)];
  }

 private:
  // GPUs of all kinds together up to which legs are tabled by pairs of them (2 MiB).
  static constexpr std::size_t kMostTabled = 256;

  // A copy between two domains is the sender's part, the fabric's, the receiver's.
  void declare_between(const GpuPlace& from, const GpuPlace& to, Channels channels);
  void declare_reduction(Places sources, Places destinations, Channels channels);
  DomainPaths& paths_in(std::int32_t domain) {
    return *kinds_[static_cast<std::size_t>(cluster_.kind_of(domain))];
  }
  const DomainPaths& paths_in(std::int32_t domain) const {
    return *kinds_[static_cast<std::size_t>(cluster_.kind_of(domain))];
  }
  std::size_t legs_place(const GpuPlace& from, const GpuPlace& to) const;
  NicLeg own_leg(const GpuPlace& place, std::int32_t channel) const;
  void append_between(const GpuPlace& from, const GpuPlace& to, Channels channels,
                      PathScratch& scratch, FabricPath& out) const;
  void append_legs(const GpuPlace& from, const GpuPlace& to, const Transport::Legs& legs,
                   std::int32_t channel, FabricRoute& route, FabricPath& out) const;
  void append_reduction(Places sources, Places destinations, Channels channels,
                        FabricPath& out) const;
  void append_leg(const GpuPlace& place, const NicLeg& leg, bool sends, FabricPath& out) const;
  Bandwidth fabric_rate(std::uint32_t link) const;
  int domain_of(std::uint32_t resource) const;

  const Cluster& cluster_;
  const Profile& profile_;
  const Transport* transport_;
  std::vector<std::unique_ptr<DomainPaths>> kinds_;
  std::vector<std::uint32_t> first_resource_;  // by domain; then the fabric's
  // Where all channels go one way: the legs of declared transfers between domains, by source and
  // destination, each a GPU of a kind; nic -1: not declared. Empty beyond kMostTabled.
  std::vector<Transport::Legs> legs_;
  std::vector<std::size_t> first_gpu_;  // by kind: where its GPUs begin among those of all kinds
  std::size_t tabled_gpus_ = 0;
  std::uint32_t resource_count_ = 0;
  bool tells_channels_apart_ = false;
};

}  // namespace ringspan

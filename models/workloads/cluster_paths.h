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
#include <unordered_map>
#include <vector>

#include "models/cost/profile.h"
#include "models/nccl/transport.h"
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
  static constexpr std::uint32_t kNone = 0xffffffffU;
  static constexpr std::size_t kMostTabled = 1024;
  struct Kind {
    std::unique_ptr<FabricPaths> paths;
    // Path numbers of declared transfers, kNone where none was: by source x GPUs + destination; by
    // GPU x NICs + nic. `pair` is empty for domains of more than kMostTabled GPUs.
    std::vector<std::uint32_t> pair, to_nic, from_nic;
    // Through the switches, by a hash of the GPUs; never walked.
    struct Switched {
      std::vector<std::int32_t> sources, destinations;  // GPUs
      std::uint32_t number = 0;
    };
    std::unordered_multimap<std::uint64_t, Switched> switched;
  };
  // A copy between two domains is the sender's part, the fabric's, the receiver's.
  void declare_between(const GpuPlace& from, const GpuPlace& to, Channels channels);
  void declare_local(std::int32_t kind, std::int32_t from, std::int32_t to);
  void declare_switched(Places sources, Places destinations);
  std::uint32_t switched_number(Places sources, Places destinations) const;
  void declare_nic(std::int32_t kind, std::int32_t gpu, const NicLeg& leg, bool sends);
  void declare_reduction(Places sources, Places destinations, Channels channels);
  std::size_t pair_place(std::int32_t kind, std::int32_t from, std::int32_t to) const;
  std::uint32_t pair_number(std::int32_t kind, std::int32_t from, std::int32_t to) const;
  NicLeg own_leg(const GpuPlace& place, std::int32_t channel) const;
  void append_between(const GpuPlace& from, const GpuPlace& to, Channels channels,
                      PathScratch& scratch, FabricPath& out) const;
  void append_one(const GpuPlace& from, const GpuPlace& to, std::int32_t channel,
                  FabricRoute& route, FabricPath& out) const;
  void append_reduction(Places sources, Places destinations, Channels channels,
                        FabricPath& out) const;
  void append_local(int domain, const FabricPath& part, FabricPath& out) const;
  void append_nic(const GpuPlace& place, const NicLeg& leg, bool sends, FabricPath& out) const;
  void append_fabric(const FabricRoute& route, FabricPath& out) const;
  Bandwidth fabric_rate(std::uint32_t link) const;
  static void merge_into(FabricPath& path, const FabricPath& more);
  int domain_of(std::uint32_t resource) const;

  const Cluster& cluster_;
  const Profile& profile_;
  const Transport* transport_;
  std::vector<Kind> kinds_;
  std::vector<std::uint32_t> first_resource_;  // by domain; then the fabric's
  std::uint32_t resource_count_ = 0;
  bool tells_channels_apart_ = false;
};

}  // namespace ringspan

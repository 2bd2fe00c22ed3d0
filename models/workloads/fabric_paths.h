#pragma once

// From a fabric's links to the resources a network model shares, and from a transfer to its path.
//
// Links that every transfer uses in one fixed proportion (the 18 NVLinks of a GPU over four switch
// planes, an uplink and the port behind it) are exactly one resource: for every rate at which they
// are used, the same one of them fills first. They are merged, so that paths stay short.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "models/collectives/protocol.h"
#include "models/cost/profile.h"
#include "models/workloads/edge_index.h"
#include "sim/base/ids.h"
#include "sim/base/units.h"
#include "topologies/graph/topology.h"
#include "topologies/routing/gpu_router.h"

namespace ringspan {

// FabricResource::link_class of what is no link but a limit of the copying kernels.
inline constexpr std::string_view kKernelLimit = "channel";

// Something of limited rate that transfers share.
struct FabricResource {
  std::string name;        // "gpu0 -> nvswitch0..3 (18 x nvlink4)"
  std::string link_class;  // "nvlink", "pcie", ..., or kKernelLimit
  Bandwidth rate;          // wire bytes it carries, as the kernels get them
};

struct ResourceUse {
  std::uint32_t resource = 0;
  std::uint32_t stage = 0;  // resources of one stage are crossed side by side
  double weight = 1;        // bytes on the resource per wire byte of the transfer
  double staged = 0;        // the part of `weight` that goes through host memory

  // Bytes of the resource's rate that a wire byte of the transfer takes, where staged ones get
  // `staging_efficiency` of it. Staging slows the links of a host, not what lies between hosts.
  double load(double staging_efficiency) const {
    return staged == 0 ? weight : weight - staged + staged / staging_efficiency;
  }
};

struct FabricPath {
  std::vector<ResourceUse> uses;
  LinkClass slowest_class = LinkClass::NvLink;
  Duration latency{};   // wire, one way
  bool staged = false;  // through host memory, at one end at least
};

class FabricPaths {
 public:
  // `gpus`: the communicator's GPUs in rank order; all three must outlive this.
  FabricPaths(const Topology& topology, std::span<const NodeId> gpus, const Profile& profile);

  // The index of the path between these ranks; made when first asked for. Several sources or
  // destinations go through the switches (requires multicast).
  std::uint32_t path_index(std::span<const std::int32_t> sources,
                           std::span<const std::int32_t> destinations);
  // The same without making it.
  std::optional<std::uint32_t> find(std::span<const std::int32_t> sources,
                                    std::span<const std::int32_t> destinations) const {
    return index_.find(sources, destinations);
  }

  // As path_index() between a GPU and a NIC of its host: to the NIC, or from it; straight, or
  // staged through host memory.
  std::uint32_t nic_path_index(std::int32_t rank, NodeId nic, bool to_nic, bool staged);

  // Merges links into resources and fills uses; call once, after the last path_index().
  void finish();

  const std::vector<FabricPath>& paths() const { return paths_; }
  const std::vector<FabricResource>& resources() const { return resources_; }

 private:
  struct StagedLink {
    RouteLink use;
    std::uint32_t stage = 0;
  };
  using StagedLinks = std::vector<StagedLink>;
  std::uint32_t add_path(FabricPath path, StagedLinks links);
  void add_route(FabricPath& path, StagedLinks& links, const Route& route);
  void undo_kernel_share(StagedLinks& links) const;
  void add_switched(FabricPath& path, StagedLinks& links, std::span<const std::int32_t> sources,
                    std::span<const std::int32_t> destinations);
  void accumulate(StagedLinks& links, const RouteLink& more, std::uint32_t stage);
  void merge_links(const std::vector<std::uint64_t>& signatures,
                   const std::vector<double>& reference);

  const Topology* topology_;
  std::span<const NodeId> gpus_;
  const Profile* profile_;
  GpuRouter router_;
  EdgeIndex index_;
  std::map<std::tuple<std::int32_t, NodeId, bool, bool>, std::uint32_t> nic_index_;
  std::vector<FabricPath> paths_;
  std::vector<StagedLinks> path_links_;
  // Where each link stands in the path being made, if it does: path number + 1, place.
  std::vector<std::pair<std::size_t, std::size_t>> place_;
  std::vector<FabricResource> resources_;
};

}  // namespace ringspan

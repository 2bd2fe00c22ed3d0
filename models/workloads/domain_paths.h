#pragma once

// The paths inside the domains of one kind: from GPU to GPU, through the switches, between GPUs and
// NICs. All domains of a kind share them; ClusterPaths puts the paths of transfers together from
// them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/cost/profile.h"
#include "models/nccl/transport.h"
#include "models/workloads/fabric_paths.h"
#include "sim/base/check.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

class DomainPaths {
 public:
  // Both must outlive this.
  DomainPaths(const DomainKind& kind, const Profile& profile);

  // GPUs and NICs are indices into DomainKind::gpus and nics.
  using Gpus = std::span<const std::int32_t>;

  // What will be asked for; cheap when it was declared before. A leg is the way to the GPU that
  // owns the NIC, if another does, and that between it and the NIC.
  void declare_pair(std::int32_t from, std::int32_t to);
  void declare_switched(Gpus sources, Gpus destinations) {
    paths_.path_index(sources, destinations);
  }
  void declare_leg(std::int32_t gpu, const NicLeg& leg, bool sends);
  // Merges links; call once, before paths are asked for.
  void finish() { paths_.finish(); }

  const FabricPath& pair(std::int32_t from, std::int32_t to) const {
    return path(pair_.empty() ? paths_.find({&from, 1}, {&to, 1}).value_or(kNone)
                              : pair_[pair_place(from, to)]);
  }
  const FabricPath& switched(Gpus sources, Gpus destinations) const {
    return path(paths_.find(sources, destinations).value_or(kNone));
  }
  // Between a GPU and a NIC that it owns.
  const FabricPath& nic(std::int32_t gpu, std::int32_t nic, bool sends) const {
    return path((sends ? to_nic_ : from_nic_)[nic_place(gpu, nic)]);
  }

  const std::vector<FabricResource>& resources() const { return paths_.resources(); }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  // Pairs of larger domains are looked up in FabricPaths.
  static constexpr std::size_t kMostTabled = 1024;

  const FabricPath& path(std::uint32_t number) const {
    RINGSPAN_CHECK(number != kNone, "a transfer is declared before it is asked for");
    return paths_.paths()[number];
  }
  std::size_t pair_place(std::int32_t from, std::int32_t to) const {
    return static_cast<std::size_t>(from) * kind_.gpus.size() + static_cast<std::size_t>(to);
  }
  std::size_t nic_place(std::int32_t gpu, std::int32_t nic) const {
    return static_cast<std::size_t>(gpu) * kind_.nics.size() + static_cast<std::size_t>(nic);
  }

  const DomainKind& kind_;
  FabricPaths paths_;
  // Path numbers of declared transfers, kNone where none was: by source x GPUs + destination; by
  // GPU x NICs + nic. `pair_` is empty for domains of more than kMostTabled GPUs.
  std::vector<std::uint32_t> pair_, to_nic_, from_nic_;
};

}  // namespace ringspan

#pragma once

// The ends of a ring on one of several domains, as NCCL's channel search sees them: how data comes
// in from a NIC to the ring's first GPU, and leaves from its last one.

#include <cstdint>
#include <span>
#include <vector>

#include "models/nccl/plan_graph.h"
#include "models/nccl/transport.h"

namespace ringspan {

// How far a NIC may be from a GPU, near to far: NCCL's PIX, PXB, P2C, PXN, PHB, SYS.
enum class NicReach { PcieSwitch, PcieSwitches, OverC2c, Proxy, RootComplex, Socket };

PathType path_type(NicReach reach);

struct NicEnd {
  std::int32_t gpu = 0;  // number in the PlanGraph
  NicReach reach = NicReach::PcieSwitch;
  double rate = 0;                 // GB/s, what one ring alone could take
  std::vector<HopCharge> charges;  // the NIC's own two directions count as links
};

class NicEnds {
 public:
  // `gpus`: indices into the kind's GPUs, ascending; `graph` is made of the same.
  NicEnds(const Cluster& cluster, std::int32_t kind, std::span<const std::int32_t> gpus,
          const Transport& transport, const PlanGraph& graph);

  // NICs (indices of the kind) that a ring may use, in the order in which rings take them: those
  // the GPUs own, GPU by GPU, then the others by distance.
  const std::vector<std::int32_t>& nics() const { return nics_; }
  // By place in nics(); nearest GPUs first. Only GPUs of the NIC's server.
  const std::vector<NicEnd>& entries(std::size_t nic) const { return entries_[nic]; }
  // The GPUs nearest to the NIC: the first so many of entries(nic).
  std::size_t nearest(std::size_t nic) const { return nearest_[nic]; }
  // nullptr: the NIC is of another server than the GPU.
  const NicEnd* exit(std::int32_t gpu, std::size_t nic) const;

  // GB/s by link: the graph's, then two for each NIC.
  const std::vector<double>& capacity() const { return capacity_; }
  double best_rate() const { return best_rate_; }  // the widest way from a GPU to a NIC
  NicReach farthest() const { return farthest_; }

 private:
  void order_nics(std::int32_t kind, std::span<const std::int32_t> gpus,
                  const Transport& transport);
  void add_ends(const Cluster& cluster, std::int32_t kind, std::span<const std::int32_t> gpus,
                const Transport& transport);
  void finish(NicEnd& end);

  std::vector<std::int32_t> nics_;
  std::vector<std::vector<NicEnd>> entries_, exits_;  // by place in nics_
  std::vector<std::size_t> nearest_;
  std::vector<double> capacity_;
  double best_rate_ = 0;
  NicReach farthest_ = NicReach::PcieSwitch;
};

}  // namespace ringspan

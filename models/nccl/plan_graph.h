#pragma once

// The fabric as NCCL's channel search sees it: the GPUs of a communicator, what a hop of a ring
// takes from which links, and what those links are worth (plan_rates.h).

#include <cstdint>
#include <span>
#include <vector>

#include "models/nccl/algorithm_graph.h"
#include "topologies/graph/topology.h"
#include "topologies/routing/gpu_router.h"
#include "topologies/routing/route.h"

namespace ringspan {

// Rates count as sufficient within a thousandth: 18 x 20.6 GB/s in floating point, and presets that
// round their rates, must not lose a ring.
inline constexpr double kPlanSlack = 1.001;

// How far a hop may reach, near to far: NCCL's NVL, NVB, PIX, PXB, PHB, SYS.
enum class HopReach { NvLink, Relay, PcieSwitch, PcieSwitches, RootComplex, Socket };

PathType path_type(HopReach reach);

struct HopCharge {
  std::uint32_t link = 0;
  double factor = 1;  // of the channel's rate
};

struct Hop {
  HopReach reach = HopReach::NvLink;
  int links = 0;  // crossed one after the other
  std::vector<HopCharge> charges;
};

// What a ring takes that goes over this route, by link of the topology.
Hop hop_of(const Topology& topology, const Route& route);

class PlanGraph {
 public:
  // `gpus` in the order of their numbers.
  PlanGraph(const Topology& topology, std::span<const NodeId> gpus);

  int size() const { return size_; }
  // With an NVSwitch all orders are alike and NCCL tries only neighbours: 0, 1, 2, ... or
  // backwards; so do we beyond kMostSearched GPUs. Then only hops from i to i + 1 and to i - 1 (mod
  // n) are known.
  bool in_order_only() const { return in_order_only_; }
  const Hop& hop(int from, int to) const;

  // GB/s by link number, of the whole topology.
  const std::vector<double>& capacity() const { return capacity_; }
  double best_hop_rate() const { return best_hop_rate_; }  // the widest hop, alone
  double gpu_rate() const { return gpu_rate_; }  // the widest GPU: its NVLinks, or its PCIe
  // No more than this can leave, or reach, the narrowest GPU.
  double port_rate(HopReach reach) const;
  HopReach farthest() const { return farthest_; }
  int least_compute_capability() const { return least_compute_capability_; }
  // A CPU of this vendor is crossed by the farthest hops.
  bool crosses_amd() const { return crosses_amd_; }

 private:
  static constexpr int kMostSearched = 32;
  void find_rates(const Topology& topology, std::span<const NodeId> gpus);

  int size_;
  bool in_order_only_ = false;
  std::vector<Hop> hops_;  // in order: by 2 * source, + 1 downwards; else source * n + destination
  std::vector<double> capacity_;
  double best_hop_rate_ = 0;
  double gpu_rate_ = 0;
  double nvlink_port_rate_ = 0;
  double all_port_rate_ = 0;
  HopReach farthest_ = HopReach::NvLink;
  int least_compute_capability_ = 0;
  bool crosses_amd_ = false;
};

}  // namespace ringspan

#pragma once

// The numbers and rules of NCCL's tuner by version. Source: NCCL src/graph/tuning.cc from 2.18 to
// 2.30.7. They decide what NCCL picks, never what a simulated run takes: that is the profile's.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "models/collectives/nccl_version.h"
#include "models/collectives/protocol.h"

namespace ringspan {

// In NCCL's order, which decides ties.
enum class TunerAlgorithm { Tree, Ring, CollNetDirect, CollNetChain, Nvls, NvlsTree, Pat };

inline constexpr std::array kTunerAlgorithms = {
    TunerAlgorithm::Tree,         TunerAlgorithm::Ring, TunerAlgorithm::CollNetDirect,
    TunerAlgorithm::CollNetChain, TunerAlgorithm::Nvls, TunerAlgorithm::NvlsTree,
    TunerAlgorithm::Pat};

// The name that the registry of algorithms has for it: "tree", "nvlstree", ...
std::string_view tuner_algorithm_name(TunerAlgorithm algorithm);

// The other way round; nullopt: NCCL's tuner does not know it.
std::optional<TunerAlgorithm> tuner_algorithm_of(std::string_view name);

using ByProtocol = std::array<double, kAllProtocols.size()>;
using ByAlgorithmAndProtocol = std::array<ByProtocol, kTunerAlgorithms.size()>;
// Columns: one node, two, three or more.
using ByNodes = std::array<double, 3>;
// Rows: Volta and older, Ampere, Hopper, Blackwell.
using ByGeneration = std::array<ByNodes, 4>;

// Powers of two from 64 B on at which a tree's bandwidth is corrected.
inline constexpr std::size_t kTreeCorrections = 24;

struct TunerConstants {
  // Microseconds: of a call, and of a step over NVLink, PCIe and the network.
  ByAlgorithmAndProtocol base{}, nvlink{}, pcie{}, network{};
  // GB/s: of all channels with LL (over several nodes row 1 is for AMD CPUs, row 0 for others), and
  // of one search channel.
  ByGeneration ll_most{}, ring_ll128{}, tree_ll128{}, tree{}, nvls_tree{};
  std::array<double, 4> nvls_efficiency{};  // by generation
  std::array<std::array<double, kTreeCorrections>, kAllProtocols.size()> tree_correction{};
  double pat_efficiency = 0;  // 0: there is no PAT

  // Rules that changed.
  bool nvls_gathers = true;             // NVLS does AllGather and ReduceScatter
  bool nvls_by_efficiency = true;       // else the lesser of the graph's two rates, times 5/6
  bool nvls_gathers_from_peers = true;  // (p - 1)/p of the rate inside, before efficiencies came
  bool gathers_unscaled = true;         // AllGather by other than rings: bandwidth is not divided
  bool collnet_gathers = true;
  double ring_ll = 0.5;                  // of a ring's bandwidth
  bool ring_ll_thirds = false;           // instead: 1/4, or 1/3 of what does not reduce on one node
  double ring_ll128_alone = 0.92;        // with one rank per node; 0.92 with more
  int extra_ring_steps = 0;              // of AllReduce between nodes, beside 2 (N - 1)
  bool exposed_network_steps = true;     // one rank per node: the tree's latency for all algorithms
  bool corrects_nvls_tree = true;        // on Blackwell with x86 CPUs, as trees
  bool ll128_mixes_capabilities = true;  // from Hopper on
  bool ll128_listed_capabilities = false;  // only those that NCCL knew by then
};

// What is meant: a version without patch is the newest patch of that minor known here; what is
// older than kOldestNccl is that. Versions newer than the newest known keep their number.
NcclVersion resolved_nccl_version(const NcclVersion& version);

// 2.30.7.
NcclVersion newest_nccl_version();

// Of the nearest version known that is not newer.
TunerConstants tuner_constants(const NcclVersion& version);

}  // namespace ringspan

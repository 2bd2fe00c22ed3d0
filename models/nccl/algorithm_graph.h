#pragma once

// What NCCL's topology search leaves behind for its tuner: one graph per algorithm, the same on all
// ranks (the least of bandwidths and channels, the farthest of path types), and what the
// communicator is made of. Source: NCCL 2.28.9 src/graph/search.cc, src/init.cc.

#include <string_view>

#include "models/collectives/algorithm.h"

namespace ringspan {

// NCCL's path types, near to far (src/graph/topo.h): the order counts.
enum class PathType { Loc, Nvl, Nvb, C2c, Pix, Pxb, P2c, Pxn, Phb, Sys, Net, Dis };

// "NVL", "PIX", ...
std::string_view path_type_name(PathType type);

// Rates of one search channel in GB/s (1e9 bytes), one direction. `channels` is the search's count:
// the kernels use twice as many or more (channel_rules.h). 0 channels: the graph does not exist.
struct AlgorithmGraph {
  int channels = 0;
  double intra_gbs = 0;  // between GPUs of a node
  double inter_gbs = 0;  // between GPU and NIC; on one node NCCL sets it too
  PathType intra_type = PathType::Nvl;
  PathType inter_type = PathType::Pix;
  bool same_channels = true;                    // all channels visit the GPUs in one order
  int cross_nic = 0;                            // 0 or 2
  TreePattern pattern = TreePattern::Balanced;  // of trees

  bool operator==(const AlgorithmGraph&) const = default;
};

// By whom a node's CPUs are made; Mixed: several.
enum class CpuVendor { Intel, Amd, Arm, Other, Mixed };

struct CommunicatorGraphs {
  int ranks = 1;
  int nodes = 1;  // NVLink domains or servers
  int most_ranks_per_node = 1;
  int least_compute_capability = 0;  // 80, 90, 100; 0: not NVIDIA
  bool one_compute_capability = true;
  CpuVendor cpu_vendor = CpuVendor::Intel;
  AlgorithmGraph ring, tree, nvls;
  // Channels of the kernels.
  int channels = 1;  // ring and tree
  int nvls_channels = 0;
  int p2p_channels = 1;
  int p2p_channels_per_peer = 1;
  // What may be used at all, apart from size.
  bool nvswitch = false;           // the nodes have NVSwitches
  bool nvls_support = false;       // the switches multicast, and NCCL's rules allow it
  bool network_reduction = false;  // a CollNet plug-in (SHARP)
};

}  // namespace ringspan

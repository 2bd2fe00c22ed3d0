#pragma once

// Everything decided, nothing simulated: one algorithm with one protocol on some channels of a
// communicator, ready to be run at any size. Code flow:
//   CollectivePlan::build()      schedules per channel class, paths, resources
//   cut_size(plan, size)         loops, chunks and slices of one size
//   run_stream / run_chunk       simulate it (stream_run.h, chunk_run.h)
//
// Channels with the same schedule do the same thing at the same time. They are one class with a
// count: a flow stands for one channel of it and loads each link `count` times (exact by symmetry).

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/collectives/algorithm.h"
#include "models/collectives/protocol.h"
#include "models/cost/profile.h"
#include "models/workloads/cluster_paths.h"
#include "models/workloads/edge_index.h"
#include "models/workloads/fabric_paths.h"
#include "sim/network/network_model.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

// What a flow of one channel does to the network.
struct TransferPath {
  std::vector<std::uint32_t> links;   // indices into CollectivePlan::links
  std::vector<float> weights;         // empty: all 1
  std::vector<std::uint32_t> stages;  // which links are crossed side by side; empty: none
  Duration latency{};                 // from the last byte sent to the receiver's next action
};

struct PlannedEdge {
  std::vector<std::int32_t> sources, destinations;
  TransferPath path;
  // Bytes on a link per byte of its rate that they take: below 1 for what is staged through host
  // memory (the profile's staging efficiency); the path's weights are larger by that much.
  double efficiency = 1;
};

struct PlannedRound {
  std::int64_t repeat = 1;
  bool coupled = true;
  // Edge index and the number of blocks it carries.
  std::vector<std::pair<std::uint32_t, std::int64_t>> edges;
};

struct ChannelClass {
  std::unique_ptr<Schedule> schedule;
  int count = 1;
  std::vector<std::int32_t> channels;  // which ones they are; `count` of them
  std::vector<PlannedEdge> edges;
  std::vector<PlannedRound> rounds;

  // The edge of a transfer; RINGSPAN_CHECKs that the rounds named it.
  std::uint32_t edge_of(const Transfer& transfer) const;
  EdgeIndex index;
};

struct PlanInput {
  const Cluster* cluster = nullptr;
  std::span<const GpuPlace> ranks;       // where each rank sits
  const Transport* transport = nullptr;  // nullptr: one domain
  CollectiveSpec spec;
  std::string algorithm_name;
  const Algorithm* algorithm = nullptr;
  Protocol protocol = Protocol::Simple;
  int channels = 1;
  // Ring orders the channels take turns with; at least one.
  std::vector<std::vector<std::int32_t>> orders;
  const Profile* profile = nullptr;
};

inline constexpr std::uint32_t kKernelResource = 0xffffffffU;

struct CollectivePlan {
  CollectiveSpec spec;
  std::string algorithm;
  Protocol protocol = Protocol::Simple;
  int channels = 1;
  int nodes = 1;    // NCCL's: domains that hold a rank
  Duration base{};  // once per collective: launch and set-up

  std::vector<ChannelClass> classes;
  // What the network model shares. infos[i] describes links[i].
  std::vector<NetworkLink> links;
  std::vector<FabricResource> infos;
  // The resource of ClusterPaths that links[i] is; kKernelResource for a limit of the kernels.
  std::vector<std::uint32_t> resources;
  // links[i].rate is infos[i].rate / scale[i]: common weights are taken out of the paths.
  std::vector<double> scale;

  static CollectivePlan build(const PlanInput& input);
};

// An upper estimate of the bytes that build() and the runs need; checked before anything is made.
std::int64_t plan_memory_bytes(const PlanInput& input);

// How one size is cut on every channel.
struct SizeCut {
  std::int64_t block_payload = 0;  // bytes of one block on one channel, rounded up
  std::int64_t loops = 1;          // passes over the pattern
  std::int64_t chunk_payload = 0;  // of a block in all loops but the last
  std::int64_t last_chunk = 0;     // in the last loop
  int slices = 1;                  // of a full chunk
  int last_slices = 1;
  std::int64_t slice_payload = 0;  // of a full chunk
  std::int64_t last_slice = 0;     // largest slice of the last loop
  int window = 0;                  // slices a connection's buffer holds; 0: no buffer
};

// Requires size > 0.
SizeCut cut_size(const CollectivePlan& plan, Bytes size);

// Slices (or messages) that running one size at `chunk` moves, all channel classes.
std::int64_t slice_count(const CollectivePlan& plan, const SizeCut& cut);

// Wire bytes each network link carries in the whole collective, and the largest payload a rank
// sends.
struct StaticLoad {
  std::vector<double> link_bytes;      // by index of CollectivePlan::links, unscaled
  std::vector<double> link_load;       // bytes of the link's rate that these take: at least as many
  std::int64_t rank_send_payload = 0;  // of the busiest rank
};
StaticLoad static_load(const CollectivePlan& plan, const SizeCut& cut);

}  // namespace ringspan

#pragma once

// What an algorithm does on the channels of a communicator: schedules, but no links, no protocol
// and no size. It is small at any number of ranks, and everything else starts from it. Code flow:
//   PlanOutline::build(input)                     once per algorithm
//   cut_size(outline, protocol, size)             loops, chunks and slices (size_cut.h)
//   StreamLoads::build(input, outline)            loads of alike links  -> run_stream()
//   CollectivePlan::build(input, outline, ...)    every edge's path     -> run_chunk()
//
// Channels with the same schedule do the same thing at the same time. They are one class with a
// count: a flow stands for one channel of it and loads each link `count` times (exact by symmetry).

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/collectives/algorithm.h"
#include "models/collectives/schedule.h"
#include "models/cost/profile.h"
#include "models/nccl/transport.h"
#include "models/workloads/protocol_cost.h"
#include "sim/base/stop_check.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

// The question, for any protocol. What it points to must outlive whatever is built from it.
struct PlanInput {
  const Cluster* cluster = nullptr;
  std::span<const GpuPlace> ranks;       // where each rank sits
  const Transport* transport = nullptr;  // nullptr: one domain
  CollectiveSpec spec;
  std::string algorithm_name;
  const Algorithm* algorithm = nullptr;
  int channels = 1;
  // Channels with the profile's rate per channel; where there are more, all share what these have.
  int full_rate_channels = std::numeric_limits<int>::max();
  int channels_per_peer = 1;  // of p2p: those that a message may use (p2p_channels.h)
  Bytes buffer;               // of a connection with Simple; 0: NCCL's own
  // Ring orders the channels take turns with; at least one.
  std::span<const std::vector<std::int32_t>> orders;
  TreePattern tree_pattern = TreePattern::Balanced;
  const Profile* profile = nullptr;
  StopCheck stop;  // asked while loads and plans are built, which then throw Stopped
};

struct ChannelClass {
  std::unique_ptr<Schedule> schedule;
  int count = 1;
  std::vector<std::int32_t> channels;  // which ones they are; `count` of them
  // The first class that does the same, perhaps over other links: they move in step.
  std::size_t in_step_with = 0;
};

struct PlanOutline {
  CollectiveSpec spec;
  std::string algorithm;
  int channels = 1;
  int full_rate_channels = 1;
  Bytes buffer;   // of a connection with Simple; 0: NCCL's own
  int nodes = 1;  // NCCL's: domains that hold a rank
  std::vector<ChannelClass> classes;

  CopyingChannels copying_channels() const { return {channels, full_rate_channels}; }

  static PlanOutline build(const PlanInput& input);
};

// NCCL's node of every rank: its domain.
RankLayout layout_of(const PlanInput& input);

// How many ranks each domain holds.
std::map<std::int32_t, std::int64_t> ranks_by_domain(std::span<const GpuPlace> ranks);

}  // namespace ringspan

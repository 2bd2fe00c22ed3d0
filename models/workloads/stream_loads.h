#pragma once

// What a collective puts on the links, per byte of a block, for the `stream` granularity. Built
// once per algorithm: no protocol and no size enters. Nothing is stored per transfer but two or
// four bytes for a ring's edges, and links that are alike (load_partition.h) are one.
//
// All loads count the channels of a class (ChannelClass::count), and what staging wastes.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/workloads/cluster_paths.h"
#include "models/workloads/load_partition.h"
#include "models/workloads/plan_outline.h"
#include "models/workloads/transfer_kinds.h"

namespace ringspan {

struct RoundLoads {
  std::int64_t repeat = 1;
  bool coupled = true;
  bool equal_blocks = true;
  std::int64_t blocks = 1;  // the most that a transfer carries
  std::int64_t transfers = 0;
  std::size_t index = 0;  // the first of the schedule's rounds that it stands for
  std::vector<TransferKind> kinds;
};

struct ClassLoads {
  struct Row {
    std::uint32_t link = 0;  // index of StreamLoads::links
    LinkLoad load;
  };
  // One step of a ring; else all rounds, each as often as it is repeated.
  std::vector<Row> rows;
  double steps = 1;  // how often the rows occur in a pass over the pattern
  std::int64_t most_blocks = 1;
  double most_sent = 0;            // blocks: the most that one rank's kernels send
  std::vector<RoundLoads> rounds;  // alike rounds of a pipelined class are one
  // A ring: its edges in the order in which data walks along them, and what they are. Slowness here
  // is under the load of all rings together.
  std::vector<TransferKind> edge_kinds;
  std::vector<std::uint32_t> walk;
};

// How the transfers of a Round::all_pairs are summed (pair_groups.h).
enum class PairCounting { Automatic, OneByOne, ByGroups };

struct StreamLoads {
  struct Links {
    std::uint32_t first = 0;  // resource of `paths`: the lowest of them
    std::uint32_t count = 1;  // how many are alike
    Bandwidth rate;           // of each
  };
  // Ranks whose kernels send alike: blocks by channel class.
  struct Ranks {
    std::int32_t first = 0;
    std::uint32_t count = 1;
    std::vector<LoadPartition::Row> sent;
  };

  const PlanOutline* outline = nullptr;
  PlanInput input;
  std::unique_ptr<ClusterPaths> paths;
  std::vector<LatencyKind> latencies;
  std::vector<Links> links;
  std::vector<Ranks> ranks;
  std::vector<ClassLoads> classes;      // those of the outline
  std::vector<std::uint32_t> links_of;  // by resource: index of `links`, or kUnloaded
  std::vector<std::uint32_t> ranks_of;  // by rank: index of `ranks`, or kUnloaded
  std::int64_t most_blocks_sent = 0;    // by one rank, all classes and channels

  std::vector<std::string> notes;  // what was simplified, for reports

  // `outline` is of the same input. Both, and what they point to, must outlive the loads.
  // Throws Stopped when input.stop says so.
  static StreamLoads build(const PlanInput& input, const PlanOutline& outline,
                           PairCounting counting = PairCounting::Automatic);
};

// An upper estimate of the bytes that build() needs; nothing large is made for it.
std::int64_t stream_memory_bytes(const PlanInput& input, const PlanOutline& outline);

}  // namespace ringspan

#pragma once

// Sums the loads of one collective, alone or among others; internal to SharedLoads::build(), which
// declares the transfers of all parts, then finishes their LinkSums, then sums part after part.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/workloads/link_sums.h"
#include "models/workloads/pair_groups.h"
#include "models/workloads/switched_nodes.h"

namespace ringspan {

class PartLoads {
 public:
  // `sums` and what the part points to must outlive this.
  PartLoads(const LoadPart& part, PairCounting counting, LinkSums& sums);

  void declare();
  // All but the rows of the classes: LinkSums::collect().
  StreamLoads sum();

 private:
  const PlanOutline& outline() const { return *loads_.outline; }
  int rank_count() const { return loads_.input.spec.ranks; }
  const GpuPlace& place(std::int32_t rank) const {
    return loads_.input.ranks[static_cast<std::size_t>(rank)];
  }
  double multicast_load(std::uint32_t resource) const {
    const bool told = !sums_.multicast_load.empty() && loads_.input.algorithm->needs_multicast();
    return told ? sums_.multicast_load[resource] : 1;
  }
  void places(std::span<const std::int32_t> ranks, std::vector<GpuPlace>& out) const;
  void declare(const ChannelClass& channel_class);
  bool counts_by_groups() const;
  bool takes_one_way() const {
    const Fabric* fabric = loads_.input.cluster->fabric();
    return fabric != nullptr && fabric->choice().spread() == PathChoice::Spread::One;
  }
  PairGroups& groups_of(const ChannelClass& channel_class);
  // Without the pairs that are counted by groups.
  template <typename Visit>
  void for_each_pair(const Round& round, Visit visit) const {
    if (round.all_pairs == 0 || !counts_by_groups()) {
      round.for_each_pair(rank_count(), visit);
      return;
    }
    for (const PairEdge& edge : round.pairs) visit(edge.source, edge.destination, edge.block_count);
  }
  // Calls visit(path, source, blocks) for every transfer but those of switched nodes; source: -1
  // where there are several.
  template <typename Visit>
  void for_each_transfer(const Round& round, const ChannelClass& channel_class, Visit visit) {
    for_each_pair(round, [&](std::int32_t from, std::int32_t to, std::int64_t blocks) {
      stop_.step();
      sums_.paths->find(place(from), place(to), channel_class.channels, scratch_, path_);
      visit(path_, from, blocks);
    });
    for (const SwitchedEdge& edge : round.switched) {
      stop_.step();
      places(edge.sources, sources_);
      places(edge.destinations, destinations_);
      sums_.paths->find(sources_, destinations_, channel_class.channels, path_);
      visit(path_, edge.sources.size() == 1 ? edge.sources.front() : -1, edge.block_count);
    }
  }
  void sum_class(std::size_t c);
  void end_class(std::size_t c, bool ring);
  RoundLoads sum_round(const Round& round, const ChannelClass& channel_class);
  void sum_node(const SwitchedNode& node, const Round& round, const ChannelClass& channel_class,
                RoundLoads& summary);
  void sum_all_pairs(const Round& round, const ChannelClass& channel_class, RoundLoads& summary);
  void find_kinds_of_groups(const ChannelClass& channel_class, RoundLoads& summary);
  double slowness_of(const FabricPath& path) const;
  void find_kinds(const Round& round, const ChannelClass& channel_class, RoundLoads& summary);
  TransferKind end_round(std::int64_t repeat);
  static void keep_round(RoundLoads summary, bool pipelined, ClassLoads& loads);
  void walk_rings();
  void walk_ring(std::size_t c);
  double load_in_step(std::uint32_t resource, std::size_t c) const;
  void collect_ranks();

  StreamLoads loads_;
  LinkSums& sums_;
  StopCheck stop_;
  LoadSums round_sent_, whole_sent_;       // by rank
  std::vector<std::int64_t> blocks_sent_;  // by rank
  PairCounting counting_;
  std::optional<PairGroups> groups_;  // of Messages: one channel class
  SwitchedNodes switched_nodes_;
  std::optional<LoadPartition> ranks_;
  LatencyKinds latencies_;
  std::uint32_t first_flow_ = 0;                  // of the partition of links
  std::vector<GpuPlace> sources_, destinations_;  // scratch
  PathScratch scratch_;
  FabricPath path_;
};

}  // namespace ringspan

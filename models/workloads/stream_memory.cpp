// Bytes are those of the heap on a 64-bit machine. A vector that grows has room for twice what is
// in it, and while it grows there is beside it what it grew out of: kGrown times its elements.

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "models/nccl/communicator_nodes.h"
#include "models/workloads/domain_roles.h"
#include "models/workloads/stream_loads.h"

namespace ringspan {

namespace {

constexpr std::int64_t kGrown = 3;
constexpr std::int64_t kBlock = 32;  // what a block of the heap takes besides, and is rounded up by

std::int64_t count(std::size_t size) { return static_cast<std::int64_t>(size); }

class StreamMemory {
 public:
  StreamMemory(const PlanInput& input, const PlanOutline& outline)
      : input_(input),
        cluster_(*input.cluster),
        ranks_(input.spec.ranks),
        classes_(count(outline.classes.size())) {
    for (const ChannelClass& channel_class : outline.classes) {
      edges_ = std::max(edges_, channel_class.schedule->listed_edges());
    }
    for (int domain = 0; domain < cluster_.domain_count(); ++domain) {
      links_ += count(cluster_.domain(domain).topology.links().size());
      ports_ += count(cluster_.domain(domain).nics.size());
    }
    if (cluster_.fabric() == nullptr) return;
    trunks_ = std::int64_t{cluster_.fabric()->link_count()} - 2 * ports_;
    links_ += 2 * ports_ + trunks_;
    trunk_loads_ = classes_ * trunks_;
    if (!told_edge_by_edge()) return;
    DomainRoles roles = count_domain_roles(input, outline);
    roles_ = std::move(roles.of_kind);
    const std::int64_t most = std::max<std::int64_t>(1, cluster_.fabric()->most_trunks());
    if (roles.crossings < trunk_loads_ / most) trunk_loads_ = roles.crossings * most;
  }

  std::int64_t bytes() const {
    constexpr std::int64_t kAnyCase = 16384;
    std::int64_t bytes = kAnyCase + sum_bytes() + round_bytes() + row_bytes();
    for (const DomainKind& kind : cluster_.kinds()) bytes += kind_bytes(kind);
    if (input_.algorithm->needs_multicast()) bytes += switched_bytes();
    return bytes;
  }

 private:
  // Every list of edges may be empty because all pairs are meant (Round::all_pairs).
  bool all_pairs() const { return edges_ == 0; }

  // Few edges, and no switch that reduces: rings and trees.
  bool told_edge_by_edge() const {
    return !all_pairs() && edges_ <= 4 * ranks_ && !input_.algorithm->needs_multicast() &&
           !input_.algorithm->needs_network_reduction(layout_of(input_));
  }

  // By resource, of which there are as many as links at most: rate, kind, class, two sums of loads
  // and bytes, all rings. By resource with a load: two lists. By rank: two sums, blocks, class. By
  // port: alltoalls counted by groups.
  std::int64_t sum_bytes() const {
    constexpr std::int64_t kPerLink = 8 + 2 * 4 + 2 * 2 * 8 + 8;
    constexpr std::int64_t kPerLoaded = 2 * kGrown * 4;
    constexpr std::int64_t kPerRank = 2 * (8 + kGrown * 4) + 8 + 2 * 4;
    constexpr std::int64_t kPerPort = 256;
    const std::int64_t loaded = links_ - trunks_ + std::min(trunks_, trunk_loads_);
    return kPerLink * links_ + kPerLoaded * loaded + kPerRank * ranks_ +
           (all_pairs() ? kPerPort * ports_ : 0);
  }

  // The rounds of one class. A reduction in the network names a rank of every node, on one side or
  // on both. A ring walks its edges: kind and place while it does, the kinds stay.
  std::int64_t round_bytes() const {
    constexpr std::int64_t kPerEdge = kGrown * static_cast<std::int64_t>(sizeof(PairEdge)) + 32;
    constexpr std::int64_t kPerRound = static_cast<std::int64_t>(
        kGrown * (sizeof(Round) + sizeof(RoundLoads)) + sizeof(TransferKind) + 4 * kBlock);
    constexpr std::int64_t kPerNode =
        kGrown * static_cast<std::int64_t>(sizeof(SwitchedNode)) + kBlock;
    std::int64_t bytes =
        kPerEdge * edges_ + kPerRound * (edges_ / std::max<std::int64_t>(ranks_, 1) + 64);
    bytes += 4 * classes_ * ranks_;
    if (input_.algorithm->needs_multicast()) {
      bytes += 2 * (kPerNode * cluster_.domain_count() + 4 * ranks_);
    }
    if (input_.algorithm->needs_network_reduction(layout_of(input_))) {
      constexpr std::int64_t kPerSwitched =
          kGrown * static_cast<std::int64_t>(sizeof(SwitchedEdge)) + 2 * kBlock;
      constexpr std::int64_t kPerRankNamed = 4 + 96;  // and the path of a reduction
      const std::int64_t sides =
          input_.spec.kind == CollectiveKind::AllReduce ? 2 : cluster_.domain_count();
      bytes += kPerSwitched * edges_ + sides * ranks_ * kPerRankNamed;
    }
    return bytes;
  }

  // Links that are alike, by class. A link is told by what it is in its domain, or at its port, and
  // by the domain's part in the schedule; those between switches may all differ.
  std::int64_t row_bytes() const {
    constexpr std::int64_t kPerRow = 160;  // a node of the partition, its hash, rows as they grow
    constexpr std::int64_t kParts = 32;    // of a domain: places in trees and the like
    std::int64_t alike = 0;
    for (std::size_t k = 0; k < cluster_.kinds().size(); ++k) {
      const DomainKind& kind = cluster_.kinds()[k];
      const std::int64_t parts = roles_.empty() ? kParts : roles_[k];
      alike += parts * count(kind.topology.links().size() + 2 * kind.nics.size());
    }
    return kPerRow * (classes_ * std::min(links_ - trunks_, alike) + trunk_loads_);
  }

  // Of a path: its parts, its entry in the index, and its links before and after they are merged.
  static std::int64_t path_bytes(std::int64_t links) {
    constexpr std::int64_t kPerPath = static_cast<std::int64_t>(
        kGrown * (sizeof(FabricPath) + sizeof(std::vector<int>)) + 4 * kBlock);
    // What it grew out of is gone by then; 16 for what patterns sum.
    constexpr std::int64_t kPerLink =
        2 * 32 + 2 * static_cast<std::int64_t>(sizeof(ResourceUse)) + 16;
    return kPerPath + kPerLink * links;
  }

  static std::int64_t ports_of(const DomainKind& kind) {
    std::int64_t most = 0;
    for (const NodeId gpu : kind.gpus) {
      most = std::max(most, count(kind.topology.out_links(gpu).size()));
    }
    return most;
  }

  // Paths between GPUs, as many as there are edges, and to the nearest NICs and from them; tables.
  std::int64_t kind_bytes(const DomainKind& kind) const {
    constexpr std::int64_t kLinksBeyondPorts = 8;  // PCIe switches, sockets
    constexpr std::int64_t kPerLink = 160;  // of the routing tables, and resources with names
    const std::int64_t gpus = count(kind.gpus.size()), nics = count(kind.nics.size());
    const std::int64_t links = 2 * ports_of(kind) + kLinksBeyondPorts;
    std::int64_t pairs = gpus * (gpus - 1);
    if (!all_pairs()) pairs = std::min(pairs, classes_ * edges_);
    std::int64_t bytes = pairs * path_bytes(links) + 4 * gpus * (gpus + 2 * nics);
    bytes += kPerLink * count(kind.topology.links().size());
    if (input_.transport == nullptr) return bytes;
    bytes += 2 * gpus * gpus * static_cast<std::int64_t>(sizeof(Transport::Legs));
    const auto number = static_cast<std::int32_t>(&kind - cluster_.kinds().data());
    std::int64_t legs = nics;
    for (std::int32_t gpu = 0; gpu < gpus; ++gpu) {
      legs += count(input_.transport->nearest(number, gpu).size());
    }
    return bytes + 2 * legs * path_bytes(links);
  }

  // Every rank of a node is a head at most: a reduction from all and a multicast to all for every
  // order of the channels.
  std::int64_t switched_bytes() const {
    const std::set<std::vector<std::int32_t>> orders(input_.orders.begin(), input_.orders.end());
    std::int64_t bytes = 0;
    for (const NodeShape& shape : communicator_nodes(cluster_, input_.ranks).shapes) {
      const DomainKind& kind = cluster_.kinds()[static_cast<std::size_t>(shape.kind)];
      const std::int64_t ranks = count(shape.gpus.size());
      const std::int64_t each = path_bytes((ranks + 1) * ports_of(kind)) + 4 * (ranks + 1);
      bytes += 2 * count(orders.size()) * ranks * each;
    }
    return bytes;
  }

  const PlanInput& input_;
  const Cluster& cluster_;
  std::int64_t ranks_;
  std::int64_t classes_;
  std::int64_t edges_ = 0;  // in the lists of a class
  std::int64_t links_ = 0;  // of all domains and the fabric
  std::int64_t ports_ = 0;
  std::vector<std::int64_t> roles_;  // of domains, by kind; empty: not counted
  std::int64_t trunks_ = 0;          // links between switches
  std::int64_t trunk_loads_ = 0;     // classes of channels on each of them, summed
};

}  // namespace

std::int64_t stream_memory_bytes(const PlanInput& input, const PlanOutline& outline) {
  return StreamMemory(input, outline).bytes();
}

}  // namespace ringspan

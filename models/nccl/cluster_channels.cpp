#include "models/nccl/cluster_channels.h"

#include <algorithm>
#include <map>
#include <utility>

#include "models/nccl/channel_rules.h"
#include "models/nccl/domain_rings.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

using Order = std::vector<std::int32_t>;

// What decides a domain's rings: its kind and which of its GPUs take part, ascending.
using Shape = std::pair<std::int32_t, std::vector<std::int32_t>>;

// The part of a communicator on one domain.
struct Node {
  std::size_t shape = 0;
  std::vector<std::int32_t> ranks;  // by place in the shape's GPUs
};

struct Nodes {
  std::vector<Node> nodes;    // in order of their first rank
  std::vector<Shape> shapes;  // all that occur
};

Nodes nodes_of(const Cluster& cluster, std::span<const GpuPlace> ranks) {
  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> members;  // GPU and rank, by node
  std::vector<std::int32_t> domains;
  std::vector<std::int32_t> node_of(static_cast<std::size_t>(cluster.domain_count()), -1);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    std::int32_t& node = node_of[static_cast<std::size_t>(ranks[rank].domain)];
    if (node < 0) {
      node = static_cast<std::int32_t>(members.size());
      members.emplace_back();
      domains.push_back(ranks[rank].domain);
    }
    members[static_cast<std::size_t>(node)].emplace_back(ranks[rank].gpu,
                                                         static_cast<std::int32_t>(rank));
  }
  Nodes result;
  std::map<Shape, std::size_t> known;
  result.nodes.resize(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    std::sort(members[i].begin(), members[i].end());
    Shape shape{cluster.kind_of(domains[i]), {}};
    for (const auto& [gpu, rank] : members[i]) {
      shape.second.push_back(gpu);
      result.nodes[i].ranks.push_back(rank);
    }
    const auto [found, added] = known.emplace(shape, result.shapes.size());
    if (added) result.shapes.push_back(std::move(shape));
    result.nodes[i].shape = found->second;
  }
  return result;
}

// A walk through a domain for every search channel: by shape, then channel.
using Walks = std::vector<std::vector<Order>>;

// The same start; then towards the GPU from which the ring leaves, which is near the ring's NIC: a
// balanced tree's second GPU must be.
Order chain_of(const Order& walk) {
  Order chain = walk;
  std::reverse(chain.begin() + 1, chain.end());
  return chain;
}

// Channel c of all nodes, one after the other. `swaps`: odd nodes use the other ring of each pair,
// whose ends are on the rails by which the even ones leave and are entered.
Order joined(const Nodes& all, const Walks& walks, std::size_t channel, bool swaps,
             std::size_t ranks) {
  Order order;
  order.reserve(ranks);
  for (std::size_t node = 0; node < all.nodes.size(); ++node) {
    const std::size_t used = swaps && node % 2 == 1 ? channel ^ 1U : channel;
    for (const std::int32_t place : walks[all.nodes[node].shape][used]) {
      order.push_back(all.nodes[node].ranks[static_cast<std::size_t>(place)]);
    }
  }
  return order;
}

}  // namespace

ChannelSet search_cluster_channels(const Cluster& cluster, std::span<const GpuPlace> ranks,
                                   const Transport& transport) {
  RINGSPAN_CHECK(!ranks.empty(), "a communicator has a rank");
  const Nodes all = nodes_of(cluster, ranks);
  if (all.nodes.size() == 1) {
    const DomainKind& domain = cluster.domain(ranks.front().domain);
    std::vector<NodeId> gpus;
    for (const GpuPlace& place : ranks) {
      gpus.push_back(domain.gpus[static_cast<std::size_t>(place.gpu)]);
    }
    return search_channels(domain.topology, gpus);
  }
  std::vector<DomainRings> found;
  for (const auto& [kind, gpus] : all.shapes) {
    found.push_back(search_domain(cluster, kind, gpus, transport));
  }
  std::size_t count = kMostSearchChannels;
  double rate = found.front().rate;
  bool cross_nic = false;
  int compute_capability = found.front().least_compute_capability;
  for (const DomainRings& domain : found) {
    count = std::min(count, domain.rings.size());
    rate = std::min(rate, domain.rate);
    cross_nic = cross_nic || domain.cross_nic;
    compute_capability = std::min(compute_capability, domain.least_compute_capability);
  }
  if (cross_nic && count > 1) count -= count % 2;

  Walks rings, chains;
  for (const DomainRings& domain : found) {
    rings.emplace_back();
    chains.emplace_back();
    for (std::size_t c = 0; c < count; ++c) {
      rings.back().push_back(domain.rings[c].order);
      chains.back().push_back(chain_of(domain.rings[c].order));
    }
  }
  ChannelSet channels;
  channels.class_rate = bandwidth_from_gbytes_per_second(rate);
  channels.search_channels = static_cast<int>(count);
  channels.tree_balanced = !cross_nic;
  const bool swaps = cross_nic && count > 1;
  const std::size_t wanted =
      kernel_channels(count, rate, static_cast<int>(all.nodes.size()), compute_capability);
  for (std::size_t c = 0; c < wanted; ++c) {
    if (c >= count) {
      channels.orders.push_back(channels.orders[c - count]);
      channels.tree_orders.push_back(channels.tree_orders[c - count]);
      continue;
    }
    channels.orders.push_back(joined(all, rings, c, swaps, ranks.size()));
    channels.tree_orders.push_back(joined(all, chains, c, false, ranks.size()));
  }
  return channels;
}

}  // namespace ringspan

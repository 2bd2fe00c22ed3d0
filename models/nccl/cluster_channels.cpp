#include "models/nccl/cluster_channels.h"

#include <algorithm>
#include <utility>

#include "models/nccl/channel_rules.h"
#include "models/nccl/communicator_nodes.h"
#include "models/nccl/domain_rings.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

using Order = std::vector<std::int32_t>;

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
Order joined(const CommunicatorNodes& all, const Walks& walks, std::size_t channel, bool swaps,
             std::size_t ranks) {
  Order order(ranks);
  auto next = order.begin();
  for (std::size_t node = 0; node < all.nodes.size(); ++node) {
    const std::size_t used = swaps && node % 2 == 1 ? channel ^ 1U : channel;
    const std::vector<std::int32_t>& here = all.nodes[node].ranks;
    for (const std::int32_t place : walks[all.nodes[node].shape][used]) {
      *next++ = here[static_cast<std::size_t>(place)];
    }
  }
  return order;
}

// What all nodes can do, as every rank of NCCL takes the least over all.
struct Agreement {
  std::size_t count = kMostSearchChannels;
  double rate = 0;
  bool cross_nic = false;
  int compute_capability = 0;
};

Agreement agreement(const std::vector<DomainRings>& found) {
  Agreement agreed;
  agreed.rate = found.front().rate;
  agreed.compute_capability = found.front().least_compute_capability;
  for (const DomainRings& domain : found) {
    agreed.count = std::min(agreed.count, domain.rings.size());
    agreed.rate = std::min(agreed.rate, domain.rate);
    agreed.cross_nic = agreed.cross_nic || domain.cross_nic;
    agreed.compute_capability =
        std::min(agreed.compute_capability, domain.least_compute_capability);
  }
  if (agreed.cross_nic && agreed.count > 1) agreed.count -= agreed.count % 2;
  return agreed;
}

}  // namespace

ChannelSet search_cluster_channels(const Cluster& cluster, std::span<const GpuPlace> ranks,
                                   const Transport& transport) {
  RINGSPAN_CHECK(!ranks.empty(), "a communicator has a rank");
  const CommunicatorNodes all = communicator_nodes(cluster, ranks);
  if (all.nodes.size() == 1) {
    const DomainKind& domain = cluster.domain(ranks.front().domain);
    std::vector<NodeId> gpus;
    for (const GpuPlace& place : ranks) {
      gpus.push_back(domain.gpus[static_cast<std::size_t>(place.gpu)]);
    }
    return search_channels(domain.topology, gpus);
  }
  std::vector<DomainRings> found;
  for (const NodeShape& shape : all.shapes) {
    found.push_back(search_domain(cluster, shape.kind, shape.gpus, transport));
  }
  const Agreement agreed = agreement(found);
  Walks rings, chains;
  for (const DomainRings& domain : found) {
    rings.emplace_back();
    chains.emplace_back();
    for (std::size_t c = 0; c < agreed.count; ++c) {
      rings.back().push_back(domain.rings[c].order);
      chains.back().push_back(chain_of(domain.rings[c].order));
    }
  }
  ChannelSet channels;
  channels.class_rate = bandwidth_from_gbytes_per_second(agreed.rate);
  channels.search_channels = static_cast<int>(agreed.count);
  channels.tree_balanced = !agreed.cross_nic;
  channels.cross_nic = agreed.cross_nic;
  for (const DomainRings& domain : found) {
    channels.intra_type = std::max(channels.intra_type, path_type(domain.gpu_reach));
    channels.inter_type = std::max(channels.inter_type, path_type(domain.nic_reach));
    // Reached by another GPU only (PXN) a NIC is not near the chain's second GPU.
    channels.tree_balanced = channels.tree_balanced && domain.nic_reach < NicReach::Proxy;
  }
  const bool swaps = agreed.cross_nic && agreed.count > 1;
  const std::size_t wanted = kernel_channels(
      agreed.count, agreed.rate, static_cast<int>(all.nodes.size()), agreed.compute_capability);
  channels.orders.reserve(wanted);
  for (std::size_t c = 0; c < agreed.count; ++c) {
    channels.orders.push_back(joined(all, rings, c, swaps, ranks.size()));
    channels.tree_orders.push_back(joined(all, chains, c, false, ranks.size()));
  }
  while (channels.orders.size() < wanted) {
    channels.orders.push_back(channels.orders[channels.orders.size() - agreed.count]);
  }
  return channels;
}

}  // namespace ringspan

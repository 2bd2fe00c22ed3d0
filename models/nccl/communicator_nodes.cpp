#include "models/nccl/communicator_nodes.h"

#include <algorithm>
#include <map>

namespace ringspan {

CommunicatorNodes communicator_nodes(const Cluster& cluster, std::span<const GpuPlace> ranks) {
  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> members;  // GPU and rank, by node
  std::vector<std::int32_t> domains;
  std::vector<std::int32_t> node_of(static_cast<std::size_t>(cluster.domain_count()), -1);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    std::int32_t& node = node_of[static_cast<std::size_t>(ranks[rank].domain)];
    if (node < 0) {
      node = static_cast<std::int32_t>(members.size());
      members.emplace_back().reserve(cluster.domain(ranks[rank].domain).gpus.size());
      domains.push_back(ranks[rank].domain);
    }
    members[static_cast<std::size_t>(node)].emplace_back(ranks[rank].gpu,
                                                         static_cast<std::int32_t>(rank));
  }
  CommunicatorNodes result;
  std::map<NodeShape, std::size_t> known;
  result.nodes.resize(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    std::sort(members[i].begin(), members[i].end());
    NodeShape shape{cluster.kind_of(domains[i]), {}};
    shape.gpus.reserve(members[i].size());
    result.nodes[i].ranks.reserve(members[i].size());
    for (const auto& [gpu, rank] : members[i]) {
      shape.gpus.push_back(gpu);
      result.nodes[i].ranks.push_back(rank);
    }
    const auto [found, added] = known.emplace(shape, result.shapes.size());
    if (added) result.shapes.push_back(std::move(shape));
    result.nodes[i].shape = found->second;
  }
  return result;
}

}  // namespace ringspan

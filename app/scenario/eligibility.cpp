#include "app/scenario/eligibility.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace ringspan {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// NCCL's node of every rank: its domain.
RankLayout layout_of(const Cluster& cluster, std::span<const GpuPlace> ranks) {
  RankLayout layout;
  if (cluster.domain_count() == 1) return layout;
  for (const GpuPlace& place : ranks) layout.node.push_back(place.domain);
  return layout;
}

}  // namespace

// What the switches can add up: 32- and 64-bit integers and 16-bit floats by sum, min and max,
// 32- and 64-bit floats by sum only (NCCL 2.28.9, src/enqueue.cc). "avg" becomes a multiplication
// before or a division after, which rules NVLS out.
bool switch_reduces(std::string_view dtype, std::string_view op) {
  if (is_one_of(dtype, {"float", "double"})) return op == "sum";
  if (is_one_of(dtype, {"int32", "uint32", "int64", "uint64", "half", "bfloat16"})) {
    return is_one_of(op, {"sum", "min", "max"});
  }
  return false;
}

std::string algorithm_bar(std::string_view name, const Algorithm& algorithm,
                          const RunScenario& scenario, const Cluster& cluster,
                          std::span<const GpuPlace> ranks, const Profile& profile) {
  const std::string_view kind = collective_name(scenario.collective);
  if (!algorithm.can(scenario.collective)) return fmt::format("'{}' cannot do {}", name, kind);
  const RankLayout layout = layout_of(cluster, ranks);
  const CollectiveSpec spec{scenario.collective, static_cast<int>(ranks.size()), 0};
  if (const std::string bar = algorithm.layout_bar({spec, layout}); !bar.empty()) {
    return fmt::format("'{}' {}", name, bar);
  }
  if (algorithm.needs_network_reduction(layout) && !cluster.fabric()->reduces_in_network()) {
    return fmt::format("'{}' needs a fabric whose switches reduce, which '{}' does not say", name,
                       cluster.fabric()->kind());
  }
  if (!algorithm.needs_multicast()) return {};
  for (const GpuPlace& place : ranks) {
    const Topology& topology = cluster.domain(place.domain).topology;
    if (topology.has_multicast()) continue;
    return fmt::format("'{}' needs NVSwitches that multicast and reduce, which {} does not have",
                       name, topology.name());
  }
  if (profile.nvls_channels == 0) {
    return fmt::format("'{}' is not there in profile {}: its GPUs have no NVLS", name,
                       profile.name);
  }
  if (collective_reduces(scenario.collective) && !switch_reduces(scenario.dtype, scenario.op)) {
    return fmt::format("'{}' cannot {} {} in the switch", name, scenario.op, scenario.dtype);
  }
  // NCCL bars NVLS for all_gather and reduce_scatter in domains of more than 32 ranks.
  if (scenario.collective != CollectiveKind::AllReduce && ranks.size() > 32) {
    return fmt::format("'{}' does {} for 32 ranks at most", name, kind);
  }
  return {};
}

std::string protocol_bar(std::string_view algorithm, Protocol protocol,
                         const std::string& ll128_bar) {
  const std::string_view name = protocol_name(protocol);
  const bool simple_only =
      is_one_of(algorithm, {"nvls", "nvlstree", "collnetdirect", "collnetchain", "pat"});
  if (simple_only && protocol != Protocol::Simple) {
    return fmt::format("{} runs with simple only, not with {}", algorithm, name);
  }
  if (protocol != Protocol::LL128) return {};
  if (algorithm == "p2p") return "p2p runs with ll and simple only, not with ll128";
  return ll128_bar;
}

std::vector<std::string> default_algorithms(CollectiveKind kind, bool one_rank_per_node) {
  switch (kind) {
    case CollectiveKind::AllReduce:
      return {"tree", "ring", "collnetdirect", "collnetchain", "nvls", "nvlstree"};
    case CollectiveKind::AllGather:
    case CollectiveKind::ReduceScatter:
      if (one_rank_per_node) return {"ring", "collnetdirect", "pat"};
      return {"ring", "collnetdirect", "nvls"};
    case CollectiveKind::Broadcast:
    case CollectiveKind::Reduce:
      return {"ring"};
    case CollectiveKind::AllToAll:
    case CollectiveKind::Gather:
    case CollectiveKind::Scatter:
    case CollectiveKind::SendRecv:
      return {"p2p"};
  }
  return {};
}

}  // namespace ringspan

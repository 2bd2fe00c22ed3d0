#pragma once

// Which algorithms and protocols may be used for a question, and why others may not.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/scenario/scenario.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

// Empty when the algorithm can be used, else the reason in words ("needs NVSwitches that
// multicast").
std::string algorithm_bar(std::string_view name, const Algorithm& algorithm,
                          const RunScenario& scenario, const Cluster& cluster,
                          std::span<const GpuPlace> ranks, const Profile& profile);

// The same for a protocol under an algorithm. `ll128_bar`: why no algorithm may use LL128 here
// (ll128_paths.h); empty: they may.
std::string protocol_bar(std::string_view algorithm, Protocol protocol,
                         const std::string& ll128_bar);

// The algorithms tried when none is forced: NCCL's own, in NCCL's order. PAT only with one rank per
// node, as by NCCL's default (NCCL 2.28.9 src/graph/tuning.cc).
std::vector<std::string> default_algorithms(CollectiveKind kind, bool one_rank_per_node);

// NVSwitches can add up this data type by this operation.
bool switch_reduces(std::string_view dtype, std::string_view op);

}  // namespace ringspan

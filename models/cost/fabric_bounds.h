#pragma once

// Cuts of the network between domains: each domain's NICs, and the fabric's own (leaves, pods,
// halves).

#include <functional>
#include <span>
#include <string>

#include "models/cost/rank_spread.h"
#include "models/cost/tightest_cut.h"

namespace ringspan {

// Disjoint groups of ranks, in any domains, for what they need together (groups_need()).
struct RankGroups {
  double groups = 0;
  double ranks = 0;    // that they hold
  double rate_in = 0;  // bits/s into all of them
};

// "server3", or "rack3" for a domain of several servers.
std::string domain_name(const Cluster& cluster, int domain);

// `together` is called for every sort of groups, with its name. port_rate: bits/s, by port.
// Requires that the ranks sit in several domains.
void bound_fabric(const RankSpread& spread, std::span<const double> port_rate,
                  TightestCut& tightest,
                  const std::function<void(const std::string&, const RankGroups&)>& together);

}  // namespace ringspan

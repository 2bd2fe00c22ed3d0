#include "models/workloads/collective_plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "models/workloads/shared_plans.h"
#include "sim/base/check.h"

namespace ringspan {

std::uint32_t PlannedClass::edge_of(const Transfer& transfer) const {
  const auto found = index.find(transfer.sources, transfer.destinations);
  RINGSPAN_CHECK(found.has_value(), "rounds() must name every edge that operations use");
  return *found;
}

CollectivePlan CollectivePlan::build(const PlanInput& input, const PlanOutline& outline,
                                     Protocol protocol) {
  const PlanPart part{input, &outline, protocol};
  SharedPlans shared = SharedPlans::build({&part, 1});
  CollectivePlan plan = std::move(shared.plans.front());
  plan.links = std::move(shared.links);
  plan.infos = std::move(shared.infos);
  plan.resources = std::move(shared.resources);
  return plan;
}

std::int64_t plan_memory_bytes(const PlanInput& input) {
  // An edge at the peak of build() and of a burst of all of them: ranks, rounds, paths and index
  // entries, a flow; and what each link of its way adds.
  constexpr std::int64_t kBytesPerEdge = 800;
  constexpr std::int64_t kBytesPerLink = 60;
  constexpr std::int64_t kLinksBeyondPorts = 6;  // PCIe switches, sockets
  constexpr std::int64_t kBytesPerSwitchedRank = 64;
  const std::int64_t n = input.spec.ranks;
  if (n < 2) return kBytesPerEdge;
  const DomainKind& domain = input.cluster->domain(input.ranks.front().domain);
  const NodeId gpu = domain.gpus[static_cast<std::size_t>(input.ranks.front().gpu)];
  const auto ports = static_cast<std::int64_t>(domain.topology.out_links(gpu).size());
  const std::int64_t bytes_per_edge =
      kBytesPerEdge + kBytesPerLink * (2 * ports + kLinksBeyondPorts);
  if (input.algorithm->needs_multicast()) {
    // Every rank is a head at most, with a reduction from its domain and a multicast to it, and,
    // where there are several domains, with an edge up and one down.
    std::int64_t switched_ranks = 0;
    const auto domains = ranks_by_domain(input.ranks);
    for (const auto& [domain_number, count] : domains) switched_ranks += 2 * count * count;
    return (domains.size() == 1 ? 1 : 3) * n * bytes_per_edge +
           switched_ranks * kBytesPerSwitchedRank;
  }
  const RankLayout layout{layout_of(input).node, input.orders.front()};
  const auto schedule = input.algorithm->build({input.spec, layout, 0});
  std::int64_t edges = std::min(schedule->operation_count(), n * (n - 1));
  if (schedule->pacing() != Pacing::Slices) return edges * bytes_per_edge;
  if (schedule->overlap() == RoundOverlap::Sequential) {
    edges = std::min(edges, 4 * n);  // a ring goes over each of its edges many times
  }
  std::int64_t bytes = edges * bytes_per_edge;
  if (input.algorithm->needs_network_reduction(layout)) {
    // An operation between heads names one in every node, on one side or on both.
    const auto nodes = static_cast<std::int64_t>(ranks_by_domain(input.ranks).size());
    const std::int64_t sides = input.spec.kind == CollectiveKind::AllReduce ? 2 : nodes;
    bytes += sides * n * kBytesPerSwitchedRank;
  }
  // One class for each variant of each order that differs from the others.
  const std::set<std::vector<std::int32_t>> orders(input.orders.begin(), input.orders.end());
  const auto classes =
      static_cast<std::int64_t>(orders.size()) * input.algorithm->variants(input.spec);
  return bytes * std::min<std::int64_t>(input.channels, classes);
}

}  // namespace ringspan

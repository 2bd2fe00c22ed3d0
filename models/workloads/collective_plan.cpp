#include "models/workloads/collective_plan.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "models/workloads/protocol_cost.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

// Builds a plan step by step; lives only inside CollectivePlan::build().
class Planner {
 public:
  Planner(const PlanInput& input, const PlanOutline& outline, Protocol protocol)
      : input_(input),
        outline_(outline),
        cost_(*input.profile, input.algorithm_name, protocol),
        paths_(*input.cluster, *input.profile, input.transport) {
    plan_.outline = &outline;
    plan_.protocol = protocol;
  }

  CollectivePlan run() {
    plan_.classes.resize(outline_.classes.size());
    for (std::size_t c = 0; c < plan_.classes.size(); ++c) name_edges(c);
    paths_.finish();
    find_paths();
    add_resources();
    for (std::size_t c = 0; c < plan_.classes.size(); ++c) make_paths(c);
    take_out_common_weights();
    make_links();
    return std::move(plan_);
  }

 private:
  void name_edges(std::size_t class_index) {
    std::vector<std::int32_t> from, to;
    for (const Round& round : outline_.classes[class_index].schedule->rounds()) {
      round.for_each_pair(input_.spec.ranks,
                          [&](std::int32_t source, std::int32_t destination, std::int64_t) {
                            from.assign(1, source);
                            to.assign(1, destination);
                            name_edge(class_index, from, to);
                          });
      for (const SwitchedEdge& edge : round.switched) {
        name_edge(class_index, edge.sources, edge.destinations);
      }
    }
  }

  void name_edge(std::size_t class_index, const std::vector<std::int32_t>& sources,
                 const std::vector<std::int32_t>& destinations) {
    PlannedClass& planned = plan_.classes[class_index];
    if (planned.index.find(sources, destinations)) return;
    planned.index.add(sources, destinations, static_cast<std::uint32_t>(planned.edges.size()));
    planned.edges.push_back({sources, destinations, {}});
    paths_.declare(places(sources, sources_), places(destinations, destinations_),
                   outline_.classes[class_index].channels);
  }

  ClusterPaths::Places places(const std::vector<std::int32_t>& ranks,
                              std::vector<GpuPlace>& scratch) const {
    scratch.clear();
    for (const std::int32_t rank : ranks) {
      scratch.push_back(input_.ranks[static_cast<std::size_t>(rank)]);
    }
    return scratch;
  }

  // The paths of all edges, by class, and which of the cluster's resources they use.
  void find_paths() {
    std::vector<char> used(paths_.resource_count(), 0);
    fabric_of_edge_.resize(plan_.classes.size());
    for (std::size_t c = 0; c < plan_.classes.size(); ++c) {
      const PlannedClass& channel_class = plan_.classes[c];
      fabric_of_edge_[c].resize(channel_class.edges.size());
      for (std::size_t e = 0; e < channel_class.edges.size(); ++e) {
        const PlannedEdge& edge = channel_class.edges[e];
        FabricPath& path = fabric_of_edge_[c][e];
        paths_.find(places(edge.sources, sources_), places(edge.destinations, destinations_),
                    outline_.classes[c].channels, path);
        for (const ResourceUse& use : path.uses) used[use.resource] = 1;
      }
    }
    local_resource_.assign(used.size(), 0);
    for (std::uint32_t r = 0; r < used.size(); ++r) {
      if (used[r] == 0) continue;
      local_resource_[r] = static_cast<std::uint32_t>(plan_.resources.size());
      plan_.resources.push_back(r);
      plan_.infos.push_back(paths_.describe(r));
    }
  }

  // The cluster's resources first, then one limit per channel class and rank.
  void add_resources() {
    if (input_.algorithm->needs_multicast()) {
      for (FabricResource& info : plan_.infos) {
        if (info.link_class != link_class_name(LinkClass::NvLink)) continue;
        info.rate = scaled(info.rate, input_.profile->nvls_efficiency);
      }
    }
    first_limit_ = plan_.infos.size();
    for (const ChannelClass& channel_class : outline_.classes) {
      const int count = channel_class.count;
      const std::optional<Bandwidth> limit = cost_.kernel_limit(count, input_.channels);
      if (!limit) return;
      limited_ = true;
      for (int r = 0; r < input_.spec.ranks; ++r) {
        plan_.infos.push_back({fmt::format("rank {}: {} channel{} copying with {}", r, count,
                                           count == 1 ? "" : "s", protocol_name(plan_.protocol)),
                               std::string(kKernelLimit), *limit});
        plan_.resources.push_back(kKernelResource);
      }
    }
  }

  void make_paths(std::size_t class_index) {
    PlannedClass& channel_class = plan_.classes[class_index];
    const double count = outline_.classes[class_index].count;
    for (std::size_t e = 0; e < channel_class.edges.size(); ++e) {
      PlannedEdge& edge = channel_class.edges[e];
      FabricPath& fabric = fabric_of_edge_[class_index][e];
      edge.path.latency = cost_.step_latency(fabric.slowest_class, fabric.latency);
      if (edge.sources.size() == 1) {  // in-switch reductions are not the kernels' copies
        const std::size_t rank = edge.sources[0];
        if (limited_)
          add_use(edge, first_limit_ + class_index * input_.spec.ranks + rank, count, 0);
      }
      std::vector<ResourceUse>& uses = fabric.uses;
      std::stable_sort(uses.begin(), uses.end(), [](const ResourceUse& a, const ResourceUse& b) {
        return a.stage < b.stage;
      });
      constexpr std::uint32_t kLimitStages = 1;
      const double efficiency = fabric.staged ? input_.profile->staging_efficiency : 1;
      for (const ResourceUse& use : uses) {
        add_use(edge, local_resource_[use.resource], use.weight * count / efficiency,
                use.stage + kLimitStages);
      }
      fabric = {};
      forget_plain_stages(edge.path);
    }
  }

  static void add_use(PlannedEdge& edge, std::size_t resource, double weight, std::uint32_t stage) {
    edge.path.links.push_back(static_cast<std::uint32_t>(resource));
    edge.path.weights.push_back(static_cast<float>(weight));
    edge.path.stages.push_back(stage);
  }

  // One link after the other needs no stages.
  static void forget_plain_stages(TransferPath& path) {
    const auto& stages = path.stages;
    if (std::adjacent_find(stages.begin(), stages.end()) == stages.end()) path.stages.clear();
  }

  // Where all paths use a resource with one weight, the weight goes into the resource's rate, so
  // that most paths carry none and equal channels cost nothing.
  void take_out_common_weights() {
    std::vector<float> common(plan_.infos.size(), 0);
    std::vector<bool> uniform(plan_.infos.size(), true);
    for_each_use([&](std::uint32_t link, float& weight) {
      if (common[link] == 0) common[link] = weight;
      if (common[link] != weight) uniform[link] = false;
    });
    scale_.assign(plan_.infos.size(), 1.0);
    for (std::size_t l = 0; l < common.size(); ++l) {
      if (uniform[l] && common[l] > 0) scale_[l] = common[l];
    }
    for_each_use([&](std::uint32_t link, float& weight) {
      if (uniform[link]) weight = 1;
    });
    for (PlannedClass& channel_class : plan_.classes) {
      for (PlannedEdge& edge : channel_class.edges) {
        auto& weights = edge.path.weights;
        if (std::all_of(weights.begin(), weights.end(), [](float w) { return w == 1; })) {
          weights = {};  // clear() would keep the memory
        }
      }
    }
  }

  template <typename Visit>
  void for_each_use(Visit visit) {
    for (PlannedClass& channel_class : plan_.classes) {
      for (PlannedEdge& edge : channel_class.edges) {
        for (std::size_t i = 0; i < edge.path.links.size(); ++i) {
          visit(edge.path.links[i], edge.path.weights[i]);
        }
      }
    }
  }

  // Latencies are the paths' own: what a step costs depends on the protocol, not on a link alone.
  void make_links() {
    for (std::size_t l = 0; l < plan_.infos.size(); ++l) {
      plan_.links.push_back({scaled(plan_.infos[l].rate, 1 / scale_[l]), Duration{}});
    }
  }

  const PlanInput& input_;
  const PlanOutline& outline_;
  ProtocolCost cost_;
  ClusterPaths paths_;
  CollectivePlan plan_;
  std::vector<std::vector<FabricPath>> fabric_of_edge_;  // by class, then edge
  std::vector<std::uint32_t> local_resource_;            // by resource of the cluster, where used
  std::vector<GpuPlace> sources_, destinations_;         // scratch
  std::vector<double> scale_;                            // by link: the weight taken out
  std::size_t first_limit_ = 0;
  bool limited_ = false;  // by the copying kernels
};

}  // namespace

std::uint32_t PlannedClass::edge_of(const Transfer& transfer) const {
  const auto found = index.find(transfer.sources, transfer.destinations);
  RINGSPAN_CHECK(found.has_value(), "rounds() must name every edge that operations use");
  return *found;
}

CollectivePlan CollectivePlan::build(const PlanInput& input, const PlanOutline& outline,
                                     Protocol protocol) {
  return Planner(input, outline, protocol).run();
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

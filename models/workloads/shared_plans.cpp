#include "models/workloads/shared_plans.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "models/workloads/protocol_cost.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

// A collective while it is being planned.
struct PartAtWork {
  explicit PartAtWork(const PlanPart& part)
      : input(part.input),
        outline(*part.outline),
        stop(part.input.stop),
        cost(*part.input.profile, part.input.algorithm_name, part.protocol) {
    plan.outline = part.outline;
    plan.protocol = part.protocol;
    plan.profile = part.input.profile;
    plan.classes.resize(outline.classes.size());
  }
  bool multicasts() const { return input.algorithm->needs_multicast(); }

  const PlanInput& input;
  const PlanOutline& outline;
  StopCheck stop;
  ProtocolCost cost;
  CollectivePlan plan;
  std::vector<std::vector<FabricPath>> paths;  // by class, then edge
  std::size_t first_limit = 0;                 // of the copying kernels: a link's number
  bool limited = false;
};

// Builds plans step by step; lives only inside SharedPlans::build().
class Planner {
 public:
  explicit Planner(std::span<const PlanPart> parts)
      : paths_(*parts.front().input.cluster, *parts.front().input.profile,
               parts.front().input.transport) {
    parts_.reserve(parts.size());
    for (const PlanPart& part : parts) parts_.emplace_back(part);
  }

  SharedPlans run() {
    for (PartAtWork& part : parts_) name_edges(part);
    paths_.finish();
    uses_.resize(paths_.resource_count());
    for (PartAtWork& part : parts_) find_paths(part);
    add_resources();
    for (PartAtWork& part : parts_) add_limits(part);
    for (PartAtWork& part : parts_) make_paths(part);
    take_out_common_weights();
    make_links();
    for (PartAtWork& part : parts_) shared_.plans.push_back(std::move(part.plan));
    return std::move(shared_);
  }

 private:
  using Ranks = std::span<const std::int32_t>;

  // By whom a resource of the cluster is used. A switch that multicasts leaves less of an NVLink.
  struct Uses {
    bool plain = false, multicast = false;
    std::uint32_t number = 0;  // in SharedPlans::links, where used
  };

  void name_edges(PartAtWork& part) {
    for (std::size_t c = 0; c < part.plan.classes.size(); ++c) {
      for (const Round& round : part.outline.classes[c].schedule->rounds()) {
        round.for_each_pair(part.input.spec.ranks,
                            [&](std::int32_t source, std::int32_t destination, std::int64_t) {
                              name_edge(part, c, {&source, 1}, {&destination, 1});
                            });
        round.for_each_switched([&](Ranks sources, Ranks destinations, std::int64_t) {
          name_edge(part, c, sources, destinations);
        });
      }
    }
  }

  void name_edge(PartAtWork& part, std::size_t class_index, Ranks sources, Ranks destinations) {
    part.stop.step();
    PlannedClass& planned = part.plan.classes[class_index];
    if (planned.index.find(sources, destinations)) return;
    planned.index.add(sources, destinations, static_cast<std::uint32_t>(planned.edges.size()));
    planned.edges.push_back(
        {{sources.begin(), sources.end()}, {destinations.begin(), destinations.end()}, {}});
    paths_.declare(places(part, sources, sources_), places(part, destinations, destinations_),
                   part.outline.classes[class_index].channels);
  }

  static ClusterPaths::Places places(const PartAtWork& part, Ranks ranks,
                                     std::vector<GpuPlace>& scratch) {
    scratch.clear();
    for (const std::int32_t rank : ranks) {
      scratch.push_back(part.input.ranks[static_cast<std::size_t>(rank)]);
    }
    return scratch;
  }

  // The paths of all edges, by class, and which of the cluster's resources they use.
  void find_paths(PartAtWork& part) {
    part.paths.resize(part.plan.classes.size());
    for (std::size_t c = 0; c < part.plan.classes.size(); ++c) {
      const PlannedClass& channel_class = part.plan.classes[c];
      part.paths[c].resize(channel_class.edges.size());
      for (std::size_t e = 0; e < channel_class.edges.size(); ++e) {
        part.stop.step();
        const PlannedEdge& edge = channel_class.edges[e];
        FabricPath& path = part.paths[c][e];
        paths_.find(places(part, edge.sources, sources_),
                    places(part, edge.destinations, destinations_),
                    part.outline.classes[c].channels, path);
        for (const ResourceUse& use : path.uses) {
          (part.multicasts() ? uses_[use.resource].multicast : uses_[use.resource].plain) = true;
        }
      }
    }
  }

  bool is_nvlink(std::uint32_t link) const {
    return shared_.infos[link].link_class == link_class_name(LinkClass::NvLink);
  }

  // The cluster's resources, first of all links.
  void add_resources() {
    const double nvls_efficiency = parts_.front().input.profile->nvls_efficiency;
    for (std::uint32_t r = 0; r < uses_.size(); ++r) {
      Uses& uses = uses_[r];
      if (!uses.plain && !uses.multicast) continue;
      uses.number = static_cast<std::uint32_t>(shared_.infos.size());
      shared_.resources.push_back(r);
      shared_.infos.push_back(paths_.describe(r));
      if (uses.plain || !is_nvlink(uses.number)) continue;
      Bandwidth& rate = shared_.infos.back().rate;
      rate = scaled(rate, nvls_efficiency);
    }
  }

  // One limit per channel class and rank.
  void add_limits(PartAtWork& part) {
    part.first_limit = shared_.infos.size();
    for (const ChannelClass& channel_class : part.outline.classes) {
      const int count = channel_class.count;
      const std::optional<Bandwidth> limit =
          part.cost.kernel_limit(count, part.outline.copying_channels());
      if (!limit) return;
      part.limited = true;
      for (int r = 0; r < part.input.spec.ranks; ++r) {
        shared_.infos.push_back(
            {fmt::format("rank {}: {} channel{} copying with {}", r, count, count == 1 ? "" : "s",
                         protocol_name(part.plan.protocol)),
             std::string(kKernelLimit), *limit});
        shared_.resources.push_back(kKernelResource);
      }
    }
  }

  void make_paths(PartAtWork& part) {
    for (std::size_t c = 0; c < part.plan.classes.size(); ++c) {
      for (std::size_t e = 0; e < part.plan.classes[c].edges.size(); ++e) make_path(part, c, e);
    }
  }

  void make_path(PartAtWork& part, std::size_t class_index, std::size_t edge_index) {
    part.stop.step();
    PlannedEdge& edge = part.plan.classes[class_index].edges[edge_index];
    FabricPath& fabric = part.paths[class_index][edge_index];
    const double count = part.outline.classes[class_index].count;
    edge.path.latency = part.cost.step_latency(fabric.slowest_class, fabric.latency);
    if (edge.sources.size() == 1 && part.limited) {  // switches that reduce need no kernels
      const std::size_t rank = edge.sources[0];
      add_use(edge, part.first_limit + class_index * part.input.spec.ranks + rank, count, 0);
    }
    std::vector<ResourceUse>& uses = fabric.uses;
    std::stable_sort(uses.begin(), uses.end(),
                     [](const ResourceUse& a, const ResourceUse& b) { return a.stage < b.stage; });
    constexpr std::uint32_t kLimitStages = 1;
    const double staging = part.input.profile->staging_efficiency;
    for (const ResourceUse& use : uses) {
      const double weight = use.load(staging) * count / multicast_share(part, use.resource);
      add_use(edge, uses_[use.resource].number, weight, use.stage + kLimitStages);
    }
    fabric = {};
    forget_plain_stages(edge.path);
  }

  // Of an NVLink's rate, where the links' own does not say it: others use it too.
  double multicast_share(const PartAtWork& part, std::uint32_t resource) const {
    const Uses& uses = uses_[resource];
    const bool lessened = part.multicasts() && uses.plain && is_nvlink(uses.number);
    return lessened ? part.input.profile->nvls_efficiency : 1;
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
    std::vector<float> common(shared_.infos.size(), 0);
    std::vector<bool> uniform(shared_.infos.size(), true);
    for_each_use([&](std::uint32_t link, float& weight) {
      if (common[link] == 0) common[link] = weight;
      if (common[link] != weight) uniform[link] = false;
    });
    scale_.assign(shared_.infos.size(), 1.0);
    for (std::size_t l = 0; l < common.size(); ++l) {
      if (uniform[l] && common[l] > 0) scale_[l] = common[l];
    }
    for_each_use([&](std::uint32_t link, float& weight) {
      if (uniform[link]) weight = 1;
    });
    for_each_edge([](PlannedEdge& edge) {
      auto& weights = edge.path.weights;
      if (std::all_of(weights.begin(), weights.end(), [](float w) { return w == 1; })) {
        weights = {};  // clear() would keep the memory
      }
    });
  }

  template <typename Visit>
  void for_each_edge(Visit visit) {
    for (PartAtWork& part : parts_) {
      for (PlannedClass& channel_class : part.plan.classes) {
        for (PlannedEdge& edge : channel_class.edges) visit(edge);
      }
    }
  }

  template <typename Visit>
  void for_each_use(Visit visit) {
    for_each_edge([&](PlannedEdge& edge) {
      for (std::size_t i = 0; i < edge.path.links.size(); ++i) {
        visit(edge.path.links[i], edge.path.weights[i]);
      }
    });
  }

  // Latencies are the paths' own: what a step costs depends on the protocol, not on a link alone.
  void make_links() {
    for (std::size_t l = 0; l < shared_.infos.size(); ++l) {
      shared_.links.push_back({scaled(shared_.infos[l].rate, 1 / scale_[l]), Duration{}});
    }
  }

  std::vector<PartAtWork> parts_;
  ClusterPaths paths_;
  SharedPlans shared_;
  std::vector<Uses> uses_;                        // by resource of the cluster
  std::vector<GpuPlace> sources_, destinations_;  // scratch
  std::vector<double> scale_;                     // by link: the weight taken out
};

}  // namespace

SharedPlans SharedPlans::build(std::span<const PlanPart> parts) {
  RINGSPAN_CHECK(!parts.empty(), "plans are shared by at least one");
  return Planner(parts).run();
}

}  // namespace ringspan

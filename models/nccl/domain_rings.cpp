#include "models/nccl/domain_rings.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/nccl/channel_rules.h"

namespace ringspan {

namespace {

struct Plan {
  std::vector<NetRing> rings;
  NetRingRequest request;
  int links = 0;

  double total() const { return request.rate * static_cast<double>(rings.size()); }
};

class Planner {
 public:
  Planner(const PlanGraph& graph, const NicEnds& ends)
      : graph_(graph),
        ends_(ends),
        compute_capability_(graph.least_compute_capability()),
        gpu_rate_(std::max(graph.gpu_rate(), ends.best_rate())),
        classes_(network_speed_classes(compute_capability_)) {}

  Plan run() {
    first_pass();
    if (plan_.rings.empty()) return last_resort();
    duplicate();
    raise_rate();
    return plan_;
  }

 private:
  // Stops when the rings use up what a GPU can carry.
  void first_pass() {
    for (const double rate : classes_) {
      if (rate > std::min(ends_.best_rate(), gpu_rate_) * kPlanSlack) continue;
      if (!plan_.rings.empty() && rate / plan_.request.rate <= kWorthTrying) return;
      for (const bool cross_nic : {false, true}) {
        if (try_reaches(rate, cross_nic)) return;
      }
    }
  }

  // With a plan in hand, GPUs farther than its are not tried, and NICs only as far as PXN goes.
  bool try_reaches(double rate, bool cross_nic) {
    for (int nic = 0; nic <= static_cast<int>(ends_.farthest()); ++nic) {
      const auto nic_reach = static_cast<NicReach>(nic);
      const bool far = nic_reach > plan_.request.nic_reach && nic_reach > NicReach::Proxy;
      if (!plan_.rings.empty() && far) break;
      for (int gpu = 0; gpu <= static_cast<int>(graph_.farthest()); ++gpu) {
        const auto gpu_reach = static_cast<HopReach>(gpu);
        if (!plan_.rings.empty() && gpu_reach > plan_.request.gpu_reach) break;
        keep_better({rate, gpu_reach, nic_reach, cross_nic, kMostSearchChannels});
        if (!plan_.rings.empty() && plan_.total() * kPlanSlack >= gpu_rate_) return true;
      }
    }
    return false;
  }

  void keep_better(const NetRingRequest& request) {
    NetRingsFound found = find_net_rings(graph_, ends_, request);
    Plan candidate{std::move(found.rings), request, found.links};
    const bool same_kind = candidate.request.cross_nic == plan_.request.cross_nic;
    const bool fewer_links = !plan_.rings.empty() && candidate.total() == plan_.total() &&
                             same_kind && candidate.links < plan_.links;
    if (candidate.total() > plan_.total() || fewer_links) plan_ = std::move(candidate);
  }

  // NCCL's: one ring, nearly for nothing.
  Plan last_resort() const {
    RingOrder order(static_cast<std::size_t>(graph_.size()));
    std::iota(order.begin(), order.end(), 0);
    Plan plan;
    plan.rings.push_back({std::move(order), 0, 0});
    plan.request.rate = 0.1;
    return plan;
  }

  void duplicate() {
    const std::size_t count = plan_.rings.size();
    const std::size_t wanted = duplicated(count, plan_.request.rate, compute_capability_);
    for (std::size_t i = count; i < wanted; ++i) plan_.rings.push_back(plan_.rings[i - count]);
    plan_.request.rate /= static_cast<double>((wanted + count - 1) / count);
  }

  // The second pass: a faster class for no fewer rings.
  void raise_rate() {
    const std::size_t count = plan_.rings.size();
    for (auto rate = classes_.rbegin(); rate != classes_.rend(); ++rate) {
      if (*rate <= plan_.request.rate) continue;
      const Plan before = plan_;
      NetRingRequest request = before.request;
      request.rate = *rate;
      request.most = count;
      keep_better(request);
      if (plan_.rings.size() < count) plan_ = before;
      if (plan_.request.rate == before.request.rate) return;
    }
  }

  const PlanGraph& graph_;
  const NicEnds& ends_;
  int compute_capability_;
  double gpu_rate_;
  std::span<const double> classes_;
  Plan plan_;
};

}  // namespace

DomainRings search_domain(const Cluster& cluster, std::int32_t kind,
                          std::span<const std::int32_t> gpus, const Transport& transport) {
  const DomainKind& domain = cluster.kinds()[static_cast<std::size_t>(kind)];
  std::vector<NodeId> nodes;
  for (const std::int32_t gpu : gpus) nodes.push_back(domain.gpus[static_cast<std::size_t>(gpu)]);
  const PlanGraph graph(domain.topology, nodes);
  const NicEnds ends(cluster, kind, gpus, transport, graph);
  Plan plan = Planner(graph, ends).run();
  return {std::move(plan.rings),  plan.request.rate,      plan.request.cross_nic,
          plan.request.gpu_reach, plan.request.nic_reach, graph.least_compute_capability()};
}

}  // namespace ringspan

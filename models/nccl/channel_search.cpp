#include "models/nccl/channel_search.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/nccl/channel_rules.h"
#include "models/nccl/plan_graph.h"
#include "models/nccl/ring_search.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

// Loads closer than this are equal: sums of factors such as 6/5 round.
constexpr double kSpreadSlack = 1e-9;

struct Plan {
  std::vector<RingOrder> orders;
  double rate = 0;
  HopReach reach = HopReach::Socket;
  int links = 0;

  double total() const { return rate * static_cast<double>(orders.size()); }
};

class Planner {
 public:
  explicit Planner(const PlanGraph& graph)
      : graph_(graph), classes_(speed_classes(graph.least_compute_capability())) {}

  Plan run() {
    first_pass();
    if (plan_.orders.empty()) {
      // NCCL's last resort: one ring, nearly for nothing.
      RingOrder order(static_cast<std::size_t>(graph_.size()));
      std::iota(order.begin(), order.end(), 0);
      return {{order}, 0.1, HopReach::Socket, 0};
    }
    duplicate();
    raise_rate();
    return plan_;
  }

 private:
  // From the fastest class a hop can carry downwards; at each class, near reach before far, one
  // order for all rings before several. Stops when the GPUs' links are used up.
  void first_pass() {
    for (const double rate : classes_) {
      if (rate > graph_.best_hop_rate() * kPlanSlack) continue;
      if (!plan_.orders.empty() && rate / plan_.rate <= kWorthTrying) return;
      for (int step = 0; step <= static_cast<int>(graph_.farthest()); ++step) {
        const auto reach = static_cast<HopReach>(step);
        if (!plan_.orders.empty() && reach > plan_.reach) break;
        if (try_rings(rate, reach)) return;
      }
    }
  }

  // True when nothing better can be found.
  bool try_rings(double rate, HopReach reach) {
    // NCCL does not look for different rings across the sockets of AMD CPUs.
    const bool only_same = graph_.crosses_amd() && reach == HopReach::Socket;
    for (const bool same_order : {true, false}) {
      if (!same_order && (only_same || graph_.in_order_only())) break;
      if (graph_.port_rate(reach) * kPlanSlack < plan_.total()) break;
      keep_better(rate, reach, same_order);
      if (!plan_.orders.empty() && plan_.total() * kPlanSlack >= graph_.gpu_rate()) return true;
    }
    return false;
  }

  void keep_better(double rate, HopReach reach, bool same_order) {
    RingsFound found =
        find_rings(graph_, {rate, reach, same_order, static_cast<int>(kMostSearchChannels)});
    Plan candidate{std::move(found.orders), rate, reach, found.links};
    const bool better = candidate.total() > plan_.total() ||
                        (!plan_.orders.empty() && candidate.total() == plan_.total() &&
                         candidate.links < plan_.links);
    if (better) plan_ = std::move(candidate);
  }

  void duplicate() {
    const std::size_t count = plan_.orders.size();
    const std::size_t wanted = duplicated(count, plan_.rate, graph_.least_compute_capability());
    for (std::size_t i = count; i < wanted; ++i) plan_.orders.push_back(plan_.orders[i - count]);
    plan_.rate /= static_cast<double>((wanted + count - 1) / count);
  }

  // The second pass: a faster class for no fewer rings.
  void raise_rate() {
    for (auto rate = classes_.rbegin(); rate != classes_.rend(); ++rate) {
      if (*rate <= plan_.rate) continue;
      if (*rate * static_cast<double>(plan_.orders.size()) >
          graph_.port_rate(plan_.reach) * kPlanSlack) {
        return;
      }
      const Plan before = plan_;
      keep_better(*rate, plan_.reach, true);
      if (plan_.rate == before.rate) keep_better(*rate, plan_.reach, false);
      if (plan_.orders.size() < before.orders.size()) plan_ = before;
    }
  }

  const PlanGraph& graph_;
  std::span<const double> classes_;
  Plan plan_;
};

// The same rings, so that the first ones use as much of the fabric as any as many: next comes the
// ring whose busiest link is then the least loaded. NCCL's order may begin with copies of one ring;
// whoever asks for few channels on faster links would get less.
std::vector<RingOrder> spread(const PlanGraph& graph, std::vector<RingOrder> orders) {
  if (graph.in_order_only()) return orders;
  std::vector<double> load(graph.capacity().size(), 0.0);
  const auto visit = [&graph](const RingOrder& order, auto&& charge) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Hop& hop = graph.hop(order[i], order[(i + 1) % order.size()]);
      for (const HopCharge& part : hop.charges) charge(part);
    }
  };
  for (std::size_t chosen = 0; chosen < orders.size(); ++chosen) {
    std::size_t best = chosen;
    double least = 0;
    for (std::size_t i = chosen; i < orders.size(); ++i) {
      double busiest = 0;
      visit(orders[i], [&](const HopCharge& part) { load[part.link] += part.factor; });
      visit(orders[i], [&](const HopCharge& part) {
        busiest = std::max(busiest, load[part.link] / graph.capacity()[part.link]);
      });
      visit(orders[i], [&](const HopCharge& part) { load[part.link] -= part.factor; });
      if (i == chosen || busiest < least * (1 - kSpreadSlack)) {
        least = busiest;
        best = i;
      }
    }
    visit(orders[best], [&](const HopCharge& part) { load[part.link] += part.factor; });
    std::rotate(orders.begin() + static_cast<std::ptrdiff_t>(chosen),
                orders.begin() + static_cast<std::ptrdiff_t>(best),
                orders.begin() + static_cast<std::ptrdiff_t>(best + 1));
  }
  return orders;
}

// NCCL knows GPUs by their place in the server; a ring of places becomes one of ranks that starts
// at rank 0.
std::vector<std::int32_t> in_ranks(const RingOrder& places, std::span<const std::int32_t> rank_at) {
  std::vector<std::int32_t> ranks;
  for (const std::int32_t place : places) ranks.push_back(rank_at[static_cast<std::size_t>(place)]);
  std::rotate(ranks.begin(), std::find(ranks.begin(), ranks.end(), 0), ranks.end());
  return ranks;
}

}  // namespace

ChannelSet search_channels(const Topology& topology, std::span<const NodeId> gpus) {
  RINGSPAN_CHECK(!gpus.empty(), "a communicator has a rank");
  if (gpus.size() == 1) {
    ChannelSet one;
    one.orders = {{0}};
    one.search_channels = 1;
    return one;
  }

  std::vector<std::int32_t> rank_at(gpus.size());
  std::iota(rank_at.begin(), rank_at.end(), 0);
  std::sort(rank_at.begin(), rank_at.end(), [&](std::int32_t a, std::int32_t b) {
    return gpus[static_cast<std::size_t>(a)] < gpus[static_cast<std::size_t>(b)];
  });
  std::vector<NodeId> places;
  for (const std::int32_t rank : rank_at) places.push_back(gpus[static_cast<std::size_t>(rank)]);

  const PlanGraph graph(topology, places);
  Plan plan = Planner(graph).run();
  plan.orders = spread(graph, std::move(plan.orders));
  ChannelSet channels;
  channels.class_rate = bandwidth_from_gbytes_per_second(plan.rate);
  channels.search_channels = static_cast<int>(plan.orders.size());
  channels.intra_type = path_type(plan.reach);
  // Every ring found is used by several channels.
  const std::size_t count =
      kernel_channels(plan.orders.size(), plan.rate, 1, graph.least_compute_capability());
  for (std::size_t c = 0; c < count; ++c) {
    channels.orders.push_back(in_ranks(plan.orders[c % plan.orders.size()], rank_at));
  }
  return channels;
}

}  // namespace ringspan

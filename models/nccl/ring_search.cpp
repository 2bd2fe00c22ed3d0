#include "models/nccl/ring_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace ringspan {

namespace {

// Steps of the search, a step being a GPU tried as the next one of a ring: NCCL's budgets
// (NCCL_SEARCH_TIMEOUT and NCCL_SEARCH_TIMEOUT_SAMECHANNELS in src/graph/search.cc).
constexpr int kSteps = 1 << 14;
constexpr int kStepsSameOrder = 1 << 8;

RingOrder counting_order(int size) {
  RingOrder order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

class Search {
 public:
  Search(const PlanGraph& graph, const RingRequest& request)
      : graph_(graph), request_(request), left_(graph.capacity()) {
    for (double& left : left_) left *= kPlanSlack;
    const double ports = graph.port_rate(request.reach) * kPlanSlack / request.rate;
    bound_ =
        static_cast<std::size_t>(std::min(std::floor(ports), static_cast<double>(request.most)));
    steps_ = request.same_order ? kStepsSameOrder : kSteps;
  }

  RingsFound run() {
    if (bound_ == 0) return {};
    if (!replay(counting_order(graph_.size()))) start_ring();
    return std::move(best_);
  }

 private:
  bool fits(const Hop& hop) const {
    if (hop.reach > request_.reach) return false;
    return std::all_of(hop.charges.begin(), hop.charges.end(), [&](const HopCharge& charge) {
      return left_[charge.link] >= charge.factor * request_.rate;
    });
  }

  void take(const Hop& hop, double sign) {
    for (const HopCharge& charge : hop.charges) {
      left_[charge.link] -= sign * charge.factor * request_.rate;
    }
    links_ += sign > 0 ? hop.links : -hop.links;
  }

  // All functions below return true when the search is over: the best possible was found, or the
  // budget is used up.

  bool start_ring() {
    RingOrder saved{0};
    std::swap(saved, path_);
    std::vector<char> used(static_cast<std::size_t>(graph_.size()), 0);
    used[0] = 1;
    std::swap(used, used_);
    const bool over = extend();
    std::swap(saved, path_);
    std::swap(used, used_);
    return over;
  }

  bool extend() {
    const std::int32_t at = path_.back();
    if (path_.size() == static_cast<std::size_t>(graph_.size())) {
      const Hop& closing = graph_.hop(at, path_.front());
      if (!fits(closing)) return false;
      take(closing, 1);
      const bool over = complete(path_);
      take(closing, -1);
      return over;
    }
    for (const std::int32_t next : candidates(at)) {
      if (--steps_ < 0) return true;
      const Hop& hop = graph_.hop(at, next);
      take(hop, 1);
      path_.push_back(next);
      used_[static_cast<std::size_t>(next)] = 1;
      const bool over = extend();
      used_[static_cast<std::size_t>(next)] = 0;
      path_.pop_back();
      take(hop, -1);
      if (over) return true;
    }
    return false;
  }

  // Nearest first; among those the widest, so that rings spread over parallel ways; then in order.
  std::vector<std::int32_t> candidates(std::int32_t at) const {
    std::vector<std::tuple<int, double, std::int32_t>> ranked;
    for (std::int32_t step = 1; step < graph_.size(); ++step) {
      const std::int32_t next = (at + step) % graph_.size();
      const Hop& hop = graph_.hop(at, next);
      if (used_[static_cast<std::size_t>(next)] || !fits(hop)) continue;
      double width = std::numeric_limits<double>::max();
      for (const HopCharge& charge : hop.charges) {
        width = std::min(width, left_[charge.link] / charge.factor);
      }
      ranked.emplace_back(hop.links, -width, step);
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::int32_t> result;
    for (const auto& [links, width, step] : ranked) result.push_back((at + step) % graph_.size());
    return result;
  }

  // A ring in a given order, if it fits, and whatever follows.
  bool replay(const RingOrder& order) {
    std::size_t taken = 0;
    const auto hop = [&](std::size_t i) -> const Hop& {
      return graph_.hop(order[i], order[(i + 1) % order.size()]);
    };
    while (taken < order.size() && fits(hop(taken))) take(hop(taken++), 1);
    const bool over = taken == order.size() && complete(order);
    while (taken > 0) take(hop(--taken), -1);
    return over;
  }

  bool complete(const RingOrder& order) {
    orders_.push_back(order);
    const bool more = orders_.size() > best_.orders.size();
    if (more || (orders_.size() == best_.orders.size() && links_ < best_.links)) {
      best_ = {orders_, links_};
    }
    bool over = best_.orders.size() >= bound_;
    if (!over) over = request_.same_order ? replay(RingOrder(order)) : start_ring();
    orders_.pop_back();
    return over;
  }

  const PlanGraph& graph_;
  const RingRequest& request_;
  std::vector<double> left_;  // of every link
  std::size_t bound_ = 0;
  int steps_ = 0;
  int links_ = 0;
  RingOrder path_;
  std::vector<char> used_;
  std::vector<RingOrder> orders_;
  RingsFound best_;
};

// Only one order: how often it fits.
RingsFound repeat_in_order(const PlanGraph& graph, const RingRequest& request) {
  RingsFound found;
  std::vector<double> load(graph.capacity().size(), 0.0);
  int links = 0;
  for (int i = 0; i < graph.size(); ++i) {
    const Hop& hop = graph.hop(i, (i + 1) % graph.size());
    if (hop.reach > request.reach) return found;
    for (const HopCharge& charge : hop.charges) load[charge.link] += charge.factor;
    links += hop.links;
  }
  double rings = request.most;
  for (std::size_t link = 0; link < load.size(); ++link) {
    if (load[link] <= 0) continue;
    rings = std::min(rings, graph.capacity()[link] * kPlanSlack / (load[link] * request.rate));
  }
  const auto count = static_cast<std::size_t>(std::floor(rings));
  found.orders.assign(count, counting_order(graph.size()));
  found.links = links * static_cast<int>(count);
  return found;
}

}  // namespace

RingsFound find_rings(const PlanGraph& graph, const RingRequest& request) {
  if (graph.in_order_only()) return repeat_in_order(graph, request);
  return Search(graph, request).run();
}

}  // namespace ringspan

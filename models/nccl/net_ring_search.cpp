#include "models/nccl/net_ring_search.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace ringspan {

namespace {

constexpr int kSteps = 1 << 14;  // NCCL_SEARCH_TIMEOUT in src/graph/search.cc

class Search {
 public:
  Search(const PlanGraph& graph, const NicEnds& ends, const NetRingRequest& request)
      : graph_(graph), ends_(ends), request_(request), left_(ends.capacity()) {
    for (double& left : left_) left *= kPlanSlack;
  }

  NetRingsFound run() {
    while (found_.rings.size() < request_.most && add_ring()) {
    }
    if (request_.cross_nic && found_.rings.size() % 2 == 1) found_.rings.pop_back();
    return std::move(found_);
  }

 private:
  std::size_t number() const { return found_.rings.size(); }
  bool second_of_pair() const { return request_.cross_nic && number() % 2 == 1; }

  bool fits(const std::vector<HopCharge>& charges) const {
    return std::all_of(charges.begin(), charges.end(), [&](const HopCharge& charge) {
      return left_[charge.link] >= charge.factor * request_.rate;
    });
  }
  bool fits(const Hop& hop) const { return hop.reach <= request_.gpu_reach && fits(hop.charges); }
  bool fits(const NicEnd& end) const {
    return end.reach <= request_.nic_reach && fits(end.charges);
  }
  void take(const std::vector<HopCharge>& charges, double sign) {
    for (const HopCharge& charge : charges) {
      left_[charge.link] -= sign * charge.factor * request_.rate;
    }
  }

  // Ring k begins with NIC k, and among the GPUs nearest to it with the k-th.
  bool add_ring() {
    const std::size_t nics = ends_.nics().size();
    for (std::size_t i = 0; i < nics; ++i) {
      const std::size_t nic = (number() + i) % nics;
      if (second_of_pair() && nic != found_.rings.back().nic_out) continue;
      const std::vector<NicEnd>& entries = ends_.entries(nic);
      for (std::size_t g = 0; g < ends_.nearest(nic); ++g) {
        const NicEnd& entry = entries[(number() + g) % ends_.nearest(nic)];
        if (fits(entry) && walk_from(entry, nic)) return true;
        if (steps_ < 0) return false;
      }
    }
    return false;
  }

  bool walk_from(const NicEnd& entry, std::size_t nic) {
    nic_in_ = nic;
    take(entry.charges, 1);
    path_.assign(1, entry.gpu);
    if (graph_.in_order_only() ? walk_in_order() : extend(first_use(entry.gpu))) return true;
    take(entry.charges, -1);
    return false;
  }

  // Even rings first try to walk downwards, odd ones upwards.
  bool walk_in_order() {
    const int n = graph_.size();
    for (const bool preferred : {true, false}) {
      const bool down = (number() % 2 == 0) == preferred;
      while (static_cast<int>(path_.size()) < n) {
        const std::int32_t next = (path_.back() + (down ? n - 1 : 1)) % n;
        const Hop& hop = graph_.hop(path_.back(), next);
        --steps_;
        if (!fits(hop)) break;
        take(hop.charges, 1);
        path_.push_back(next);
      }
      if (static_cast<int>(path_.size()) == n && leave()) return true;
      while (path_.size() > 1) {
        const std::int32_t last = path_.back();
        path_.pop_back();
        take(graph_.hop(path_.back(), last).charges, -1);
      }
      if (steps_ < 0 || n == 1) return false;
    }
    return false;
  }

  std::vector<char> first_use(std::int32_t gpu) const {
    std::vector<char> used(static_cast<std::size_t>(graph_.size()), 0);
    used[static_cast<std::size_t>(gpu)] = 1;
    return used;
  }

  bool extend(std::vector<char> used) {
    if (path_.size() == static_cast<std::size_t>(graph_.size())) return leave();
    const std::int32_t at = path_.back();
    for (const std::int32_t next : candidates(at, used)) {
      if (--steps_ < 0) return false;
      const Hop& hop = graph_.hop(at, next);
      take(hop.charges, 1);
      path_.push_back(next);
      used[static_cast<std::size_t>(next)] = 1;
      if (extend(used)) return true;
      used[static_cast<std::size_t>(next)] = 0;
      path_.pop_back();
      take(hop.charges, -1);
    }
    return false;
  }

  // Nearest first; among those the widest, so that rings spread over parallel ways; then in order.
  std::vector<std::int32_t> candidates(std::int32_t at, const std::vector<char>& used) const {
    std::vector<std::tuple<int, double, std::int32_t>> ranked;
    for (std::int32_t step = 1; step < graph_.size(); ++step) {
      const std::int32_t next = (at + step) % graph_.size();
      const Hop& hop = graph_.hop(at, next);
      if (used[static_cast<std::size_t>(next)] != 0 || !fits(hop)) continue;
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

  // From the last GPU out through a NIC, which completes the ring.
  bool leave() {
    if (!request_.cross_nic) return leave_by(nic_in_);
    if (second_of_pair()) return leave_by(found_.rings.back().nic_in);
    for (std::size_t nic = 0; nic < ends_.nics().size(); ++nic) {
      if (nic != nic_in_ && leave_by(nic)) return true;
    }
    return false;
  }

  bool leave_by(std::size_t nic) {
    const NicEnd* exit = ends_.exit(path_.back(), nic);
    if (exit == nullptr || !fits(*exit)) return false;
    take(exit->charges, 1);
    for (std::size_t i = 0; i + 1 < path_.size(); ++i) {
      found_.links += graph_.hop(path_[i], path_[i + 1]).links;
    }
    found_.rings.push_back({path_, nic_in_, nic});
    return true;
  }

  const PlanGraph& graph_;
  const NicEnds& ends_;
  const NetRingRequest& request_;
  std::vector<double> left_;  // of every link
  int steps_ = kSteps;
  RingOrder path_;
  std::size_t nic_in_ = 0;
  NetRingsFound found_;
};

}  // namespace

NetRingsFound find_net_rings(const PlanGraph& graph, const NicEnds& ends,
                             const NetRingRequest& request) {
  if (ends.nics().empty()) return {};
  return Search(graph, ends, request).run();
}

}  // namespace ringspan

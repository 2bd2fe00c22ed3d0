#pragma once

// Max-min shares of coupled flows: the solver behind CoupledNetwork.
//
// Flows enter as rows (link, load): load is what one unit of the flow's share puts on the link.
// solve() looks at the flows that share links, directly or through others, with what was attached
// or detached since, and of these only at those above the cut: when a flow leaves, nothing held at
// a lower share than its own moves; when one comes, nothing below the share that its links
// can give to all of their flows at once. All others keep their shares, bit by bit.
// Filling: one level rises for all flows. The link that fills first, by room / load, is looked for
// among all where flows are few; else a heap gives it: keys only grow while flows freeze, so a
// stale key is put back when it comes up. The cost is rows x log(links) for the rows of the touched
// flows.

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sim/network/network_model.h"

namespace ringspan {

struct SharedRow {
  std::uint32_t link = 0;
  std::uint32_t place = 0;  // the solver's own: position in the link's list
  double load = 0;          // on the link per unit of share; positive
};

class CoupledShares {
 public:
  static constexpr std::int64_t kOwnLimit = -1;

  explicit CoupledShares(std::span<const NetworkLink> links);

  // `slot` is the caller's small index of the flow; `limit` of 0 means none.
  void attach(std::uint32_t slot, std::vector<SharedRow> rows, double limit);
  void detach(std::uint32_t slot);
  // Appends the slots whose share is new.
  void solve(std::vector<std::uint32_t>& changed);

  double share(std::uint32_t slot) const { return flows_[slot].share; }
  std::int64_t bottleneck(std::uint32_t slot) const { return flows_[slot].bottleneck; }

 private:
  struct User {
    std::uint32_t slot;
    std::uint32_t row;
  };
  struct Link {
    double capacity = 0;     // bytes/ps
    double all_load = 0;     // of all users
    std::uint64_t seen = 0;  // number of the search that met this link last
    std::vector<User> users;
  };
  // A link while its component is filled; apart, since rows meet links in any order.
  struct Filling {
    double room = 0;  // capacity that frozen flows leave
    double load = 0;  // of the flows not frozen
    double load_at_first = 0;
    std::uint32_t open = 0;  // flows not frozen
  };
  struct Flow {
    std::vector<SharedRow> rows;
    double limit = 0;
    double share = 0;
    std::int64_t bottleneck = kOwnLimit;
    std::uint64_t seen = 0;
    bool active = false;
    bool frozen = false;
  };
  using Key = std::pair<double, std::uint32_t>;  // share at which a link or a flow's limit is met

  void lower_cut(double share);
  bool below_cut(const Flow& flow) const { return flow.share > 0 && flow.share < cut_; }
  void solve_component(std::uint32_t first_slot, std::vector<std::uint32_t>& changed);
  void collect_component(std::uint32_t first_slot);
  void visit(std::uint32_t slot);
  void prepare_links();
  void hold_flows_below_cut();
  void sum_load(std::uint32_t link);
  double share_when_full(std::uint32_t link);
  void fill_one(std::uint32_t slot);
  void fill_component();
  bool next_link(Key& key) { return few_flows_ ? next_link_of_all(key) : next_link_of_heap(key); }
  bool next_link_of_all(Key& key);
  bool next_link_of_heap(Key& key);
  bool next_limit(Key& key);
  void freeze(std::uint32_t slot, double level, std::int64_t bottleneck);

  std::vector<Link> links_;
  std::vector<Filling> filling_;  // by link
  std::vector<Flow> flows_;
  std::size_t active_flows_ = 0;
  std::vector<std::uint32_t> touched_links_;
  std::vector<std::uint32_t> touched_flows_;
  std::uint64_t search_ = 0;
  double cut_ = std::numeric_limits<double>::infinity();  // of the changes since the last solve

  // Of the component being solved.
  std::vector<std::uint32_t> component_flows_;
  std::vector<std::uint32_t> component_links_;
  std::vector<std::uint32_t> held_flows_;  // below the cut, on links of the component
  std::vector<double> shares_before_;
  bool links_are_shared_ = false;  // any of them, by any two flows
  bool few_flows_ = false;
  std::vector<std::uint32_t> open_links_;  // few flows: in any order
  std::vector<Key> heap_;                  // many flows
  std::vector<Key> limits_;                // sorted, the lowest last
};

}  // namespace ringspan

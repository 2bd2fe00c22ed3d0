#pragma once

// Max-min fair shares of one connected component by progressive filling: the common rate of all
// open flows rises until a link is full, which fixes the flows on that link; and so on.
//
// Level cut. What is fixed below the cut is not touched: a flow that left at rate v changes nothing
// that filling fixes below v, and a flow that comes changes nothing below the smallest
// capacity / weight of its links, because up to that level none of them can be full.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/network/fluid_flows.h"
#include "sim/network/fluid_links.h"

namespace ringspan::fluid {

class Filling {
 public:
  Filling(FlowTable& flows, std::vector<Link>& links) : flows_(flows), links_(links) {}

  // Solves the component of `seeds`, apart from flows with a rate below `cut`. Gives rates, finish
  // times and holders to its flows, and group_finish to its links, which links() lists afterwards.
  void solve(std::int64_t now, std::span<const std::uint32_t> seeds, double cut);

  std::span<const std::uint32_t> links() const { return touched_; }

 private:
  struct Candidate {
    double share;
    std::uint32_t link;
  };
  // The heap's order: smallest share first, then smallest link.
  static bool worse(const Candidate& a, const Candidate& b) {
    return a.share != b.share ? a.share > b.share : a.link > b.link;
  }

  template <bool Weighted>
  void solve_component(std::span<const std::uint32_t> seeds, double cut);
  void meet(std::uint32_t link, double cut);
  template <bool Weighted>
  void open_flows(std::uint32_t link, double cut);
  template <bool Weighted>
  void fill();
  template <bool Weighted>
  void freeze(std::uint32_t link, double level);
  void set_rate(Flow& flow, double rate) const;
  template <bool Weighted>
  double weight(std::uint32_t hop) const {
    return Weighted ? flows_.weight(hop) : 1.0;
  }

  FlowTable& flows_;
  std::vector<Link>& links_;
  std::vector<std::uint32_t> touched_;  // links of the component, in the order met
  std::vector<Candidate> heap_;
  std::int64_t now_ = 0;
  std::int64_t open_ = 0;  // flows without a rate
  std::uint32_t solve_ = 0;
};

// Advances the flow's remaining bytes to `now`, sets its rate and the instant it ends. A rate that
// is the same bit for bit changes nothing, so that a flow's end does not wander by rounding.
void change_rate(Flow& flow, double rate, std::int64_t now);

}  // namespace ringspan::fluid

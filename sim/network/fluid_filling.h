#pragma once

// Max-min fair shares of one connected component by progressive filling: the common rate of all
// open flows rises until a link is full, which fixes the flows on that link; and so on.
//
// Groups instead of flows. Flows that the same link held before the change and holds after it move
// as one: filling reads how many flows of a group cross a link (its cells), not the flows. Only a
// flow that gets another holder is touched. So a solve costs groups x links that they cross.
//
// Level cut. What is fixed below the cut is not touched: a flow that left at rate v changes nothing
// that filling fixes below v, and a flow that comes changes nothing below the smallest
// capacity / weight of its links, because up to that level none of them can be full.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/network/fluid_flows.h"
#include "sim/network/fluid_groups.h"
#include "sim/network/fluid_links.h"

namespace ringspan::fluid {

class Filling {
 public:
  Filling(FlowTable& flows, const std::vector<Link>& links, std::vector<LinkShare>& shares,
          Groups& groups)
      : flows_(flows), links_(links), shares_(shares), groups_(groups) {}

  // Solves the component of the links `seeds`, apart from groups with a level below `cut`.
  // `arrived` are flows without a holder, whose links are all seeds. Afterwards every flow of the
  // component has a holder, and solved() lists the groups whose members or level may be new.
  void solve(std::int64_t now, std::span<const std::uint32_t> seeds,
             std::span<const std::uint32_t> arrived, double cut);

  std::span<const std::uint32_t> solved() const { return solved_; }

 private:
  struct Candidate {
    double share;
    std::uint32_t link;
  };
  // The heap's order: smallest share first, then smallest link.
  static bool worse(const Candidate& a, const Candidate& b) {
    return a.share != b.share ? a.share > b.share : a.link > b.link;
  }

  bool open(const Group& group) const { return group.open && group.opened == solve_; }
  void meet(std::uint32_t link);
  void open_groups(std::uint32_t link, double cut);
  void open_arrived(std::span<const std::uint32_t> arrived);
  void fill();
  void push(std::uint32_t link);
  bool full(std::uint32_t link, double level);
  double next_full_links(double level);
  void fix_group(std::uint32_t link, double level);
  void take_over(std::uint32_t link, double level);
  double weight(std::uint32_t hop) const { return flows_.weighted() ? flows_.weight(hop) : 1.0; }

  FlowTable& flows_;
  const std::vector<Link>& links_;
  std::vector<LinkShare>& shares_;
  Groups& groups_;
  std::vector<std::uint32_t> met_;     // links of the component, in the order met
  std::vector<std::uint32_t> solved_;  // groups
  std::vector<Candidate> heap_;
  std::vector<std::uint32_t> full_;  // links that fill at the present level
  std::int64_t now_ = 0;
  std::int64_t open_ = 0;  // flows without a rate
  std::uint32_t solve_ = 0;
};

}  // namespace ringspan::fluid

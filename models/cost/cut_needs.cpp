#include "models/cost/cut_needs.h"

#include "sim/base/check.h"

namespace ringspan {

CutNeeds cut_needs(const CollectiveSpec& spec, const CutSide& inside) {
  const double n = spec.ranks;
  const double inside_part = inside.ranks / n;
  const double outside_part = (n - inside.ranks) / n;
  switch (spec.kind) {
    case CollectiveKind::AllReduce:
      // Each side's result depends on the other side's sum, which is as long as the vector.
      return {1, 1};
    case CollectiveKind::AllGather:
      // The outside needs the shares of the inside and the other way round.
      return {inside_part, outside_part};
    case CollectiveKind::ReduceScatter:
      // The outside's shares need the inside's partial sums and the other way round.
      return {outside_part, inside_part};
    case CollectiveKind::AllToAll:
      // A block of size/n for each pair of a rank inside and one outside.
      return {inside.ranks * outside_part, inside.ranks * outside_part};
    case CollectiveKind::Broadcast:
      return inside.root ? CutNeeds{1, 0} : CutNeeds{0, 1};
    case CollectiveKind::Reduce:
      return inside.root ? CutNeeds{0, 1} : CutNeeds{1, 0};
    case CollectiveKind::Scatter:
      return inside.root ? CutNeeds{outside_part, 0} : CutNeeds{0, inside_part};
    case CollectiveKind::Gather:
      return inside.root ? CutNeeds{0, outside_part} : CutNeeds{inside_part, 0};
    case CollectiveKind::SendRecv:
      // Every rank sends its vector to the next one; a circle comes in as often as it goes out.
      return {inside.leaving, inside.leaving};
  }
  fail_check("kind is an enumerator", "unknown collective", __FILE__, __LINE__);
}

double groups_need(double groups) { return 2 * (groups - 1); }

}  // namespace ringspan

#pragma once

// What a collective must move across a cut of its ranks in two, whatever the algorithm.

#include "models/collectives/collective.h"

namespace ringspan {

// The ranks on the inside of a cut.
struct CutSide {
  double ranks = 0;    // at least one, and not all
  bool root = false;   // the root is among them
  double leaving = 0;  // of them, those whose next rank is outside (sendrecv)
};

// Bytes that cross, each way, per byte of the size (collective.h).
struct CutNeeds {
  double out = 0;
  double in = 0;
};

CutNeeds cut_needs(const CollectiveSpec& spec, const CutSide& inside);

// all_reduce without help from switches, over `groups` disjoint groups that hold all ranks: to
// combine m values takes m - 1 messages between groups; only then is the sum known, and the m - 1
// other groups each need one more. All of them arrive at a group: 2 (m - 1) x size through all
// groups' links (Patarasuk and Yuan, JPDC 69(2), 2009).
double groups_need(double groups);

}  // namespace ringspan

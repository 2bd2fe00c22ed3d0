#pragma once

// The textbook's model of a ring: T = base + steps x alpha + bytes that a rank sends / B. It knows
// no protocol, no channel, no chunk and no choice. (Hockney, Parallel Computing 20, 1994; rings:
// Patarasuk and Yuan, J. Parallel Distrib. Comput. 69, 2009.)
//   base, alpha   the profile's ring with LL: its start, and a hop of the slowest kind of link
//   B             what a GPU sends into its domain, or, between domains, what the NICs of a domain
//                 send together, the less of both; payload, of the poorest GPU and domain
// alltoall, gather and scatter are n - 1 messages of 1/n of the size each; sendrecv is one message.

#include "validation/comparison/baseline.h"

namespace ringspan {

BaselineTimes alpha_beta_baseline(const RunScenario& scenario, const System& system,
                                  const Catalog& catalog);

}  // namespace ringspan

#include "models/collectives/algorithm.h"
#include "models/collectives/direct.h"
#include "models/collectives/ring.h"

namespace ringspan {

Registry<AlgorithmFactory> builtin_algorithms() {
  Registry<AlgorithmFactory> algorithms("algorithm");
  algorithms.add("ring", "NCCL's ring; broadcast and reduce as a chain along it", make_ring);
  algorithms.add("direct", "one message between every two ranks, all at once", make_direct);
  return algorithms;
}

}  // namespace ringspan

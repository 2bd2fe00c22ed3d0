#include "models/collectives/algorithm.h"
#include "models/collectives/bruck.h"
#include "models/collectives/collnet_chain.h"
#include "models/collectives/collnet_direct.h"
#include "models/collectives/direct.h"
#include "models/collectives/halving_doubling.h"
#include "models/collectives/hierarchical.h"
#include "models/collectives/nvls.h"
#include "models/collectives/nvls_tree.h"
#include "models/collectives/p2p.h"
#include "models/collectives/pairwise.h"
#include "models/collectives/pat.h"
#include "models/collectives/ring.h"
#include "models/collectives/tree.h"

namespace ringspan {

Registry<AlgorithmFactory> builtin_algorithms() {
  Registry<AlgorithmFactory> algorithms("algorithm");
  algorithms.add("ring", "NCCL's ring; broadcast and reduce as a chain along it", make_ring);
  algorithms.add("tree", "NCCL's double binary tree over nodes, chains inside them", make_tree);
  algorithms.add("nvls", "reduction and multicast in the NVLink switch (NVLink SHARP)", make_nvls);
  algorithms.add("nvlstree", "nvls inside each node, NCCL's double binary tree between nodes",
                 make_nvls_tree);
  algorithms.add("collnetdirect", "to heads in the node, reduction in the network (SHARP), back",
                 make_collnet_direct);
  algorithms.add("collnetchain", "a chain in the node, reduction in the network (SHARP), back",
                 make_collnet_chain);
  algorithms.add("pat", "NCCL's trees side by side, ceil(log2 n) steps, far ones first and small",
                 make_pat);
  algorithms.add("p2p", "NCCL's grouped send and receive", make_p2p);
  algorithms.add("direct", "one message between every two ranks, all at once", make_direct);
  algorithms.add("hierarchical", "rings or pairs inside the nodes, then between them on each rail",
                 make_hierarchical);
  algorithms.add("halving-doubling", "recursive halving and doubling in log2(n) steps each",
                 make_halving_doubling);
  algorithms.add("bruck", "ceil(log2 n) steps for any rank count, data sent on by others",
                 make_bruck);
  algorithms.add("pairwise", "n-1 steps, each rank with one partner to and one from a step",
                 make_pairwise);
  return algorithms;
}

}  // namespace ringspan

#include "models/collectives/p2p.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "models/collectives/pair_schedule.h"
#include "models/collectives/rank_order.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

// NCCL_P2P_SCHEDULE_GROUP_SIZE (NCCL 2.28.9 src/include/device.h).
constexpr std::int64_t kGroupSize = 8;

// NCCL 2.28.9 src/init.cc, ncclP2pSchedule: from group to group the distance grows by 1, 2, 3, ...
// modulo the next power of two, which visits every distance once; those past the last group are
// skipped.
std::vector<std::int32_t> group_deltas(std::int64_t groups) {
  std::int64_t span = 1;
  while (span < groups) span *= 2;
  std::vector<std::int32_t> deltas;
  std::int64_t delta = 0;
  for (std::int64_t k = 0; k < span; ++k) {
    if (delta < groups) deltas.push_back(static_cast<std::int32_t>(delta));
    delta = (delta + k + 1) % span;
  }
  return deltas;
}

// On one node all ranks are one group. On several, groups are of the largest size up to kGroupSize
// that divides every node.
PeerOrder nccl_peer_order(const AlgorithmInput& input) {
  const std::vector<std::int32_t> order = visiting_order(input.layout, input.spec.ranks);
  const std::vector<std::vector<std::int32_t>> nodes = ranks_by_node(input.layout, order);
  const std::int64_t group_size =
      nodes.size() == 1 ? input.spec.ranks : std::gcd(kGroupSize, common_divisor(nodes));
  return PeerOrder(node_by_node(nodes), group_size, group_deltas(input.spec.ranks / group_size));
}

class P2p final : public Algorithm {
 public:
  std::vector<CollectiveKind> collectives() const override {
    return {CollectiveKind::AllToAll, CollectiveKind::Gather, CollectiveKind::Scatter,
            CollectiveKind::SendRecv};
  }

  std::unique_ptr<Schedule> build(const AlgorithmInput& input) const override {
    RINGSPAN_CHECK(can(input.spec.kind), "p2p does not do this collective");
    return make_pair_schedule(input.spec, nccl_peer_order(input), input.peers_at_once);
  }
};

}  // namespace

std::int64_t p2p_peers_at_once(int channels, int channels_per_peer, int nodes) {
  if (nodes == 1) return 0;
  constexpr std::int64_t kWorksPerChannel = 8;
  return std::max<std::int64_t>(1, kWorksPerChannel * channels / channels_per_peer);
}

std::unique_ptr<Algorithm> make_p2p() { return std::make_unique<P2p>(); }

}  // namespace ringspan

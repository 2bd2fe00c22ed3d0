#include "models/workloads/transfer_kinds.h"

#include <algorithm>

namespace ringspan {

void take(const TransferKind& transfer, std::vector<TransferKind>& kinds) {
  auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const TransferKind& known) {
    return known.latency == transfer.latency;
  });
  if (kind == kinds.end()) kind = kinds.insert(kinds.end(), {transfer.latency, 0, 0});
  kind->slowness = std::max(kind->slowness, transfer.slowness);
  kind->sent = std::max(kind->sent, transfer.sent);
}

void slow_all_kinds(const TransferKind& slowest, std::vector<TransferKind>& kinds) {
  for (TransferKind& kind : kinds) {
    kind.slowness = slowest.slowness;
    kind.sent = slowest.sent;
  }
}

std::uint32_t LatencyKinds::number_of(const LatencyKind& kind) {
  if (last_ < known_.size() && known_[last_] == kind) return last_;
  const auto found = std::find(known_.begin(), known_.end(), kind);
  last_ = static_cast<std::uint32_t>(found - known_.begin());
  if (found == known_.end()) known_.push_back(kind);
  return last_;
}

}  // namespace ringspan

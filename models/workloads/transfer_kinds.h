#pragma once

// What tells the transfers of a round apart: their latency, and how slowly they go.

#include <cstdint>
#include <utility>
#include <vector>

#include "models/workloads/fabric_paths.h"

namespace ringspan {

// What the latency of a transfer hangs on; see ProtocolCost::step_latency().
struct LatencyKind {
  LinkClass slowest_class = LinkClass::NvLink;
  Duration wire{};
  bool operator==(const LatencyKind&) const = default;
};

// The transfers of a round that have one kind of latency.
struct TransferKind {
  std::uint32_t latency = 0;  // index of StreamLoads::latencies
  double slowness = 0;        // ps per byte of a block: the largest load / rate on their links
  double sent = 0;            // blocks: the most that the copying kernels of a sender send
  double own_slowness = 0;    // a ring's: of its own load and that of rings in step with it
  bool operator==(const TransferKind&) const = default;
};

// Adds a transfer to its kind, which becomes as slow as it.
void take(const TransferKind& transfer, std::vector<TransferKind>& kinds);

// The transfers of a coupled round advance at one pace, that of the slowest.
void slow_all_kinds(const TransferKind& slowest, std::vector<TransferKind>& kinds);

// Numbers kinds of latency in the order in which they come.
class LatencyKinds {
 public:
  std::uint32_t number_of(const LatencyKind& kind);
  std::uint32_t number_of(const FabricPath& path) {
    return number_of(LatencyKind{path.slowest_class, path.latency});
  }
  std::vector<LatencyKind> take() { return std::move(known_); }

 private:
  std::vector<LatencyKind> known_;
  std::uint32_t last_ = 0;  // neighbours are often alike
};

}  // namespace ringspan

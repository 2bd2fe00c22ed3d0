#pragma once

// What an algorithm costs with a protocol, from the profile: the launch, a step, and how fast the
// copying kernels are.

#include <optional>
#include <string_view>

#include "models/collectives/protocol.h"
#include "models/cost/profile.h"

namespace ringspan {

// The channels of a rank, and how many of them NCCL's limits per channel are for: those limits are
// per channel of its search, which two channels of the kernel serve; where more do, they share it.
struct CopyingChannels {
  int all = 1;
  int full_rate = 1;  // `all` where every channel has the profile's rate per channel
};

class ProtocolCost {
 public:
  // Keeps a reference to `profile`.
  ProtocolCost(const Profile& profile, std::string_view algorithm, Protocol protocol);

  // Once per collective: launch and set-up.
  Duration base() const;
  // Of a transfer over a path with this slowest class and wire latency: from the last byte sent to
  // the receiver's next action.
  Duration step_latency(LinkClass slowest_class, Duration wire) const;
  // Wire rate that `count` of a rank's channels send with; nullopt: as fast as the links. A limit
  // of a whole GPU is dealt out among its channels: each has an SM of its own, and one that waits
  // lends nothing to the others.
  std::optional<Bandwidth> kernel_limit(int count, const CopyingChannels& channels) const;

 private:
  const Profile& profile_;
  const AlgorithmCost& cost_;
  Protocol protocol_;
  std::optional<Bandwidth> per_channel_, per_gpu_;  // on the wire
};

}  // namespace ringspan

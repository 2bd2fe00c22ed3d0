#pragma once

// What an algorithm costs with a protocol, from the profile: the launch, a step, and how fast the
// copying kernels are.

#include <optional>
#include <string_view>

#include "models/collectives/protocol.h"
#include "models/cost/profile.h"

namespace ringspan {

class ProtocolCost {
 public:
  // Keeps a reference to `profile`.
  ProtocolCost(const Profile& profile, std::string_view algorithm, Protocol protocol);

  // Once per collective: launch and set-up.
  Duration base() const;
  // Of a transfer over a path with this slowest class and wire latency: from the last byte sent to
  // the receiver's next action.
  Duration step_latency(LinkClass slowest_class, Duration wire) const;
  // Wire rate that `count` of a rank's `all` channels send with; nullopt: as fast as the links. A
  // limit of a whole GPU is dealt out among its channels: each has an SM of its own, and one that
  // waits lends nothing to the others.
  std::optional<Bandwidth> kernel_limit(int count, int all) const;

 private:
  const Profile& profile_;
  const AlgorithmCost& cost_;
  Protocol protocol_;
  std::optional<Bandwidth> per_channel_, per_gpu_;  // on the wire
};

}  // namespace ringspan

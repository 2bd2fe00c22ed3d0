#pragma once

// What an algorithm costs with a protocol, from the profile: the start of a collective, a step, and
// how fast the copying kernels are. Formulas and where they come from: docs/models.md, "Cost
// profiles".

#include <cstdint>
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

  // Once per collective beyond the launch. `slice`: payload bytes that a channel moves first.
  Duration base(std::int64_t slice) const;
  // Of a transfer over a path with this slowest class and wire latency: from the last byte sent to
  // the receiver's next action. slice_latency() says what the slice adds or takes off.
  Duration step_latency(LinkClass slowest_class, Duration wire) const;
  // The step latency with a slice of so much payload, where step_latency() said `step`; of
  // messages: of the part on one channel. Where the profile has costs of threads, the first line of
  // each thread (LL, LL128) moves within the step: its transmission is not waited for once more.
  Duration slice_latency(Duration step, std::int64_t payload) const;
  // Wire rate that `count` of a rank's channels send with; nullopt: as fast as the links. A limit
  // of a whole GPU is dealt out among its channels: each has an SM of its own, and one that waits
  // lends nothing to the others.
  std::optional<Bandwidth> kernel_limit(int count, const CopyingChannels& channels) const;
  // That a channel takes to copy a slice out of its buffer at the end of a ring's loop.
  Duration receive_time(std::int64_t payload) const;
  // That a connection is busy with a slice beside moving it.
  Duration slice_overhead() const { return slice_overhead_; }

 private:
  void read_p2p(const P2pCost& p2p);
  double fill(std::int64_t payload) const;
  std::int64_t first_lines(std::int64_t payload) const;

  const Profile& profile_;
  const AlgorithmCost& cost_;
  Protocol protocol_;
  std::optional<Bandwidth> per_channel_, per_gpu_;  // payload
  std::optional<Bandwidth> last_copy_;              // of a message's last chunk
  Duration slice_overhead_{};
  bool messages_ = false;  // grouped send/receive: its channels are none of the search's
};

}  // namespace ringspan

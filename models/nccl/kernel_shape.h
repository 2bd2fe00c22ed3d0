#pragma once

// How large NCCL makes a kernel for one size: small collectives get fewer channels than the
// communicator has. Source: NCCL 2.28.9 src/enqueue.cc (topoGetAlgoInfo) for collectives,
// addP2pToPlan for messages.

#include <cstdint>
#include <string_view>

#include "models/collectives/nccl_version.h"
#include "models/collectives/protocol.h"

namespace ringspan {

struct KernelShape {
  int channels = 1;
  // Bytes of the whole vector (nccl-tests' size) on a channel while not all are in use; 0: all are.
  std::int64_t per_channel = 0;
  bool operator==(const KernelShape&) const = default;
};

// `channels`: of the communicator. Ring and tree: a channel is used for every 8 bytes a thread of
// the vector (LL on a ring: times the ranks; Simple: 64), with 512 threads, 640 for LL128. NCCL
// leaves out the channel that would have less; here it has what is left, so that a larger size
// never takes less time. It also halves the threads of the last channel, which costs the part of
// its threads' first lines and so follows from the bytes (ProtocolCost). All others: `channels`.
KernelShape kernel_shape(std::string_view algorithm, Protocol protocol, int ranks, Bytes size,
                         int channels);

// A message of grouped send/receive on one node: cut in parts, each on a channel of its own.
struct P2pMessages {
  Bytes message;  // to one peer
  int ranks = 1;
  int channels = 1;           // p2p_channels()
  int channels_per_peer = 1;  // p2p_channels_per_peer()
  bool over_nvlink = true;    // all of them
};

// 64 KiB and more to a part over NVLink, a fourth of that else; as many as give every rank's
// message a channel, and twice as many while a part is larger than 256 times that, up to
// channels_per_peer.
int p2p_parts(const P2pMessages& messages);

// How many channels a rank's messages to `peers` others keep busy for as long as the busiest one:
// parts are dealt out in turn, the one to itself among them.
int busy_channels(const P2pMessages& messages, int peers);

// Over a connection that has LL's buffers: up to 16 KiB for each part; before NCCL 2.29 for each
// channel that a peer may use.
bool p2p_uses_ll(const P2pMessages& messages, const NcclVersion& version);

}  // namespace ringspan

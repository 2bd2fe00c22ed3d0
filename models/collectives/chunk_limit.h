#pragma once

// NCCL's ceiling on the chunk of one block on one channel, by algorithm and size (NCCL 2.28.9
// src/enqueue.cc, calcCollChunking; src/transport/nvls.cc for what NVLS begins with).

#include <cstdint>
#include <string_view>

#include "models/collectives/collective.h"
#include "models/collectives/protocol.h"
#include "sim/base/units.h"

namespace ringspan {

struct ChunkQuestion {
  std::string_view algorithm;
  CollectiveKind kind = CollectiveKind::AllReduce;
  Protocol protocol = Protocol::Simple;
  int ranks = 1;
  int nodes = 1;
  std::int64_t heads = 1;  // blocks that move side by side: an NVLS or CollNet schedule's heads
  int channels = 1;
  Bytes buffer{};  // of a connection with Simple (NCCL_BUFFSIZE); 0: NCCL's own
  Bytes size;      // of the collective, as nccl-tests prints it
};

// Payload bytes.
std::int64_t chunk_limit(const ChunkQuestion& question);

}  // namespace ringspan

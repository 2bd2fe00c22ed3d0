#pragma once

// How many bytes a rank sends from and receives into, as nccl-tests has it.

#include <cstdint>
#include <string_view>

#include "models/collectives/collective.h"

namespace ringspan {

struct BufferLayout {
  std::int64_t send = 0;     // bytes that this rank gives; 0: none
  std::int64_t receive = 0;  // bytes that it gets; 0: none
  // In place both are parts of one buffer of the larger size, which begin here.
  std::int64_t send_at = 0;
  std::int64_t receive_at = 0;

  std::int64_t in_place() const { return send > receive ? send : receive; }
};

// `share`: bytes of RoundedSize::count elements. `rank` and `root` are of the communicator.
BufferLayout buffer_layout(CollectiveKind kind, int ranks, int rank, int root, std::int64_t share);

}  // namespace ringspan

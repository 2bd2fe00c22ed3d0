#pragma once

// Input and output of one rank, out of place or in one buffer.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/collectives/collective.h"

namespace ringspan {

class HostBuffers {
 public:
  // Bytes that this shape needs.
  static std::int64_t needed(CollectiveKind kind, int ranks, int rank, int root,
                             std::int64_t share_bytes, bool in_place);

  // Memory that is there is used again.
  void shape(CollectiveKind kind, int ranks, int rank, int root, std::int64_t share_bytes,
             bool in_place);

  std::span<std::byte> input();   // what this rank gives
  std::span<std::byte> output();  // what it gets
  const std::byte* send() const;  // for the call; nullptr: in place
  std::byte* receive();

 private:
  std::vector<std::byte> send_, receive_;
  std::int64_t send_bytes_ = 0, receive_bytes_ = 0, send_at_ = 0, receive_at_ = 0;
  bool in_place_ = false;
};

}  // namespace ringspan

#pragma once

// How one size is cut on every channel, after NCCL: loops over the pattern, chunks, slices.

#include <cstdint>

#include "models/collectives/protocol.h"
#include "models/workloads/plan_outline.h"
#include "sim/base/units.h"

namespace ringspan {

struct SizeCut {
  Protocol protocol = Protocol::Simple;
  std::int64_t block_payload = 0;  // bytes of one block on one channel, rounded up
  std::int64_t loops = 1;          // passes over the pattern
  std::int64_t chunk_payload = 0;  // of a block in all loops but the last
  std::int64_t last_chunk = 0;     // in the last loop
  int slices = 1;                  // of a full chunk
  int last_slices = 1;
  std::int64_t slice_payload = 0;  // of a full chunk
  std::int64_t last_slice = 0;     // largest slice of the last loop
  int window = 0;                  // slices a connection's buffer holds; 0: no buffer

  bool operator==(const SizeCut&) const = default;
};

// Requires size > 0. `per_channel`: of the size, on the first channels where not all that there are
// get a part (KernelShape); 0: all get the same.
SizeCut cut_size(const PlanOutline& outline, Protocol protocol, Bytes size,
                 std::int64_t per_channel = 0);

// Slices (or messages) that running one size at `chunk` moves, all channel classes.
std::int64_t slice_count(const PlanOutline& outline, const SizeCut& cut);

}  // namespace ringspan

#pragma once

// The size that nccl-tests runs of the one asked for (src/*.cu, Get*CollByteCount).

#include <cstdint>

#include "models/collectives/collective.h"
#include "sim/base/units.h"

namespace ringspan {

struct RoundedSize {
  std::int64_t bytes = 0;  // the size column
  std::int64_t count = 0;  // the count column: elements of a vector, or of a rank's share
};

// Down to whole elements; where ranks have shares, to shares of whole 16 bytes, or with
// `whole_16_bytes` false to whole elements too.
RoundedSize rounded_size(CollectiveKind kind, Bytes asked, int element_bytes, int ranks,
                         bool whole_16_bytes = true);

}  // namespace ringspan

#pragma once

// Fills a Transfer without giving back its vectors' memory.

#include <cstdint>

#include "models/collectives/schedule.h"

namespace ringspan {

// One source, one destination; the blocks are cleared.
inline void set_pair(Transfer& out, TransferAction action, std::int32_t source,
                     std::int32_t destination) {
  out.action = action;
  out.sources.assign(1, source);
  out.destinations.assign(1, destination);
  out.blocks.clear();
}

}  // namespace ringspan

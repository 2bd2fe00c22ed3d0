#pragma once

// Which GPUs of a system take part, and as which ranks: --nodes and --gpus.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "topologies/builders/system.h"

namespace ringspan {

struct RankPlaces {
  std::vector<GpuPlace> ranks;  // in rank order: server by server
  int servers = 0;              // that hold ranks
};

// `gpus` alone: the first of them, servers filled in order. `nodes` alone: all GPUs of the first
// servers. Both: equal parts on each. Neither: all GPUs. Throws InputError.
RankPlaces choose_ranks(const System& system, std::optional<int> nodes, std::optional<int> gpus);

// Of these, the ones with the numbers, in their order; all for none. Requires numbers of ranks that
// there are.
RankPlaces placed(RankPlaces places, std::span<const std::int32_t> numbers, const System& system);

}  // namespace ringspan

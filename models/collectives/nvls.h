#pragma once

// NVLink SHARP: the switch reduces what it reads from all ranks and multicasts what one rank writes
// (NCCL 2.28.9 src/device/all_reduce.h, all_gather.h, reduce_scatter.h, the NVLS variants).

#include <memory>

#include "models/collectives/algorithm.h"

namespace ringspan {

std::unique_ptr<Algorithm> make_nvls();

}  // namespace ringspan

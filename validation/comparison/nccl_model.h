#pragma once

// NCCL's own cost formula as a predictor of the time: what its tuner reckons with when it picks
// (models/nccl/tuner.h). It has none for grouped send/receive (alltoall, gather, scatter, sendrecv)
// and for what it would not use.

#include "validation/comparison/baseline.h"

namespace ringspan {

BaselineTimes nccl_model_baseline(const RunScenario& scenario, const System& system,
                                  const Catalog& catalog);

}  // namespace ringspan

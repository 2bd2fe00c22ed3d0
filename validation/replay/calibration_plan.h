#pragma once

#include "validation/plan/plan.h"

namespace ringspan {

// What `calibrate` can use, over all ranks and between the first two: every collective at sizes
// from 8 bytes up to `most` in steps of 8. In passes that each cover all sizes and collectives, so
// that a time budget that ends early leaves fewer repeats and not fewer kinds.
Plan calibration_plan(int ranks, Bytes most);

}  // namespace ringspan

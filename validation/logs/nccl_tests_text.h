#pragma once

// What nccl-tests prints (facts of release 2.19 and of older ones): a header, the devices, one row
// per size, two lines at the end. Lines of other programs in between are passed over, except
// NCCL's own INFO lines that name its version and what it took from the environment. Several tests
// in one file are several cases. The time is that out of place.

#include "validation/logs/log_format.h"

namespace ringspan {

LogFormat nccl_tests_text_format();

}  // namespace ringspan

#pragma once

// What nccl-tests writes with -J (version 3, since October 2025), and with it an optional key
// `system` of ours at the root. Its environment is read for the few settings that matter here only.

#include "validation/logs/log_format.h"

namespace ringspan {

LogFormat nccl_tests_json_format();

}  // namespace ringspan

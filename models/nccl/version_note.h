#pragma once

#include <string>

#include "models/collectives/nccl_version.h"

namespace ringspan {

// What is told where a version outside those modelled is asked for: "NCCL 2.8.3 is taken as 2.18,
// the oldest one modelled"; empty for the others.
std::string nccl_version_note(const NcclVersion& version);

// The version as a scenario takes it: not older than kOldestNccl.
std::string modelled_nccl_version(const NcclVersion& version);

}  // namespace ringspan

#pragma once

// What NCCL's environment variables change about a question.

#include <string>
#include <string_view>
#include <vector>

#include "models/nccl/nccl_environment.h"
#include "topologies/builders/system.h"

namespace ringspan {

// Whether NCCL_ALGO, NCCL_PROTO, NCCL_NVLS_ENABLE and NCCL_COLLNET_ENABLE leave this way; grouped
// send/receive is always left.
bool is_allowed(const NcclEnvironment& environment, std::string_view algorithm, Protocol protocol);

// NCCL_MIN_NCHANNELS and NCCL_MAX_NCHANNELS on the channels of the search; the most wins.
int allowed_channels(const NcclEnvironment& environment, int found);

// NCCL_P2P_DISABLE as keys of a system's file.
SystemOverrides system_overrides(const NcclEnvironment& environment);

// What was set and is not modelled, in words.
std::vector<std::string> settings_without_effect(const NcclEnvironment& environment);

}  // namespace ringspan

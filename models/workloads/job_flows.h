#pragma once

// The coupled flows of one collective among others, by channel class; see jobs_stream.h.

#include <span>
#include <vector>

#include "models/workloads/size_cut.h"
#include "models/workloads/stream_loads.h"
#include "sim/network/coupled_network.h"

namespace ringspan {

// What a channel class does: flows one after the other.
struct FlowSequence {
  Duration start{};  // before the first
  std::vector<CoupledFlow> flows;
  Duration tail{};  // after the last
};

// `loads` and `links` are those of one SharedLoads; `alone`: what the collective takes by itself.
// Flows have the tag 0.
std::vector<FlowSequence> job_flows(const StreamLoads& loads, const SizeCut& cut, Duration alone,
                                    std::span<const NetworkLink> links);

}  // namespace ringspan

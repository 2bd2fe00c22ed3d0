#pragma once

// Several collectives under way together at `chunk`: their slices share one network.

#include <span>
#include <vector>

#include "models/workloads/job_sequence.h"
#include "models/workloads/run_observer.h"
#include "models/workloads/shared_plans.h"
#include "models/workloads/size_cut.h"
#include "sim/network/network_model.h"

namespace ringspan {

struct ChunkJob {
  const CollectivePlan* plan = nullptr;  // of one SharedPlans; nullptr: it moves nothing
  SizeCut cut;
  JobTiming timing;
  RunObserver* observer = nullptr;
};

// `network` is made of SharedPlans::links.
JobsResult run_jobs_chunk(std::span<const ChunkJob> jobs, NetworkModel& network,
                          const KeepGoing& keep_going = {});

}  // namespace ringspan

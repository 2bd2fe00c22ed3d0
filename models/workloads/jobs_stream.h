#pragma once

// Several collectives under way together at `stream`: their coupled flows share one network.
//
// A collective by itself takes here exactly what run_stream() says it takes. How others slow it:
// - A ring's steps and the later loops of a pipelined run are coupled flows; their shares are what
//   the others leave (max-min, by physical flow).
// - What run_stream() runs slice by slice (the first loops of a pipelined run) or burst by burst
//   (the rounds of a Messages schedule) is one coupled flow here, of the rate that it has alone:
//   others slow it where its fair share is less.
//
// How far that is from `chunk` is stated in docs/models.md, "Several collectives at once".

#include <span>

#include "models/workloads/job_sequence.h"
#include "models/workloads/run_observer.h"
#include "models/workloads/shared_loads.h"
#include "models/workloads/size_cut.h"

namespace ringspan {

struct StreamJob {
  const StreamLoads* loads = nullptr;  // of one SharedLoads; nullptr: it moves nothing
  SizeCut cut;
  Duration alone{};  // what its transfers take by themselves: RunResult::time of run_stream()
  JobTiming timing;
  RunObserver* observer = nullptr;
};

JobsResult run_jobs_stream(const SharedLoads& loads, std::span<const StreamJob> jobs,
                           const KeepGoing& keep_going = {});

}  // namespace ringspan

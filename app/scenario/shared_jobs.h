#pragma once

// The jobs of one size on the links they share.

#include <span>
#include <vector>

#include "app/scenario/collective_run.h"
#include "app/scenario/concurrent_scenario.h"
#include "models/workloads/jobs_chunk.h"
#include "models/workloads/shared_loads.h"
#include "models/workloads/size_cut.h"

namespace ringspan {

// A job of one size, ready to run.
struct SizedJob {
  CollectiveRun* run = nullptr;
  const JobSpec* spec = nullptr;
  Bytes bytes;  // rounded
  const Way* way = nullptr;
  bool idle = false;  // nothing crosses the fabric
  SizeCut cut;        // where it is not idle
  Duration alone{};   // its transfers, with nothing beside them
};

class SharedJobs {
 public:
  // Keeps `jobs` and `observer`, which may be nullptr.
  SharedJobs(std::span<const SizedJob> jobs, NetworkKind network, JobsObserver* observer);
  SharedJobs(const SharedJobs&) = delete;  // its parts point to one another
  SharedJobs& operator=(const SharedJobs&) = delete;

  // All of them together. `network` is that of `chunk`.
  JobsResult run(Granularity granularity, const KeepGoing& go_on) const;
  // Loads and bottlenecks of rows whose start and end are filled in, a row a job.
  void describe(std::span<JobRow> rows) const;

 private:
  JobTiming timing_of(const SizedJob& job) const;
  RunObserver* observer_of(std::size_t j) const;
  template <typename Shared>
  void begin_observers(const Shared& shared) const;
  void end_observers() const;
  JobsResult run_stream(const KeepGoing& go_on) const;
  JobsResult run_chunk(const KeepGoing& go_on) const;
  JobsResult run_chunks(const std::vector<ChunkJob>& jobs, const std::vector<NetworkLink>& links,
                        const KeepGoing& go_on) const;

  std::span<const SizedJob> jobs_;
  NetworkKind network_;
  JobsObserver* observer_;
  std::vector<LoadPart> parts_;  // of the jobs that are not idle, in order
  SharedLoads shared_;
  std::vector<const StreamLoads*> loads_;  // by job; nullptr: idle
  std::vector<SizeCut> cuts_;              // by job
};

}  // namespace ringspan

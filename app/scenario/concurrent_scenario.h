#pragma once

// Several collectives at once on one system. Code flow: read_jobs() makes JobSpecs of what the user
// wrote; run_concurrent() opens a communicator for each, picks each one's way as if it were alone,
// runs them together, size by size, and reports each one's time beside its time alone.

#include <span>
#include <string>
#include <vector>

#include "app/scenario/job_spec.h"
#include "app/scenario/run_report.h"
#include "app/scenario/scenario.h"
#include "models/workloads/shared_loads.h"
#include "models/workloads/shared_plans.h"

namespace ringspan {

// Told what the jobs of a size do, while they are under way together.
class JobsObserver {
 public:
  virtual ~JobsObserver() = default;

  // Before anything else, once.
  virtual void jobs_begin(std::span<const JobSpec> jobs) = 0;
  virtual RunObserver* of_job(std::size_t job) = 0;
  // Whose links those of the jobs' plans or loads are. They outlive RunObserver::run_ends().
  virtual void share(const SharedPlans& plans) = 0;
  virtual void share(const SharedLoads& loads) = 0;
};

struct ConcurrentScenario {
  // What all jobs have in common: sizes of those without one, data type, granularity, network,
  // profile; algorithm, protocol and channels of those that name none. nodes and gpus choose the
  // ranks of the run; collective and root are not used.
  RunScenario common;
  std::vector<JobSpec> jobs;
  JobsObserver* observer = nullptr;  // nullptr: nobody asks. common.observer is not used
};

// One job of one size.
struct JobRow {
  std::size_t job = 0;  // of ConcurrentReport::jobs
  // Time from the job's start to its end, beside the others; loads count all jobs' bytes in that
  // time.
  RunRow row;
  Duration start{}, end{};  // from the beginning of the run
  Duration alone{};         // its time with nothing beside it, at the same granularity
  // The other jobs that load the job's busiest shared link, while it is under way.
  std::vector<std::size_t> beside;
};

struct JobFacts {
  std::string name;
  CollectiveKind collective = CollectiveKind::AllReduce;
  std::string ranks;  // as the user wrote them
  int gpus = 1;
  int nodes = 1;
  std::string gpu_model;
};

// All jobs together, of one size.
struct ConcurrentRun {
  Bytes size;  // as asked for; of jobs that have none of their own
  Granularity granularity = Granularity::Chunk;
  Duration time{};  // until the last job has ended
  std::int64_t operations = 0, events = 0;
  std::vector<JobRow> rows;  // one for each job, in their order
};

struct ConcurrentReport {
  std::string system;
  std::string system_description;
  int nodes = 1;
  int gpus = 1;  // ranks of the run
  std::string profile;
  std::string nccl;
  std::uint64_t seed = 0;
  std::string dtype;
  NetworkKind network = NetworkKind::Fluid;
  bool own_sizes = false;  // every job has a size of its own: there is one run
  std::vector<JobFacts> jobs;
  std::vector<ConcurrentRun> runs;  // ascending sizes; fewer than asked for when interrupted
  std::vector<std::string> warnings;
  bool interrupted = false;
  std::string stalled;
};

// Throws InputError.
ConcurrentReport run_concurrent(const ConcurrentScenario& scenario, const System& system,
                                const Catalog& catalog, const ProgressCallback& progress = {});

}  // namespace ringspan

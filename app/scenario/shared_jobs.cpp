#include "app/scenario/shared_jobs.h"

#include "app/scenario/job_details.h"
#include "models/workloads/jobs_stream.h"
#include "models/workloads/shared_plans.h"
#include "sim/network/fluid_network.h"
#include "sim/network/queueing_network.h"

namespace ringspan {

SharedJobs::SharedJobs(std::span<const SizedJob> jobs, NetworkKind network, JobsObserver* observer)
    : jobs_(jobs), network_(network), observer_(observer) {
  for (const SizedJob& job : jobs) {
    cuts_.push_back(job.cut);
    if (job.idle) continue;
    Communicator& communicator = job.run->communicator();
    parts_.push_back({communicator.plan_input(*job.way), &communicator.outline(*job.way)});
  }
  if (!parts_.empty()) shared_ = SharedLoads::build(parts_);
  std::size_t part = 0;
  for (const SizedJob& job : jobs) {
    loads_.push_back(job.idle ? nullptr : &shared_.loads[part++]);
  }
}

JobsResult SharedJobs::run(Granularity granularity, const KeepGoing& go_on) const {
  return granularity == Granularity::Stream ? run_stream(go_on) : run_chunk(go_on);
}

void SharedJobs::describe(std::span<JobRow> rows) const {
  for (JobRow& row : rows) row.row.bottleneck = "latency";
  if (!parts_.empty()) describe_jobs(shared_, loads_, cuts_, rows);
}

JobTiming SharedJobs::timing_of(const SizedJob& job) const {
  return {job.spec->start, job.spec->after, job.spec->delay, job.run->launch(*job.way, job.cut),
          job.run->copy_alone(*job.way, job.cut, job.bytes.count)};
}

RunObserver* SharedJobs::observer_of(std::size_t j) const {
  return observer_ == nullptr || jobs_[j].idle ? nullptr : observer_->of_job(j);
}

// What the jobs share is SharedPlans or SharedLoads.
template <typename Shared>
void SharedJobs::begin_observers(const Shared& shared) const {
  if (observer_ == nullptr) return;
  observer_->share(shared);
  std::size_t part = 0;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    if (jobs_[j].idle) continue;
    observer_of(j)->run_begins(parts_[part].input, *parts_[part].outline);
    ++part;
  }
}

void SharedJobs::end_observers() const {
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    if (RunObserver* const observer = observer_of(j)) observer->run_ends();
  }
}

JobsResult SharedJobs::run_stream(const KeepGoing& go_on) const {
  std::vector<StreamJob> jobs;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    jobs.push_back({loads_[j], jobs_[j].cut, jobs_[j].alone, timing_of(jobs_[j]), observer_of(j)});
  }
  begin_observers(shared_);
  JobsResult result = run_jobs_stream(shared_, jobs, go_on);
  end_observers();
  return result;
}

JobsResult SharedJobs::run_chunk(const KeepGoing& go_on) const {
  std::vector<PlanPart> plan_parts;
  for (const SizedJob& job : jobs_) {
    if (job.idle) continue;
    const LoadPart& part = parts_[plan_parts.size()];
    plan_parts.push_back({part.input, part.outline, job.way->protocol});
  }
  const SharedPlans shared = plan_parts.empty() ? SharedPlans{} : SharedPlans::build(plan_parts);
  std::vector<ChunkJob> jobs;
  std::size_t plan = 0;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    jobs.push_back({jobs_[j].idle ? nullptr : &shared.plans[plan++], jobs_[j].cut,
                    timing_of(jobs_[j]), observer_of(j)});
  }
  begin_observers(shared);
  JobsResult result = run_chunks(jobs, shared.links, go_on);
  end_observers();
  return result;
}

JobsResult SharedJobs::run_chunks(const std::vector<ChunkJob>& jobs,
                                  const std::vector<NetworkLink>& links,
                                  const KeepGoing& go_on) const {
  if (network_ == NetworkKind::Queueing) {
    QueueingNetwork network(links);
    return run_jobs_chunk(jobs, network, go_on);
  }
  FluidNetwork network(links);
  return run_jobs_chunk(jobs, network, go_on);
}

}  // namespace ringspan

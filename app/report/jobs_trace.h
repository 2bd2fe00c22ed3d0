#pragma once

// `--trace` of several collectives at once: each job's servers, connections and busiest links, in
// one file. A link's counters are one for each job that loads it.

#include <memory>
#include <string>
#include <vector>

#include "app/report/run_trace.h"
#include "app/scenario/concurrent_scenario.h"

namespace ringspan {

class JobsTrace final : public JobsObserver {
 public:
  void jobs_begin(std::span<const JobSpec> jobs) override;
  RunObserver* of_job(std::size_t job) override { return traces_[job].get(); }
  void share(const SharedPlans& plans) override;
  void share(const SharedLoads& loads) override;

  std::int64_t events_left_out() const;
  std::int64_t most_events() const { return RunTrace::kMostEvents; }
  // As RunTrace::write().
  void write(const RunTrace::Facts& facts, const RunTrace::Sink& sink) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<RunTrace>> traces_;
};

}  // namespace ringspan

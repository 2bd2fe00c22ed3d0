#include "app/report/jobs_trace.h"

#include <algorithm>

namespace ringspan {

// All together have as many bars as one run may have.
void JobsTrace::jobs_begin(std::span<const JobSpec> jobs) {
  const auto count = static_cast<std::int64_t>(jobs.size());
  const std::int64_t each = std::max<std::int64_t>(1, RunTrace::kMostEvents / count);
  for (const JobSpec& job : jobs) {
    names_.push_back("job " + job.name);
    traces_.push_back(std::make_unique<RunTrace>(each));
  }
}

void JobsTrace::share(const SharedPlans& plans) {
  for (const auto& trace : traces_) trace->share(plans);
}

void JobsTrace::share(const SharedLoads& loads) {
  for (const auto& trace : traces_) trace->share(loads);
}

std::int64_t JobsTrace::events_left_out() const {
  std::int64_t count = 0;
  for (const auto& trace : traces_) count += trace->events_left_out();
  return count;
}

void JobsTrace::write(const RunTrace::Facts& facts, const RunTrace::Sink& sink) const {
  std::vector<RunTrace::Named> named;
  for (std::size_t job = 0; job < traces_.size(); ++job) {
    named.emplace_back(names_[job], traces_[job].get());
  }
  RunTrace::write_all(facts, named, sink);
}

}  // namespace ringspan

#include "models/workloads/jobs_chunk.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "models/workloads/chunk_process.h"
#include "sim/network/simulation.h"

namespace ringspan {

namespace {

std::vector<JobTiming> timings_of(std::span<const ChunkJob> jobs) {
  std::vector<JobTiming> timings;
  for (const ChunkJob& job : jobs) timings.push_back(job.timing);
  return timings;
}

// All jobs on one simulation. Flow tags are dealt out job by job.
class JobsProcess final : public Process {
 public:
  explicit JobsProcess(std::span<const ChunkJob> jobs)
      : timings_(timings_of(jobs)), sequence_(timings_) {
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      const auto first_tag = static_cast<FlowTag>(job_of_.size());
      processes_.push_back(jobs[j].plan == nullptr
                               ? nullptr
                               : std::make_unique<ChunkProcess>(*jobs[j].plan, jobs[j].cut,
                                                                jobs[j].observer, first_tag));
      if (!processes_.back()) continue;
      job_of_.resize(job_of_.size() + processes_.back()->connections(),
                     static_cast<std::uint32_t>(j));
      total_ += processes_.back()->total();
    }
  }

  void on_start(Simulation& simulation) override { wake(simulation); }

  void on_batch(Time now, std::span<const FlowEvent> flows, std::span<const Event> timers,
                Simulation& simulation) override {
    for (const FlowEvent& event : flows) {
      const std::uint32_t job = job_of_[event.tag];
      ChunkProcess& process = *processes_[job];
      process.on_flow(event, simulation);
      if (event.kind != FlowEventKind::Delivered) continue;
      ++delivered_;
      if (process.finished()) sequence_.transfers_done(job, now);
    }
    for (const Event& event : timers) {
      if (event.kind == 0) continue;  // from wake()
      const std::uint32_t job = job_of_[event.index];
      processes_[job]->on_timer(event, simulation);
      if (processes_[job]->finished()) sequence_.transfers_done(job, now);
    }
    while (sequence_.next() == now) start_jobs(simulation);
    wake(simulation);
  }

  bool finished() const override { return sequence_.all_ended(); }

  std::string waiting() const override {
    for (std::size_t j = 0; j < processes_.size(); ++j) {
      if (sequence_.under_way(j)) {
        return fmt::format("job {}: {}", j + 1, processes_[j]->waiting());
      }
    }
    return "no job is under way";
  }

  const JobSequence& sequence() const { return sequence_; }
  std::int64_t delivered() const { return delivered_; }
  double part() const {
    return static_cast<double>(delivered_) / static_cast<double>(std::max<std::int64_t>(total_, 1));
  }

 private:
  void start_jobs(Simulation& simulation) {
    ready_.clear();
    sequence_.advance(ready_);
    for (const std::size_t job : ready_) {
      if (processes_[job]) {
        processes_[job]->on_start(simulation);
      } else {
        sequence_.transfers_done(job, simulation.now());
      }
    }
  }

  // One timer at the next instant that the sequence knows of.
  void wake(Simulation& simulation) {
    const Time next = sequence_.next();
    if (next == kNever || next == woken_at_) return;
    woken_at_ = next;
    simulation.timer(next, Event{});
  }

  std::vector<JobTiming> timings_;
  JobSequence sequence_;
  std::vector<std::unique_ptr<ChunkProcess>> processes_;  // nullptr: nothing to move
  std::vector<std::uint32_t> job_of_;                     // by flow tag
  std::vector<std::size_t> ready_;                        // scratch
  Time woken_at_ = kNever;
  std::int64_t total_ = 0, delivered_ = 0;
};

}  // namespace

JobsResult run_jobs_chunk(std::span<const ChunkJob> jobs, NetworkModel& network,
                          const KeepGoing& keep_going) {
  JobsProcess process(jobs);
  StopCondition stop;
  if (keep_going) {
    stop.keep_going = [&](const Simulation&) { return keep_going(process.part()); };
  }
  const SimulationEnd end = run(network, process, stop);
  JobsResult result;
  result.jobs = process.sequence().times();
  result.run.time = process.sequence().last_end();
  result.run.operations = process.delivered();
  result.run.events = end.events + network.events_processed();
  result.run.stalled = end.reason == EndReason::Stalled;
  result.run.waiting = end.waiting;
  result.run.interrupted = end.reason == EndReason::Interrupted;
  return result;
}

}  // namespace ringspan

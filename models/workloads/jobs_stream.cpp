#include "models/workloads/jobs_stream.h"

#include <algorithm>
#include <utility>

#include "models/workloads/job_flows.h"
#include "sim/base/check.h"
#include "sim/engine/event_queue.h"
#include "sim/network/coupled_network.h"

namespace ringspan {

namespace {

std::vector<JobTiming> timings_of(std::span<const StreamJob> jobs) {
  std::vector<JobTiming> timings;
  for (const StreamJob& job : jobs) timings.push_back(job.timing);
  return timings;
}

std::vector<NetworkLink> network_links(const SharedLoads& loads) {
  std::vector<NetworkLink> links;
  for (const StreamLoads::Links& alike : loads.links) links.push_back({alike.rate, Duration{}});
  return links;
}

class JobsRun {
 public:
  JobsRun(const SharedLoads& loads, std::span<const StreamJob> jobs)
      : jobs_(jobs),
        timings_(timings_of(jobs)),
        sequence_(timings_),
        links_(network_links(loads)),
        network_(links_),
        tracks_left_(jobs.size(), 0),
        last_byte_(jobs.size(), kTimeZero) {}

  JobsResult run(const KeepGoing& keep_going) {
    for (;;) {
      const Time now = std::min({sequence_.next(), starts_.next_time(), network_.next_event()});
      if (now == kNever) break;
      if (keep_going && !keep_going(part())) {
        result_.run.interrupted = true;
        break;
      }
      run_instant(now);
    }
    RINGSPAN_CHECK(result_.run.interrupted || sequence_.all_ended(),
                   "coupled flows come to an end");
    result_.jobs = sequence_.times();
    result_.run.time = sequence_.last_end();
    result_.run.events = network_.events_processed();
    return std::move(result_);
  }

 private:
  // A channel class of a job that is under way.
  struct Track {
    std::size_t job = 0;
    std::size_t class_index = 0;
    FlowSequence sequence;
    std::size_t next = 0;  // flow
    Time begun = kTimeZero;
  };

  double part() const {
    return static_cast<double>(sequence_.ended()) / static_cast<double>(jobs_.size());
  }

  void run_instant(Time now) {
    ended_.clear();
    network_.advance(now, ended_);
    for (const FlowTag track : ended_) end_flow(track, now);
    while (sequence_.next() == now) start_jobs(now);
    if (starts_.next_time() != now) return;
    due_.clear();
    starts_.pop_all(due_);
    for (const Event& event : due_) start_flow(event.index, now);
  }

  void start_jobs(Time now) {
    ready_.clear();
    sequence_.advance(ready_);
    for (const std::size_t j : ready_) {
      const StreamJob& job = jobs_[j];
      if (job.loads == nullptr) {
        sequence_.transfers_done(j, now);
        continue;
      }
      if (job.observer != nullptr) job.observer->phases_begin(*job.loads);
      std::vector<FlowSequence> classes = job_flows(*job.loads, job.cut, job.alone, links_);
      tracks_left_[j] = classes.size();
      for (std::size_t c = 0; c < classes.size(); ++c) {
        const auto track = static_cast<std::uint32_t>(tracks_.size());
        const Time start = now + classes[c].start;
        tracks_.push_back({j, c, std::move(classes[c]), 0, kTimeZero});
        starts_.push(start, {0, track});
      }
    }
  }

  void start_flow(std::uint32_t number, Time now) {
    Track& track = tracks_[number];
    if (track.next == track.sequence.flows.size()) {
      end_track(track, now);
      return;
    }
    CoupledFlow& flow = track.sequence.flows[track.next++];
    flow.tag = number;
    track.begun = now;
    result_.run.operations += static_cast<std::int64_t>(flow.steps) + 1;
    network_.start(now, flow);
  }

  void end_flow(std::uint32_t number, Time now) {
    const Track& track = tracks_[number];
    const CoupledFlow& flow = track.sequence.flows[track.next - 1];
    if (RunObserver* const observer = jobs_[track.job].observer) {
      observer->phase_done({track.class_index, track.begun, now, flow.steps,
                            flow.slice_bytes * flow.slices_per_step});
    }
    start_flow(number, now);
  }

  void end_track(const Track& track, Time now) {
    Time& last = last_byte_[track.job];
    last = std::max(last, now + track.sequence.tail);
    if (--tracks_left_[track.job] == 0) sequence_.transfers_done(track.job, last);
  }

  std::span<const StreamJob> jobs_;
  std::vector<JobTiming> timings_;
  JobSequence sequence_;
  std::vector<NetworkLink> links_;
  CoupledNetwork network_;
  std::vector<Track> tracks_;             // a flow's tag is its track
  EventQueue starts_;                     // of tracks
  std::vector<std::size_t> tracks_left_;  // by job
  std::vector<Time> last_byte_;           // by job, of the tracks that have ended
  std::vector<FlowTag> ended_;            // scratch
  std::vector<std::size_t> ready_;
  std::vector<Event> due_;
  JobsResult result_;
};

}  // namespace

JobsResult run_jobs_stream(const SharedLoads& loads, std::span<const StreamJob> jobs,
                           const KeepGoing& keep_going) {
  return JobsRun(loads, jobs).run(keep_going);
}

}  // namespace ringspan

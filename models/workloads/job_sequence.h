#pragma once

// Several collectives under way together, their starts and ends: when each may begin, what follows
// when one has ended. Knows no network; run_jobs_chunk() and run_jobs_stream() drive it. A job is
//   begin          the latest of JobTiming::start and `delay` after the ends of those it waits for
//   first byte     begin + launch
//   end            when all its transfers are done, but not before begin + least

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/workloads/run_result.h"
#include "sim/base/units.h"
#include "sim/engine/event_queue.h"

namespace ringspan {

struct JobTiming {
  Duration start{};                // from the beginning of the run
  std::vector<std::size_t> after;  // the jobs that it waits for, without a circle
  Duration delay{};                // from the last of their ends
  Duration launch{};               // from its begin to its first byte
  Duration least{};                // it ends no sooner than this after its begin
};

struct JobTimes {
  Time begin = kNever, end = kNever;  // kNever: it did not get there
};

// What several collectives did together. RunResult::time is the end of the last one.
struct JobsResult {
  RunResult run;
  std::vector<JobTimes> jobs;
};

class JobSequence {
 public:
  // The timings must outlive this.
  explicit JobSequence(std::span<const JobTiming> timings);

  // The instant of the next first byte or end; kNever: none that is known of.
  Time next() const { return events_.next_time(); }
  // What happens at next(): jobs whose transfers go from now on, in the order of their numbers
  // where they became known together. Jobs that end set free those that wait for them, which may
  // make next() the same instant again.
  void advance(std::vector<std::size_t>& first_bytes);
  // All transfers of a job will be done at `when`, which is now or later.
  void transfers_done(std::size_t job, Time when);

  bool all_ended() const { return ended_ == times_.size(); }
  std::size_t ended() const { return ended_; }
  bool under_way(std::size_t job) const { return state_[job] == State::UnderWay; }
  const std::vector<JobTimes>& times() const { return times_; }
  // The end of the last job that has ended.
  Duration last_end() const;

 private:
  enum Kind : std::uint32_t { FirstByte, End };
  enum class State : std::uint8_t { Waiting, UnderWay, Done };
  void begin(std::size_t job, Time at);
  void end(std::size_t job, Time now);

  std::span<const JobTiming> timings_;
  std::vector<JobTimes> times_;
  std::vector<State> state_;
  std::vector<std::size_t> missing_;  // jobs it still waits for
  std::vector<std::vector<std::size_t>> followers_;
  EventQueue events_;
  std::vector<Event> batch_;  // scratch
  std::size_t ended_ = 0;
};

}  // namespace ringspan

#include "models/workloads/job_sequence.h"

#include <algorithm>

#include "sim/base/check.h"

namespace ringspan {

JobSequence::JobSequence(std::span<const JobTiming> timings)
    : timings_(timings),
      times_(timings.size()),
      state_(timings.size(), State::Waiting),
      followers_(timings.size()) {
  for (std::size_t job = 0; job < timings.size(); ++job) {
    missing_.push_back(timings[job].after.size());
    for (const std::size_t other : timings[job].after) followers_[other].push_back(job);
    if (timings[job].after.empty()) begin(job, kTimeZero + timings[job].start);
  }
}

void JobSequence::begin(std::size_t job, Time at) {
  times_[job].begin = at;
  events_.push(at + timings_[job].launch, {FirstByte, static_cast<std::uint32_t>(job)});
}

void JobSequence::advance(std::vector<std::size_t>& first_bytes) {
  const Time now = next();
  batch_.clear();
  events_.pop_all(batch_);
  for (const Event& event : batch_) {
    if (event.kind == FirstByte) {
      state_[event.index] = State::UnderWay;
      first_bytes.push_back(event.index);
    } else {
      end(event.index, now);
    }
  }
}

void JobSequence::transfers_done(std::size_t job, Time when) {
  RINGSPAN_CHECK(under_way(job), "a job is done once, after its first byte");
  state_[job] = State::Done;
  const Time least = times_[job].begin + timings_[job].least;
  events_.push(std::max(when, least), {End, static_cast<std::uint32_t>(job)});
}

void JobSequence::end(std::size_t job, Time now) {
  times_[job].end = now;
  ++ended_;
  for (const std::size_t follower : followers_[job]) {
    if (--missing_[follower] > 0) continue;
    const JobTiming& timing = timings_[follower];
    begin(follower, std::max(now + timing.delay, kTimeZero + timing.start));
  }
}

Duration JobSequence::last_end() const {
  Duration last{};
  for (const JobTimes& times : times_) {
    if (times.end != kNever) last = std::max(last, times.end - kTimeZero);
  }
  return last;
}

}  // namespace ringspan

#pragma once

// Keeps what is done, so that a run that cannot go on (a lost rank, Ctrl-C while a library waits)
// ends with a message and its results. On rank 0; a thread of its own, since the main one may be
// stuck in MPI.

#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

#include "app/cli/interrupt.h"
#include "validation/replay/replay_report.h"

namespace ringspan {

class PartialResults {
 public:
  using Writer = std::function<void(const ReplayReport&)>;

  // `write` is called in the thread, and then the process ends: with 3 after `timeout` without an
  // update, with 130 a little after Ctrl-C or SIGTERM.
  PartialResults(std::chrono::duration<double> timeout, const InterruptWatch& watch, Writer write);
  ~PartialResults();
  PartialResults(const PartialResults&) = delete;
  PartialResults& operator=(const PartialResults&) = delete;

  void update(const ReplayReport& report);

 private:
  using Clock = std::chrono::steady_clock;

  void watch_over();
  [[noreturn]] void end(const char* reason, int exit_code);

  std::chrono::duration<double> timeout_;
  const InterruptWatch& watch_;
  Writer write_;
  std::mutex mutex_;
  ReplayReport report_;
  Clock::time_point updated_ = Clock::now();
  bool done_ = false;
  std::thread thread_;  // last: it uses all others
};

}  // namespace ringspan

#include "validation/replay/partial_results.h"

#include <unistd.h>

#include <optional>
#include <utility>

#include "app/cli/output.h"

namespace ringspan {

PartialResults::PartialResults(std::chrono::duration<double> timeout, const InterruptWatch& watch,
                               Writer write)
    : timeout_(timeout),
      watch_(watch),
      write_(std::move(write)),
      thread_([this] { watch_over(); }) {}

PartialResults::~PartialResults() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  thread_.join();
}

void PartialResults::update(const ReplayReport& report) {
  const std::lock_guard lock(mutex_);
  report_ = report;
  updated_ = Clock::now();
}

void PartialResults::watch_over() {
  using std::chrono::milliseconds;
  // mpirun kills a second after its SIGTERM.
  constexpr milliseconds kGrace{400};
  std::optional<Clock::time_point> interrupted;
  while (true) {
    std::this_thread::sleep_for(milliseconds(20));
    const std::lock_guard lock(mutex_);
    if (done_) return;
    if (watch_.interrupted() && !interrupted) interrupted = Clock::now();
    if (interrupted && Clock::now() - *interrupted > kGrace) end("interrupted", 130);
    if (Clock::now() - updated_ > timeout_) {
      end("nothing ended within --timeout: a rank is lost, or stuck", 3);
    }
  }
}

void PartialResults::end(const char* reason, int exit_code) {
  report_.ended_early = reason;
  write_message(std::string("error: ended early: ") + reason);
  try {
    write_(report_);
  } catch (const std::exception& error) {
    write_message(error.what());
  } catch (...) {
    // Nobody reads the results.
  }
  ::_exit(exit_code);
}

}  // namespace ringspan

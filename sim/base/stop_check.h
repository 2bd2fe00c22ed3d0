#pragma once

// Long work that somebody may want to end early (Ctrl-C): it asks now and then.

#include <exception>
#include <functional>
#include <utility>

namespace ringspan {

// Thrown by a StopCheck. No failure: whoever made the check catches it and keeps what is done.
class Stopped final : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

class StopCheck {
 public:
  StopCheck() = default;  // never stops
  explicit StopCheck(std::function<bool()> keep_going) : keep_going_(std::move(keep_going)) {}

  // Throws Stopped if the work shall end.
  void ask() {
    steps_ = 0;
    if (keep_going_ && !keep_going_()) throw Stopped();
  }
  // The same for steps that are short (a millisecond at most): asks at every 128th.
  void step() {
    constexpr int kStepsBetween = 128;
    if (++steps_ >= kStepsBetween) ask();
  }

 private:
  std::function<bool()> keep_going_;
  int steps_ = 0;
};

}  // namespace ringspan

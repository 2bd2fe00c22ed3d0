#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace ringspan {

// One line on standard error that is rewritten; only on a terminal, and only once a run has taken
// more than a second. Erased at the end.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // True when a text would be shown now: asking first saves making the text.
  bool due();
  void show(std::string_view text);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace ringspan

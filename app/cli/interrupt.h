#pragma once

namespace ringspan {

// While one lives, the first Ctrl-C only sets a mark, so that a run ends with what is done; the
// second ends the process at once.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  bool interrupted() const;
};

}  // namespace ringspan

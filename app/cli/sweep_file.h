#pragma once

// The file a sweep writes: finished points are appended as they come, and stay whatever ends the
// run. At the end it is replaced by itself in the order of the points.

#include <set>
#include <string>
#include <string_view>

namespace ringspan {

class SweepFile {
 public:
  // A file that exists is refused, but where it is gone on with: then its header and the
  // fingerprint at the end of every line must be these, and a last line that was not finished is
  // taken away. Throws InputError.
  SweepFile(std::string path, std::string header, const std::string& fingerprint, bool resume);
  ~SweepFile();
  SweepFile(const SweepFile&) = delete;
  SweepFile& operator=(const SweepFile&) = delete;

  const std::set<std::size_t>& done() const { return done_; }  // points that were there

  // Whole lines. Throws InputError (disk full, ...): then nothing of them is in the file.
  void append(std::string_view lines);
  // Throws InputError: the lines are all there, in another order.
  void sort();

 private:
  void open_new();
  void open_again(const std::string& fingerprint);

  std::string path_, header_;
  std::set<std::size_t> done_;
  int descriptor_ = -1;
};

}  // namespace ringspan

#pragma once

// Where results go: standard output, or a file that is replaced whole or not at all.

#include <functional>
#include <string>
#include <string_view>

namespace ringspan {

// The reader of our output has gone (a closed pipe). Ends the command with 2, without a message.
struct OutputClosed {};

class Output {
 public:
  // Empty or "-": standard output. Checks now what can be checked, so that a long run does not end
  // in a folder that does not exist. Throws InputError.
  explicit Output(std::string path);

  // Throws InputError (disk full, ...) or OutputClosed. A file that exists keeps its permissions.
  void write(std::string_view text) const;
  // The same for what is too long to be held as one text: `produce` hands over pieces in order.
  using Sink = std::function<void(std::string_view)>;
  using Producer = std::function<void(const Sink& sink)>;
  void write_pieces(const Producer& produce) const;

 private:
  std::string path_;  // symbolic links resolved; empty for standard output
};

// A message for people on standard error: never fails.
void write_message(std::string_view text);

}  // namespace ringspan

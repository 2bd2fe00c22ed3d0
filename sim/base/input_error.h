#pragma once

// The one exception for what a user can change: a file, an option, a machine limit. Its text is
// what the user sees, in the form
//   FILE:LINE:COL: error: MESSAGE
//   hint: HINT
// Parts that are unknown are left out ("error: MESSAGE" for a command line). The command exits
// with 2.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ringspan {

struct SourcePosition {
  std::string file;  // as the user named it; empty for a command line
  int line = 0;      // from 1; 0 when unknown
  int column = 0;    // from 1; 0 when unknown
};

struct InputProblem {
  SourcePosition where;
  std::string message;  // what is wrong, no final full stop
  std::string hint;     // the fix; may be empty
};

class InputError : public std::runtime_error {
 public:
  InputError(std::string message, std::string hint);  // a problem of the command line
  InputError(SourcePosition where, std::string message, std::string hint = {});
  // Several problems of one input, in file order; there must be at least one.
  explicit InputError(std::vector<InputProblem> problems);

  const std::vector<InputProblem>& problems() const { return problems_; }

 private:
  std::vector<InputProblem> problems_;
};

// "f.toml:3:7: error: message\nhint: hint" without a final newline.
std::string format_problem(const InputProblem& problem);

// The candidate nearest to `word` by edit distance, or "" when none is near enough to be meant.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

// A hint for an unknown name: "did you mean 'x'?" when one is near, else "one of: a, b, c".
std::string name_hint(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace ringspan

#include "sim/base/input_error.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/quote.h"

namespace ringspan {

namespace {

std::string format_problems(const std::vector<InputProblem>& problems) {
  std::string text;
  for (const InputProblem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += format_problem(problem);
  }
  return text;
}

// Optimal string alignment: Levenshtein's distance with a swap of neighbours ("cuont") as one edit.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before = std::exchange(above, row);
  }
  return above[b.size()];
}

// Without a locale: names are ASCII.
std::string lowered(std::string_view word) {
  std::string text(word);
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return text;
}

}  // namespace

InputError::InputError(std::string message, std::string hint)
    : InputError(std::vector<InputProblem>{{{}, std::move(message), std::move(hint)}}) {}

InputError::InputError(SourcePosition where, std::string message, std::string hint)
    : InputError(
          std::vector<InputProblem>{{std::move(where), std::move(message), std::move(hint)}}) {}

InputError::InputError(std::vector<InputProblem> problems)
    : std::runtime_error(format_problems(problems)), problems_(std::move(problems)) {
  RINGSPAN_CHECK(!problems_.empty(), "an InputError needs a problem");
}

std::string format_problem(const InputProblem& problem) {
  // File names and what a message quotes are the user's: no byte of them may steer a terminal, or
  // end the text early as a zero would.
  std::string text = harmless_text(problem.where.file);
  if (!text.empty() && problem.where.line > 0) {
    text += ':' + std::to_string(problem.where.line);
    if (problem.where.column > 0) text += ':' + std::to_string(problem.where.column);
  }
  if (!text.empty()) text += ": ";
  text += "error: " + harmless_text(problem.message);
  if (!problem.hint.empty()) text += "\nhint: " + harmless_text(problem.hint);
  return text;
}

std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > 100) return {};
  // A third of the word may be wrong; one letter always.
  const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
  std::string best;
  std::size_t best_distance = limit + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(lowered(word), lowered(candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string name_hint(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(word, candidates);
  if (!nearest.empty()) return "did you mean '" + nearest + "'?";
  std::string text = "one of: ";
  for (const std::string& candidate : candidates) {
    if (&candidate != &candidates.front()) text += ", ";
    text += candidate;
  }
  return candidates.empty() ? std::string{} : text;
}

}  // namespace ringspan

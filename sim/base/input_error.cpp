#include "sim/base/input_error.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/base/check.h"

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

// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitution});
    }
  }
  return row[b.size()];
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
  std::string text = problem.where.file;
  if (!text.empty() && problem.where.line > 0) {
    text += ':' + std::to_string(problem.where.line);
    if (problem.where.column > 0) text += ':' + std::to_string(problem.where.column);
  }
  if (!text.empty()) text += ": ";
  text += "error: " + problem.message;
  if (!problem.hint.empty()) text += "\nhint: " + problem.hint;
  return text;
}

std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > 100) return {};
  // A third of the word may be wrong; one letter always.
  const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
  std::string best;
  std::size_t best_distance = limit + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
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

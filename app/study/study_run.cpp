#include "app/study/study_run.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>

#include "sim/base/side_by_side.h"

namespace ringspan {

namespace {

// The case that fails first in the order of cases is told, whichever thread came to it first.
void throw_first(const std::vector<std::optional<InputError>>& failures) {
  for (const std::optional<InputError>& failure : failures) {
    if (failure) throw InputError(*failure);
  }
}

}  // namespace

std::vector<CaseResult> run_study(const std::vector<StudyCase>& cases, const Catalog& catalog,
                                  int threads, const StudyProgress& progress) {
  std::vector<CaseResult> results(cases.size());
  for (CaseResult& result : results) result.interrupted = true;
  std::vector<std::optional<InputError>> failures(cases.size());
  const std::size_t points = std::accumulate(
      cases.begin(), cases.end(), std::size_t{0},
      [](std::size_t sum, const StudyCase& one) { return sum + one.scenario.sizes.size(); });
  std::atomic<bool> stop = false;
  std::atomic<std::size_t> done = 0;
  const auto task = [&](std::size_t i) {
    try {
      results[i] = run_case(cases[i], catalog, [&stop] { return !stop.load(); });
    } catch (const InputError& error) {
      failures[i] = error;
    }
    done += cases[i].scenario.sizes.size();
  };
  run_side_by_side(cases.size(), threads, task, [&] {
    if (progress && !progress(done.load(), points)) stop = true;
    return !stop.load();
  });
  throw_first(failures);
  return results;
}

}  // namespace ringspan

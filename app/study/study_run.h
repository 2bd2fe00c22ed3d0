#pragma once

#include <functional>
#include <vector>

#include "app/study/study_plan.h"

namespace ringspan {

// Called now and then from the calling thread; false asks to stop: what is done is kept.
using StudyProgress = std::function<bool(std::size_t points_done, std::size_t points)>;

// Every case once, on `threads` threads, at least 1; the results, in the order of the cases, do not
// depend on how many. Cases that were not begun have no points and are marked interrupted. Throws
// InputError.
std::vector<CaseResult> run_study(const std::vector<StudyCase>& cases, const Catalog& catalog,
                                  int threads, const StudyProgress& progress = {});

}  // namespace ringspan

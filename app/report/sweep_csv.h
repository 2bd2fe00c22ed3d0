#pragma once

// A sweep as CSV: a header, and a line for each point, which begins with the point's number and
// ends with the study's fingerprint, so that a file can be gone on with.

#include <string>

#include "app/study/sweep_plan.h"

namespace ringspan {

std::string sweep_csv_header(const Study& study, const SweepPlan& plan);

// The line of a case's size, by its place among the case's sizes.
std::string sweep_csv_line(const Study& study, const SweepPlan& plan, const SweepCase& swept,
                           const CaseResult& result, std::size_t size);

std::string sweep_fingerprint_text(const SweepPlan& plan);  // 16 hexadecimal digits

}  // namespace ringspan

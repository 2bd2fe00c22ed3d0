#pragma once

// What designs are made of, and what that costs and draws, as tables.

#include "app/report/report_section.h"
#include "app/study/study_comparison.h"

namespace ringspan {

// A price or a power column only where the study names a price book.
ReportSection bill_section(const StudyComparison& comparison);
// Requires has_costs().
ReportSection costs_section(const StudyComparison& comparison);

bool has_costs(const StudyComparison& comparison);
std::string currency_of(const StudyComparison& comparison);  // empty: no prices

}  // namespace ringspan

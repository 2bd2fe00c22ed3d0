#pragma once

// StudyComparison to text. Writers only format.
//   study_page()       for people: designs, times side by side, what limits them, crossovers,
//   scaling study_csv_text()   a line per design, workload, part and size study_json_text()  one
//   object with everything

#include <string>

#include "app/report/report_section.h"
#include "app/study/study_comparison.h"

namespace ringspan {

ReportPage study_page(const StudyComparison& comparison);
std::string study_csv_text(const StudyComparison& comparison);
std::string study_json_text(const StudyComparison& comparison);

// "A", "B", ... "Z", "AA": what tables call designs.
std::string design_letter(std::size_t design);

}  // namespace ringspan

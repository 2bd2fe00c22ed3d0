#pragma once

// What a study asks, case by case, with all systems read and all that can be checked without a run
// checked.

#include <memory>
#include <optional>
#include <vector>

#include "app/study/bill.h"
#include "app/study/study_point.h"

namespace ringspan {

// A design as it is built.
struct PlannedDesign {
  StudyDesign design;  // of the study, with the size that a constraint gives it
  std::shared_ptr<const System> system;
  int nodes = 0, gpus = 0;  // that take part
  std::vector<BillLine> bill;
  std::optional<DesignCost> cost;  // where the study names a price book
};

struct StudyPlan {
  std::vector<PlannedDesign> designs;  // by design
  // Design after design within each workload and part; none for known times.
  std::vector<StudyCase> cases;
};

// For `compare`. Throws InputError at the place in the study that is at fault.
StudyPlan plan_study(const Study& study, const Catalog& catalog);

// The scenario of one part on one design, without sizes of its own being changed. Throws
// InputError.
RunScenario scenario_of(const StudyDesign& design, const WorkloadPart& part,
                        const Catalog& catalog);

// Whether jobs can be where they are asked for, on a design of so many GPUs. Throws InputError.
void require_case(const StudyCase& one, const StudyDesign& design, int gpus);

// Opens what a case will run, without running it, where the user forces something that may not
// be possible. Throws InputError at the case's place.
void check_case(const StudyCase& one, const Catalog& catalog);

}  // namespace ringspan

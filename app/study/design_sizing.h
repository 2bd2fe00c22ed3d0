#pragma once

// How large each design is: as it says, or so that all are equal in GPUs, cost or power.

#include <map>
#include <string>
#include <vector>

#include "app/study/design_system.h"
#include "app/study/study_plan.h"

namespace ringspan {

// Designs become systems with a bill and, where a price book is named, a cost.
class DesignBuilder {
 public:
  explicit DesignBuilder(const Catalog& catalog) : catalog_(catalog), systems_(catalog) {}

  // Throws InputError at the place in the study that is at fault.
  PlannedDesign build(const StudyDesign& design);

 private:
  const PriceBook& book_of(const StudyDesign& design);

  const Catalog& catalog_;
  DesignSystems systems_;
  std::map<std::string, PriceBook> books_;
};

// All designs of the study, sized by its constraint. For cost and power a design has the most units
// (servers, or racks that NVLink joins) that stay within what is aimed at. Throws InputError.
std::vector<PlannedDesign> equal_designs(const Study& study, DesignBuilder& builder);

}  // namespace ringspan

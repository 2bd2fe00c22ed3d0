#pragma once

// All points of a sweep, in a fixed order: designs, workloads, their parts, the sweep's
// combinations (the last axis fastest), sizes.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "app/study/bill.h"
#include "app/study/study_point.h"

namespace ringspan {

inline constexpr std::size_t kMostPoints = 100'000;

struct SweepCase {
  StudyCase one;
  std::size_t first_point = 0;     // the number of its first size
  std::optional<DesignCost> cost;  // where the study names a price book; without lines
};

struct SweepPlan {
  std::vector<SweepCase> cases;
  std::size_t points = 0;
  bool priced = false;            // some design names a price book
  std::uint64_t fingerprint = 0;  // of the version and of all files that the study names itself
};

// Reads and checks all systems. Throws InputError at the place in the study that is at fault.
SweepPlan plan_sweep(const Study& study, const Catalog& catalog);

}  // namespace ringspan

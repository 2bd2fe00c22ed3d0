#pragma once

// What the domains of a cluster do in the schedules of an outline, counted edge by edge: for
// estimates of how many links differ.

#include <cstdint>
#include <vector>

#include "models/workloads/plan_outline.h"

namespace ringspan {

struct DomainRoles {
  std::int64_t crossings = 0;         // edges between domains, of all classes
  std::vector<std::int64_t> of_kind;  // by kind of domain: domains whose edges differ
};

// Two domains of a kind have one role where their GPUs have the same edges in every class: the same
// links inside them carry the same. Makes the lists of one class's edges at a time.
DomainRoles count_domain_roles(const PlanInput& input, const PlanOutline& outline);

}  // namespace ringspan

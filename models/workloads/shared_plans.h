#pragma once

// The plans of several collectives that are under way together: their links are numbered in one
// list, so that they can share one network. A CollectivePlan by itself is one of these of one.

#include <span>
#include <vector>

#include "models/workloads/collective_plan.h"

namespace ringspan {

// A collective to be planned. All are of one cluster and one transport; the links' rates are those
// of the first one's profile.
struct PlanPart {
  PlanInput input;
  const PlanOutline* outline = nullptr;  // of the same input; must outlive the plans
  Protocol protocol = Protocol::Simple;
};

struct SharedPlans {
  std::vector<CollectivePlan> plans;  // without links, infos and resources: these are for all
  std::vector<NetworkLink> links;
  std::vector<FabricResource> infos;
  std::vector<std::uint32_t> resources;  // as CollectivePlan::resources

  // Requires at least one part.
  static SharedPlans build(std::span<const PlanPart> parts);
};

}  // namespace ringspan

#pragma once

// What several collectives that are under way together put on the links, for the `stream`
// granularity: links that are alike in what all of them do are one.

#include <memory>
#include <span>
#include <vector>

#include "models/workloads/stream_loads.h"

namespace ringspan {

// All parts are of one cluster and one transport; the links' rates are those of the first one's
// profile.
struct LoadPart {
  PlanInput input;
  const PlanOutline* outline = nullptr;  // of the same input
};

struct SharedLoads {
  std::vector<StreamLoads::Links> links;
  // By part. Their rows refer to the links above; links, links_of and paths of their own are empty.
  std::vector<StreamLoads> loads;
  std::unique_ptr<ClusterPaths> paths;

  // What the parts point to must outlive the loads. Requires at least one part.
  static SharedLoads build(std::span<const LoadPart> parts);
};

}  // namespace ringspan

#pragma once

// The system of a design, as large as the study wants it.

#include <map>
#include <memory>
#include <string>

#include "app/scenario/rank_places.h"
#include "app/study/study.h"
#include "topologies/builders/system.h"

namespace ringspan {

// What a case asks for: a design, perhaps with keys changed by a sweep.
struct DesignRequest {
  const StudyDesign* design = nullptr;
  std::vector<StudyOverride> overrides;  // the design's, then the sweep's
  std::optional<int> nodes, gpus;
  SourcePosition size_at;
  std::uint64_t seed = 0;
};

DesignRequest request_of(const StudyDesign& design);

// Systems, each read once. Not for several threads at once.
class DesignSystems {
 public:
  explicit DesignSystems(const Catalog& catalog) : catalog_(catalog) {}

  // Throws InputError at the place in the study that is at fault, or in the system's own file.
  std::shared_ptr<const System> load(const DesignRequest& request);
  // How many GPUs and servers take part. Throws InputError at the design's size.
  RankPlaces places(const DesignRequest& request, const System& system) const;

 private:
  const Catalog& catalog_;
  std::map<std::string, std::shared_ptr<const System>> systems_;
};

}  // namespace ringspan

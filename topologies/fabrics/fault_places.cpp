#include "topologies/fabrics/fault_places.h"

#include <algorithm>

namespace ringspan {

FaultPlaces::FaultPlaces(const FabricInput& input) : network_(input.config.position()) {
  for (const FabricFault& fault : input.faults) {
    faults_.push_back({fault.table.position(), {fault.switch_name, fault.from, fault.to}});
  }
}

SourcePosition FaultPlaces::of(std::string_view a, std::string_view b) const {
  for (auto fault = faults_.rbegin(); fault != faults_.rend(); ++fault) {
    const bool meant = std::any_of(fault->names.begin(), fault->names.end(),
                                   [&](const std::string& name) { return name == a || name == b; });
    if (meant) return fault->where;
  }
  return faults_.empty() ? network_ : faults_.back().where;
}

}  // namespace ringspan

#pragma once

// How sure a predicted time is, from what the fit of the profile left over. A profile that was
// fitted to nothing has no interval, and everything is outside what it was fitted to.

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/collectives/collective.h"
#include "models/cost/fabric_class.h"
#include "models/cost/profile.h"

namespace ringspan {

// Factors on the predicted time: the measured time is expected between time x low and time x high
// in 80 of 100 cases.
struct PredictionInterval {
  double low = 1, high = 1;
};

// What is predicted, as far as fits tell predictions apart.
struct PredictedCall {
  FabricClass fabric_class = FabricClass::NvlinkDomain;
  CollectiveKind collective = CollectiveKind::AllReduce;
  std::string_view algorithm;
  int ranks = 1;
  std::int64_t bytes = 0;  // nccl-tests' size
};

// Whether it lies outside what the profile was fitted to: another class of fabric, collective or
// algorithm, or beyond the sizes or the ranks of the rows with these.
bool is_extrapolated(const Profile& profile, const PredictedCall& call);

// Wider where it is extrapolated. Absent: the profile has seen no rows of the class and size.
std::optional<PredictionInterval> interval_for(const Profile& profile, const PredictedCall& call);

}  // namespace ringspan

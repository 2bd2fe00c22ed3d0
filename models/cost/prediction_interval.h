#pragma once

// How sure a predicted time is, from what the fit of the profile left over. Built-in profiles hold
// published constants and were fitted to nothing: they have no interval, and every size is outside
// what they were fitted to.

#include <cstdint>
#include <optional>

#include "models/cost/fabric_class.h"
#include "models/cost/profile.h"

namespace ringspan {

// Factors on the predicted time: the measured time is expected between time x low and time x high
// in 80 of 100 cases.
struct PredictionInterval {
  double low = 1, high = 1;
};

std::optional<PredictionInterval> interval_for(const Profile& profile, FabricClass fabric_class,
                                               SizeClass size_class);

// Whether the size lies outside what the profile was fitted to.
bool is_extrapolated(const Profile& profile, FabricClass fabric_class, std::int64_t bytes);

}  // namespace ringspan

#include "models/cost/prediction_interval.h"

#include <algorithm>
#include <cmath>

namespace ringspan {

namespace {

// Of the logarithms of both factors, outside what was fitted. A stated assumption: rows of machines
// and sizes that no fit has seen are not at hand to measure it.
constexpr double kWider = 1.5;

bool covers(const FittedRange& range, const PredictedCall& call) {
  const auto& algorithms = range.algorithms;
  return range.fabric_class == call.fabric_class && range.collective == call.collective &&
         std::find(algorithms.begin(), algorithms.end(), call.algorithm) != algorithms.end() &&
         range.least.count <= call.bytes && call.bytes <= range.most.count &&
         range.least_ranks <= call.ranks && call.ranks <= range.most_ranks;
}

}  // namespace

bool is_extrapolated(const Profile& profile, const PredictedCall& call) {
  if (!profile.fit) return true;
  const auto& ranges = profile.fit->ranges;
  return std::none_of(ranges.begin(), ranges.end(),
                      [&](const FittedRange& range) { return covers(range, call); });
}

std::optional<PredictionInterval> interval_for(const Profile& profile, const PredictedCall& call) {
  if (!profile.fit) return std::nullopt;
  for (const ResidualRange& residual : profile.fit->residuals) {
    if (residual.fabric_class != call.fabric_class) continue;
    if (residual.size_class != size_class_of(call.bytes)) continue;
    if (!is_extrapolated(profile, call)) return PredictionInterval{residual.q10, residual.q90};
    // A fit that is too slow or too fast on the whole stays so: the bounds move away from 1.
    return PredictionInterval{std::min(residual.q10, std::pow(residual.q10, kWider)),
                              std::max(residual.q90, std::pow(residual.q90, kWider))};
  }
  return std::nullopt;
}

}  // namespace ringspan

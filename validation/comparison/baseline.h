#pragma once

// Other predictors of the same rows, to see what ours is worth.

#include <functional>
#include <optional>
#include <string>

#include "app/scenario/scenario.h"
#include "sim/base/registry.h"

namespace ringspan {

// The time of one call with so many bytes (nccl-tests' size, as rounded); absent: the predictor
// has none for it.
using BaselineTimes = std::function<std::optional<Duration>(Bytes bytes)>;

// Made once per series. The arguments outlive what it returns. May throw InputError, as
// run_scenario() does.
using BaselineFactory = BaselineTimes (*)(const RunScenario& scenario, const System& system,
                                          const Catalog& catalog);

struct Baseline {
  std::string name;
  BaselineFactory make = nullptr;
};

Registry<BaselineFactory> builtin_baselines();

}  // namespace ringspan

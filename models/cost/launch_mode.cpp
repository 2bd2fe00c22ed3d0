#include "models/cost/launch_mode.h"

#include <string>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/input_error.h"

namespace ringspan {

std::string_view launch_mode_name(LaunchMode mode) {
  switch (mode) {
    case LaunchMode::Processes:
      return "processes";
    case LaunchMode::Threads:
      return "threads";
    case LaunchMode::SingleProcess:
      return "single-process";
  }
  RINGSPAN_CHECK(false, "unknown launch mode");
}

LaunchMode launch_mode_from_name(std::string_view name) {
  std::vector<std::string> names;
  for (const LaunchMode mode : kAllLaunchModes) {
    if (launch_mode_name(mode) == name) return mode;
    names.emplace_back(launch_mode_name(mode));
  }
  throw InputError("unknown launch mode '" + std::string(name) + "'", name_hint(name, names));
}

}  // namespace ringspan

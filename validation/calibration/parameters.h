#pragma once

// The constants of a profile that can be fitted, each with its place in the file, its kind and the
// range that has a meaning. A new constant is one line in parameters.cpp.

#include <functional>
#include <string>
#include <vector>

#include "models/cost/profile.h"

namespace ringspan {

enum class ParameterKind {
  Microseconds,
  GBytesPerSecond,
  Share,   // at most 1
  Factor,  // at least 1
};

struct Parameter {
  std::string path;  // "algorithm.ring.nvlink_step.ll": its place in the profile's file
  ParameterKind kind = ParameterKind::Microseconds;
  double low = 0, high = 0;  // in the kind's unit; beyond them it means something else
  std::function<double(const Profile&)> value;
  std::function<void(Profile&, double)> set;
};

// Those that the profile has: what is absent or zero there says that this cost is not told apart,
// and stays so.
std::vector<Parameter> fitted_parameters(const Profile& profile);

// "4.4 us", "7.41 GB/s", "0.967".
std::string parameter_text(const Parameter& parameter, double value);

// To three significant digits: a fit determines no more.
double rounded_to_three_digits(double value);

}  // namespace ringspan

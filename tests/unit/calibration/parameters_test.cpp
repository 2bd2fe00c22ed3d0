#include "validation/calibration/parameters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "models/cost/profile_writing.h"

namespace ringspan {
namespace {

const Parameter* find(const std::vector<Parameter>& parameters, std::string_view path) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& one) { return one.path == path; });
  return found == parameters.end() ? nullptr : &*found;
}

TEST(Parameters, EachIsSetByItselfAndReadBack) {
  for (const Profile& profile : builtin_profiles()) {
    const std::vector<Parameter> parameters = fitted_parameters(profile);
    for (const Parameter& changed : parameters) {
      Profile other = profile;
      const double value = (changed.low + changed.high) / 2;
      changed.set(other, value);
      for (const Parameter& one : parameters) {
        const double expected = &one == &changed ? value : one.value(profile);
        // Rates are whole bits per second, durations whole picoseconds.
        EXPECT_NEAR(one.value(other), expected, 1e-6) << one.path << " after " << changed.path;
      }
    }
  }
}

TEST(Parameters, BuiltInValuesAreWithinTheirBounds) {
  for (const Profile& profile : builtin_profiles()) {
    std::set<std::string> paths;
    for (const Parameter& parameter : fitted_parameters(profile)) {
      EXPECT_TRUE(paths.insert(parameter.path).second) << parameter.path;
      EXPECT_LE(parameter.low, parameter.value(profile)) << profile.name << parameter.path;
      EXPECT_GE(parameter.high, parameter.value(profile)) << profile.name << parameter.path;
    }
  }
}

// A comment at each parameter's place: they are written only where the place is in the file.
TEST(Parameters, PathsArePlacesInTheFile) {
  for (const Profile& profile : builtin_profiles()) {
    for (const Parameter& parameter : fitted_parameters(profile)) {
      // What costs as much as Simple is left out of the file.
      Profile other = profile;
      parameter.set(other, parameter.low);
      const std::string text = write_profile(other, {{parameter.path, "here"}});
      EXPECT_NE(text.find("# here"), std::string::npos) << parameter.path;
    }
  }
}

TEST(Parameters, WhatAProfileDoesNotHaveIsNotFitted) {
  Profile profile;
  profile.algorithms.push_back({"default", {}, {microseconds(1)}, {}, {}});
  profile.launch.call = microseconds(4);
  std::vector<std::string> paths;
  for (const Parameter& parameter : fitted_parameters(profile)) paths.push_back(parameter.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"launch.call", "algorithm.default.nvlink_step.ll"}));
  profile.ll_rate_per_channel = bandwidth_from_gbytes_per_second(7);
  EXPECT_NE(find(fitted_parameters(profile), "kernel_rate.ll_per_channel"), nullptr);
}

TEST(Parameters, AnAlgorithmIsFittedWithItsProtocolsOnly) {
  Profile profile;
  PerProtocol all;
  all.fill(microseconds(3));
  profile.algorithms = {
      {"default", all, {}, {}, {}}, {"nvls", all, {}, {}, {}}, {"p2p", all, {}, {}, {}}};
  const std::vector<Parameter> parameters = fitted_parameters(profile);
  EXPECT_NE(find(parameters, "algorithm.default.base.ll128"), nullptr);
  EXPECT_EQ(find(parameters, "algorithm.nvls.base.ll"), nullptr);
  EXPECT_NE(find(parameters, "algorithm.nvls.base.simple"), nullptr);
  EXPECT_NE(find(parameters, "algorithm.p2p.base.ll"), nullptr);
  EXPECT_EQ(find(parameters, "algorithm.p2p.base.ll128"), nullptr);
}

TEST(Parameters, TextHasThreeDigitsAndAUnit) {
  Parameter parameter;
  EXPECT_EQ(parameter_text(parameter, 4.4449), "4.44 us");
  parameter.kind = ParameterKind::GBytesPerSecond;
  EXPECT_EQ(parameter_text(parameter, 1234.5), "1230 GB/s");
  parameter.kind = ParameterKind::Share;
  EXPECT_EQ(parameter_text(parameter, 0.96651), "0.967");
  EXPECT_EQ(rounded_to_three_digits(0.00099951), 0.001);
  EXPECT_EQ(rounded_to_three_digits(0), 0);
}

}  // namespace
}  // namespace ringspan

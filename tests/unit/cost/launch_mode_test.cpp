#include "models/cost/launch_mode.h"

#include <gtest/gtest.h>

#include "sim/base/input_error.h"

namespace ringspan {
namespace {

TEST(LaunchMode, EveryNameIsReadBack) {
  for (const LaunchMode mode : kAllLaunchModes) {
    EXPECT_EQ(launch_mode_from_name(launch_mode_name(mode)), mode);
  }
}

TEST(LaunchMode, AnUnknownNameIsRefusedWithTheNearest) {
  try {
    launch_mode_from_name("thread");
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "error: unknown launch mode 'thread'\nhint: did you mean 'threads'?");
  }
}

}  // namespace
}  // namespace ringspan

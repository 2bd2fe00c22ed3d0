#include "sim/base/stop_check.h"

#include <gtest/gtest.h>

namespace ringspan {
namespace {

TEST(StopCheck, ThrowsOnceItIsToldToStop) {
  bool going = true;
  StopCheck stop([&going] { return going; });
  EXPECT_NO_THROW(stop.ask());
  going = false;
  EXPECT_THROW(stop.ask(), Stopped);
}

TEST(StopCheck, AsksAtEvery128thStep) {
  int asked = 0;
  StopCheck stop([&asked] { return ++asked > 0; });
  for (int i = 0; i < 3 * 128 - 1; ++i) stop.step();
  EXPECT_EQ(asked, 2);
  stop.step();
  EXPECT_EQ(asked, 3);
}

TEST(StopCheck, OfNobodyNeverStops) {
  StopCheck stop;
  for (int i = 0; i < 1000; ++i) EXPECT_NO_THROW(stop.step());
  EXPECT_NO_THROW(stop.ask());
}

}  // namespace
}  // namespace ringspan

#include "sim/base/side_by_side.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace ringspan {
namespace {

TEST(SideBySide, EveryTaskIsDoneOnce) {
  for (const int threads : {1, 3}) {
    std::vector<int> done(100, 0);
    EXPECT_TRUE(run_side_by_side(100, threads, [&](std::size_t task) { ++done[task]; }, {}));
    EXPECT_EQ(done, std::vector<int>(100, 1));
  }
  EXPECT_TRUE(run_side_by_side(0, 2, [](std::size_t) { FAIL(); }, {}));
}

TEST(SideBySide, StopsWhenAskedTo) {
  const auto slow = [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
  EXPECT_FALSE(run_side_by_side(1000, 2, slow, [] { return false; }));
}

TEST(SideBySide, AnExceptionOfATaskReachesTheCaller) {
  const auto fails = [](std::size_t task) {
    if (task == 7) throw std::runtime_error("seven");
  };
  EXPECT_THROW(run_side_by_side(20, 2, fails, {}), std::runtime_error);
}

}  // namespace
}  // namespace ringspan

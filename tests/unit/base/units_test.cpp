#include "sim/base/units.h"

#include <gtest/gtest.h>

#include "sim/base/input_error.h"
#include "sim/base/simulated_time.h"

namespace ringspan {
namespace {

TEST(Units, TransferTimeRoundsUpToAPicosecond) {
  // 1 byte at 400 Gbit/s: 8 / 400e9 s = 20 ps exactly.
  EXPECT_EQ(transfer_time(Bytes{1}, Bandwidth{400'000'000'000}), picoseconds(20));
  // 1 byte at 3 bit/s: 8/3 s = 2.666... e12 ps, rounded up.
  EXPECT_EQ(transfer_time(Bytes{1}, Bandwidth{3}), picoseconds(2'666'666'666'667));
}

TEST(Units, TransferTimeSurvivesTheLargestSizes) {
  // 1 EiB at 1 bit/s exceeds 106 days: saturates instead of overflowing.
  EXPECT_EQ(transfer_time(Bytes{std::int64_t{1} << 60}, Bandwidth{1}), Duration::max());
}

// 25 days are 2.16e18 ps: four times that is still below 2^63 - 1 = 9.22e18.
TEST(SimulatedTime, IsRoundedDownAndRefusedAbove25Days) {
  EXPECT_EQ(simulated_duration(1.9), picoseconds(1));
  EXPECT_EQ(simulated_duration(2.15e18), picoseconds(2'150'000'000'000'000'000));
  EXPECT_THROW(simulated_duration(2.17e18), InputError);
  EXPECT_THROW(simulated_duration(1e30), InputError);
}

TEST(Units, GbytesPerSecondAreExact) {
  EXPECT_EQ(bandwidth_from_gbytes_per_second(450).bits_per_second, 3'600'000'000'000);
  EXPECT_DOUBLE_EQ(to_gbytes_per_second(Bandwidth{400'000'000'000}), 50.0);
}

}  // namespace
}  // namespace ringspan

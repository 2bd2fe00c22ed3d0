#include "sim/base/random.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace ringspan {
namespace {

TEST(Random, SplitmixDrawsThePublishedNumbers) {
  // The reference C code of splitmix64 (prng.di.unimi.it) from seed 1234567.
  std::uint64_t state = 1234567;
  EXPECT_EQ(splitmix64(state), 6457827717110365317u);
  EXPECT_EQ(splitmix64(state), 3203168211198807973u);
  EXPECT_EQ(splitmix64(state), 9817491932198370423u);
}

TEST(Random, XoshiroDrawsThePublishedNumbers) {
  // From state {1, 2, 3, 4}: rotl(2 * 5, 7) * 9 = 1280 * 9 = 11520; then s1 = 2 ^ (3 ^ 1) = 0, so
  // 0; the others from the reference C code of xoshiro256** (prng.di.unimi.it).
  Random random(Random::State{1, 2, 3, 4});
  EXPECT_EQ(random.next(), 11520u);
  EXPECT_EQ(random.next(), 0u);
  EXPECT_EQ(random.next(), 1509978240u);
  EXPECT_EQ(random.next(), 1215971899390074240u);
}

TEST(Random, OneSeedGivesOneSequenceAndAnotherSeedAnother) {
  Random a(7);
  Random b(7);
  Random c(8);
  const std::uint64_t first = a.next();
  EXPECT_EQ(first, b.next());
  EXPECT_NE(first, c.next());
}

TEST(Random, BelowReachesEveryValueAboutEquallyOften) {
  Random random(1);
  std::array<int, 6> seen{};
  for (int i = 0; i < 6'000; ++i) ++seen[random.below(6)];
  // 1,000 expected each, standard deviation sqrt(6000 * 1/6 * 5/6) = 29: five of them.
  for (const int count : seen) EXPECT_NEAR(count, 1'000, 145);
}

TEST(Random, UnitStaysBelowOneAndAveragesAHalf) {
  Random random(2);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double drawn = random.unit();
    ASSERT_GE(drawn, 0.0);
    ASSERT_LT(drawn, 1.0);
    sum += drawn;
  }
  // Standard deviation of the mean: 1 / sqrt(12 * 10000) = 0.0029: five of them.
  EXPECT_NEAR(sum / 10'000, 0.5, 0.0145);
}

TEST(Random, ShuffleKeepsTheItemsAndChangesTheirOrder) {
  Random random(3);
  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  const std::vector<int> before = items;
  random.shuffle(items);
  EXPECT_NE(items, before);
  std::sort(items.begin(), items.end());
  EXPECT_EQ(items, before);
}

}  // namespace
}  // namespace ringspan

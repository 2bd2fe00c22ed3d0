#include "models/cost/prediction_interval.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ringspan {
namespace {

// Fitted to all_reduce over NVLink with a ring on 2 to 8 ranks, 8 B to 1 GiB.
Profile fitted_profile() {
  Profile profile;
  profile.fit.emplace();
  profile.fit->ranges = {{FabricClass::NvlinkDomain,
                          CollectiveKind::AllReduce,
                          {"ring"},
                          Bytes{8},
                          Bytes{std::int64_t{1} << 30},
                          2,
                          8}};
  profile.fit->residuals = {{FabricClass::NvlinkDomain, SizeClass::Small, 50, 5, 0.9, 1, 1.21},
                            {FabricClass::NvlinkDomain, SizeClass::Large, 50, 5, 0.64, 0.8, 0.9}};
  return profile;
}

PredictedCall inside() {
  return {FabricClass::NvlinkDomain, CollectiveKind::AllReduce, "ring", 8, 1024};
}

TEST(PredictionInterval, IsThatOfTheClassAndSize) {
  const Profile profile = fitted_profile();
  EXPECT_FALSE(is_extrapolated(profile, inside()));
  const auto interval = interval_for(profile, inside());
  ASSERT_TRUE(interval.has_value());
  EXPECT_EQ(interval->low, 0.9);
  EXPECT_EQ(interval->high, 1.21);
}

TEST(PredictionInterval, OutsideOfWhatWasFittedIsExtrapolatedAndWider) {
  const Profile profile = fitted_profile();
  PredictedCall other_algorithm = inside();
  other_algorithm.algorithm = "tree";
  PredictedCall more_ranks = inside();
  more_ranks.ranks = 9;
  PredictedCall other_collective = inside();
  other_collective.collective = CollectiveKind::AllGather;
  PredictedCall smaller = inside();
  smaller.bytes = 4;
  for (const PredictedCall& call : {other_algorithm, more_ranks, other_collective, smaller}) {
    EXPECT_TRUE(is_extrapolated(profile, call));
    const auto interval = interval_for(profile, call);
    ASSERT_TRUE(interval.has_value());
    // 1.21^1.5 = 1.1^3 = 1.331.
    EXPECT_NEAR(interval->low, std::pow(0.9, 1.5), 1e-12);
    EXPECT_NEAR(interval->high, 1.331, 1e-12);
  }
}

TEST(PredictionInterval, ABoundOnTheWrongSideOfOneStays) {
  const Profile profile = fitted_profile();
  PredictedCall large = inside();
  large.bytes = std::int64_t{2} << 30;
  const auto interval = interval_for(profile, large);
  ASSERT_TRUE(interval.has_value());
  // 0.64^1.5 = 0.8^3; 0.9 to the power of 1.5 would be lower, and the interval not wider.
  EXPECT_NEAR(interval->low, 0.512, 1e-12);
  EXPECT_EQ(interval->high, 0.9);
}

TEST(PredictionInterval, AClassWithoutRowsAndAProfileWithoutFitHaveNone) {
  PredictedCall call = inside();
  call.fabric_class = FabricClass::SeveralServers;
  EXPECT_FALSE(interval_for(fitted_profile(), call).has_value());
  EXPECT_TRUE(is_extrapolated(fitted_profile(), call));
  EXPECT_FALSE(interval_for(Profile{}, inside()).has_value());
  EXPECT_TRUE(is_extrapolated(Profile{}, inside()));
}

}  // namespace
}  // namespace ringspan

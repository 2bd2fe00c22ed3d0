#include "topologies/fabrics/torus_shape.h"

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

namespace ringspan {
namespace {

double mean_hops(const TorusShape& shape) {
  double sum = 0;
  for (std::uint32_t to = 0; to < shape.switches(); ++to) sum += shape.hops(0, to);
  return sum / shape.switches();
}

std::uint32_t diameter(const TorusShape& shape) {
  std::uint32_t most = 0;
  for (std::uint32_t to = 0; to < shape.switches(); ++to) most = std::max(most, shape.hops(0, to));
  return most;
}

TEST(TorusShape, MeanHopsAreAQuarterOfEverySize) {
  // Even k: k/4; odd k: (k^2 - 1) / 4k. 8, 4, 6: 2 + 1 + 1.5; 5: 24/20 = 1.2.
  EXPECT_DOUBLE_EQ(mean_hops(TorusShape({8, 4, 6}, {})), 4.5);
  EXPECT_DOUBLE_EQ(mean_hops(TorusShape({5}, {})), 1.2);
  // The farthest is half way round in every dimension: 4 + 2 + 3.
  EXPECT_EQ(diameter(TorusShape({8, 4, 6}, {})), 9U);
}

TEST(TorusShape, EveryNeighbourIsOneHopAwayAndLeadsBack) {
  for (const TorusShape& shape :
       {TorusShape({3, 4, 2}, {}), TorusShape({2, 1, 5, 3}, {}), TorusShape({8, 4}, {{1, 0, 4}}),
        TorusShape({4, 2, 3}, {{1, 0, 1}, {2, 0, 2}})}) {
    for (std::uint32_t at = 0; at < shape.switches(); ++at) {
      for (std::uint32_t d = 0; d < shape.sizes().size(); ++d) {
        if (shape.directions(d) == 0) continue;
        const std::uint32_t up = shape.neighbour(at, {d, true});
        EXPECT_EQ(shape.neighbour(up, {d, false}), at);
        EXPECT_EQ(shape.hops(at, up), 1U);
      }
    }
  }
}

// Stepping nearer comes to the end in as many steps as hops() says, whichever step is taken.
void expect_steps_arrive(const TorusShape& shape) {
  TorusSteps steps;
  for (std::uint32_t from = 0; from < shape.switches(); ++from) {
    for (std::uint32_t to = 0; to < shape.switches(); ++to) {
      for (const bool last : {false, true}) {
        std::uint32_t at = from;
        std::uint32_t hops = 0;
        while (at != to) {
          shape.nearer(at, to, from, steps);
          ASSERT_GT(steps.count, 0U);
          at = shape.neighbour(at, steps.steps[last ? steps.count - 1 : 0]);
          ++hops;
        }
        ASSERT_EQ(hops, shape.hops(from, to)) << from << " to " << to;
      }
    }
  }
}

TEST(TorusShape, StepsNearerArriveInAsManyHopsAsThereAre) {
  expect_steps_arrive(TorusShape({6, 5, 2}, {}));
  expect_steps_arrive(TorusShape({8, 4}, {{1, 0, 4}}));
  expect_steps_arrive(TorusShape({6, 1}, {{1, 0, 3}}));
  expect_steps_arrive(TorusShape({8, 4, 4}, {{1, 0, 4}, {2, 0, 4}}));
}

TEST(TorusShape, ATwistOfHalfTheLongSideShortensARectangularTorus) {
  // Camara et al. (IEEE TPDS 21(12), 2010): the 2a x a torus twisted by a has diameter a, the plain
  // one a + a/2. a = 4: 4 against 6. Mean, counted by hand from the distance classes of the twisted
  // one: 1, 4, 8, 12, 7 switches at 0..4 hops: (4 + 16 + 36 + 28) / 32 = 2.625; plain: 2 + 1 = 3.
  const TorusShape plain({8, 4}, {});
  const TorusShape twisted({8, 4}, {{1, 0, 4}});
  EXPECT_EQ(diameter(plain), 6U);
  EXPECT_EQ(diameter(twisted), 4U);
  EXPECT_DOUBLE_EQ(mean_hops(plain), 3);
  EXPECT_DOUBLE_EQ(mean_hops(twisted), 2.625);
}

TEST(TorusShape, HalfWayRoundEvenSourcesGoUpAndOddOnesDown) {
  const TorusShape ring({8}, {});
  TorusSteps steps;
  ring.nearer(2, 6, 2, steps);
  ASSERT_EQ(steps.count, 2U);
  EXPECT_TRUE(steps.steps[0].up);
  ring.nearer(3, 7, 3, steps);
  ASSERT_EQ(steps.count, 2U);
  EXPECT_FALSE(steps.steps[0].up);
  ring.nearer(3, 6, 3, steps);
  ASSERT_EQ(steps.count, 1U);
  EXPECT_TRUE(steps.steps[0].up);
}

}  // namespace
}  // namespace ringspan

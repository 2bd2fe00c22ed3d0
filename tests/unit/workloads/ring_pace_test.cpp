#include "models/workloads/ring_pace.h"

#include <gtest/gtest.h>

#include <vector>

namespace ringspan {
namespace {

using Edge = RingPace::Edge;
using Kinds = std::vector<std::uint32_t>;

// Four alike edges, 10 ps a slice, 5 ps on the way, one slice a step: a step takes 10 + 5. After
// the last one is sent it is 5 ps on the way.
TEST(RingPace, AlikeEdges) {
  const std::vector<Edge> kinds = {{10, 10, 5}};
  const Kinds walk = {0, 0, 0, 0};
  const RingPace ring(kinds, walk, {1, 1, 0});
  EXPECT_DOUBLE_EQ(ring.step_latency(6), 5);
  EXPECT_DOUBLE_EQ(ring.tail(6), 5);
}

// Two servers of two GPUs: inside 1 + 3 ps, between them 2 + 18. Once around takes 4 + 20 + 4 + 20,
// 12 a step; the worst five edges are 48 + 20, 13.6 each, of which 2 are the slowest edge's
// transmission. Six edges: 48 + 24 (any two that follow each other).
TEST(RingPace, EdgesThatDifferCountWithTheirMean) {
  const std::vector<Edge> kinds = {{1, 1, 3}, {2, 2, 18}};
  const Kinds walk = {0, 1, 0, 1};
  const RingPace ring(kinds, walk, {1, 1, 0});
  EXPECT_NEAR(ring.step_latency(4), 12 - 2, 1e-9);
  EXPECT_NEAR(ring.step_latency(5), 13.6 - 2, 1e-9);
  // 5 steps of 13.6, one of 2 and the tail are the 72 that the first slice walks.
  EXPECT_NEAR(ring.tail(6), 72 - 5 * 13.6 - 2, 1e-9);
}

// The same with k = 2 slices a step and a buffer of two: a slot is held for 2 + 18 + 1, so that two
// slices take 21 ps instead of 12. Of 100 steps' 200 slices, the first two find room.
TEST(RingPace, ABufferThatIsTooSmallHoldsUpTheRing) {
  const std::vector<Edge> kinds = {{1, 1, 3}, {2, 2, 18}};
  const Kinds walk = {0, 1, 0, 1};
  const RingPace ring(kinds, walk, {2, 2, 2});
  EXPECT_NEAR(ring.step_latency(100), 198.0 / 200 * (21 - 2), 1e-9);
  EXPECT_DOUBLE_EQ(ring.tail(101), 18);
  const RingPace roomy(kinds, walk, {2, 2, 8});
  EXPECT_NEAR(roomy.step_latency(100), 12 - 2, 1e-9);
}

// Bytes rule: 50 slices behind one another on the slow edge, however long the way is.
TEST(RingPace, TheSlowestEdgeIsNeverIdleWhereBytesRule) {
  const std::vector<Edge> kinds = {{1, 1, 1}, {40, 40, 2}};
  const Kinds walk = {0, 0, 0, 1};
  const RingPace ring(kinds, walk, {2, 2, 0});
  EXPECT_DOUBLE_EQ(ring.step_latency(24), 0);
  EXPECT_DOUBLE_EQ(ring.tail(25), 2);
}

// Four rings of other orders, each 1 ps a slice, on edges with 9 ps on the way: beside all of them
// 4 ps. At a period P a slice takes 1 / (1 - 3 / P), and P is that plus 9:
// (P - 9) (P - 3) = P, so P = (13 + sqrt(61)) / 2 = 10.405.
TEST(RingPace, RingsOfOtherOrdersMeetNowAndThen) {
  const std::vector<Edge> kinds = {{1, 4, 9}};
  const Kinds walk = {0, 0, 0, 0};
  const RingPace ring(kinds, walk, {1, 1, 0});
  EXPECT_NEAR(ring.step_latency(8), 10.405125 - 4, 1e-6);
}

// No latency: the links are always busy, and all rings share them.
TEST(RingPace, RingsShareFullyWhereBytesRule) {
  const std::vector<Edge> kinds = {{1, 4, 0}};
  const Kinds walk = {0, 0, 0, 0};
  EXPECT_NEAR(RingPace(kinds, walk, {1, 1, 0}).step_latency(8), 0, 1e-9);
}

}  // namespace
}  // namespace ringspan

#include "sim/network/queueing_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/input_error.h"
#include "sim/base/units.h"
#include "tests/unit/network/segment_bench.h"

namespace ringspan {
namespace {

using testing::ElementsAre;

TEST(QueueingNetwork, FlowAloneTakesItsTransferOnceAndEveryLatency) {
  const Links path = {0, 1};
  FlowStart flow = flow_of(4, 16 * kSegment, path);
  flow.notify_sent = true;
  flow.extra_latency = nanoseconds(300);
  // Cut-through: the second link adds its latency only.
  EXPECT_THAT(
      run_flows(links_of(2), {&flow, 1}),
      ElementsAre(sent(16 * kService, 4), delivered(16 * kService + 2 * kLatency + 300'000, 4)));
}

TEST(QueueingNetwork, ShortLastSegmentTakesItsOwnTime) {
  const Links path = {0, 1};
  const FlowStart flow = flow_of(0, 100'001, path);
  EXPECT_THAT(run_flows(links_of(2), {&flow, 1}),
              ElementsAre(delivered(100'001 * 20 + 2 * kLatency, 0)));
}

TEST(QueueingNetwork, EveryServiceIsRoundedUpToAPicosecond) {
  // 640 Gbit/s are 12.5 ps per byte: one byte takes 13 ps, two take 25.
  const std::vector<NetworkLink> links = {{{640'000'000'000}, {}}};
  const Links path = {0};
  const FlowStart one = flow_of(0, 1, path);
  const FlowStart two = flow_of(0, 2, path);
  EXPECT_THAT(run_flows(links, {&one, 1}), ElementsAre(delivered(13, 0)));
  EXPECT_THAT(run_flows(links, {&two, 1}), ElementsAre(delivered(25, 0)));
}

TEST(QueueingNetwork, SlowestLinkSetsThePaceWhereverItStands) {
  std::vector<NetworkLink> links = links_of(3);
  links[1].rate = kTwentyFiveGigabytes;
  for (const Links& path : {Links{0, 1}, Links{1, 0}, Links{0, 1, 2}}) {
    const FlowStart flow = flow_of(0, 5 * kSegment, path);
    const auto hops = static_cast<std::int64_t>(path.size());
    EXPECT_THAT(run_flows(links, {&flow, 1}),
                ElementsAre(delivered(5 * 2 * kService + hops * kLatency, 0)));
  }
}

TEST(QueueingNetwork, FlowsOfOneSourceTakeTurnsSegmentBySegment) {
  const Links path = {0, 1};
  const Links other = {0, 2};
  const std::vector<FlowStart> flows = {flow_of(0, 3 * kSegment, path), flow_of(1, kSegment, other),
                                        flow_of(2, 2 * kSegment, other)};
  // Order on link 0: 0 1 2 0 2 0.
  EXPECT_THAT(run_flows(links_of(3), flows),
              ElementsAre(delivered(2 * kService + 2 * kLatency, 1),
                          delivered(5 * kService + 2 * kLatency, 2),
                          delivered(6 * kService + 2 * kLatency, 0)));
}

TEST(QueueingNetwork, FlowsStartedOneByOneAtAnInstantAreTreatedAsOneBatch) {
  const Links path = {0, 1};
  const std::vector<FlowStart> flows = {flow_of(0, 3 * kSegment, path),
                                        flow_of(1, 3 * kSegment, path)};
  QueueingNetwork network(links_of(2));
  network.start(kTimeZero, {flows.data(), 1});
  network.start(kTimeZero, {flows.data() + 1, 1});
  EXPECT_EQ(run_to_end(network), run_flows(links_of(2), flows));
}

TEST(QueueingNetwork, IncastKeepsTheLastLinkBusyWithoutGaps) {
  const std::uint32_t sources = 7;
  std::vector<Links> paths;
  for (std::uint32_t source = 0; source < sources; ++source) {
    paths.push_back({source, sources});
  }
  std::vector<FlowStart> flows;
  for (std::uint32_t source = 0; source < sources; ++source) {
    flows.push_back(flow_of(source, 4 * kSegment, paths[source]));
  }
  const std::vector<Seen> seen = run_flows(links_of(sources + 1), flows);
  ASSERT_EQ(seen.size(), sources);
  // The first segment's head is there after 1 us; 28 segments follow each other; 1 us to the end.
  EXPECT_EQ(seen.back().time, kLatency + 28 * kService + kLatency);
  // First come, first served: the flows' last segments leave one service apart.
  EXPECT_EQ(seen.front().time, kLatency + 22 * kService + kLatency);
}

TEST(QueueingNetwork, AFlowThatStartsLateWaitsForTheSegmentOnTheLink) {
  const Links path = {0};
  QueueingNetwork network(links_of(1));
  const FlowStart early = flow_of(0, 4 * kSegment, path);
  const FlowStart late = flow_of(1, kSegment, path);
  network.start(kTimeZero, {&early, 1});
  std::vector<FlowEvent> events;
  // In the middle of the second segment: the third was next in turn, and the late one comes after.
  const Time middle = kTimeZero + picoseconds(3 * kService / 2);
  network.advance(middle, events);
  network.start(middle, {&late, 1});
  EXPECT_THAT(run_to_end(network), ElementsAre(delivered(4 * kService + kLatency, 1),
                                               delivered(5 * kService + kLatency, 0)));
}

TEST(QueueingNetwork, EventsOfOneInstantComeInTheOrderStarted) {
  const std::vector<Links> paths = {{2}, {0}, {1}};
  const std::vector<FlowStart> flows = {flow_of(9, kSegment, paths[0]), flow_of(3, 10, paths[1]),
                                        flow_of(5, kSegment, paths[2])};
  EXPECT_THAT(run_flows(links_of(3), flows),
              ElementsAre(delivered(200 + kLatency, 3), delivered(kService + kLatency, 9),
                          delivered(kService + kLatency, 5)));
}

TEST(QueueingNetwork, WeightsScaleTheTimeOnTheirLink) {
  const Links path = {0, 1};
  const std::vector<float> weights = {0.5F, 2.0F};
  FlowStart flow = flow_of(0, 8 * kSegment, path);
  flow.weights = weights;
  EXPECT_THAT(run_flows(links_of(2), {&flow, 1}),
              ElementsAre(delivered(8 * 2 * kService + 2 * kLatency, 0)));
}

TEST(QueueingNetwork, StripedStageMovesItsPartsSideBySide) {
  const Links path = {0, 1, 2, 3};
  const std::vector<float> weights(4, 0.25F);
  const std::vector<std::uint32_t> stages(4, 0);
  FlowStart flow = flow_of(0, 8 * kSegment, path);
  flow.weights = weights;
  flow.stages = stages;
  EXPECT_THAT(run_flows(links_of(4), {&flow, 1}),
              ElementsAre(delivered(8 * kService / 4 + kLatency, 0)));
}

TEST(QueueingNetwork, MulticastEndsWithItsSlowestBranch) {
  std::vector<NetworkLink> links = links_of(4);
  links[2].rate = kTwentyFiveGigabytes;
  const Links path = {0, 1, 2, 3};
  const std::vector<std::uint32_t> stages = {0, 1, 1, 1};
  FlowStart flow = flow_of(0, 6 * kSegment, path);
  flow.stages = stages;
  EXPECT_THAT(run_flows(links, {&flow, 1}),
              ElementsAre(delivered(kLatency + 6 * 2 * kService + kLatency, 0)));
}

TEST(QueueingNetwork, ReductionInASwitchGoesAtThePaceOfItsSlowestSource) {
  std::vector<NetworkLink> links = links_of(3);
  links[1].rate = kTwentyFiveGigabytes;
  const Links path = {0, 1, 2};
  const std::vector<std::uint32_t> stages = {0, 0, 1};
  FlowStart flow = flow_of(0, 6 * kSegment, path);
  flow.stages = stages;
  flow.notify_sent = true;
  EXPECT_THAT(
      run_flows(links, {&flow, 1}),
      ElementsAre(sent(6 * 2 * kService, 0), delivered(6 * 2 * kService + 2 * kLatency, 0)));
}

TEST(QueueingNetwork, OneCreditAllowsOneSegmentPerRoundTrip) {
  const Links path = {0, 1};
  const FlowStart flow = flow_of(0, 5 * kSegment, path);
  QueueingOptions options;
  options.credits = 1;
  // A segment leaves link 1 at start + 1 us + service; the credit is back 1 us later.
  EXPECT_THAT(run_flows(links_of(2), {&flow, 1}, options),
              ElementsAre(delivered(5 * (kService + 2 * kLatency), 0)));
}

TEST(QueueingNetwork, TwoCreditsKeepTwoSegmentsUnderWay) {
  const Links path = {0, 1};
  const FlowStart flow = flow_of(0, 4 * kSegment, path);
  QueueingOptions options;
  options.link_credits = {2, 0};
  // Starts: 0, S, then one round trip S + 2 us after the last but one: S + 2 us, 2 S + 2 us.
  EXPECT_THAT(run_flows(links_of(2), {&flow, 1}, options),
              ElementsAre(delivered(2 * kService + 2 * kLatency + kService + 2 * kLatency, 0)));
}

TEST(QueueingNetwork, FullBufferBlocksTheFlowBehindIt) {
  std::vector<NetworkLink> links = links_of(3);
  links[1].rate = {4'000'000'000};  // a hundredth
  const Links slow = {0, 1};
  const Links fast = {0, 2};
  const std::vector<FlowStart> flows = {flow_of(0, 4 * kSegment, slow),
                                        flow_of(1, 4 * kSegment, fast)};
  QueueingOptions limited;
  limited.link_credits = {2, 0, 0};
  const auto end_of_fast = [](const std::vector<Seen>& seen) {
    return std::find_if(seen.begin(), seen.end(), [](const Seen& s) { return s.tag == 1; })->time;
  };
  // Without limit the fast flow's last segment is the eighth on link 0.
  EXPECT_EQ(end_of_fast(run_flows(links, flows)), 8 * kService + 2 * kLatency);
  // With two places, its last segment follows the slow flow's fourth, which needs the credit of
  // the slow flow's second or third: two or more services of 100 S.
  EXPECT_GT(end_of_fast(run_flows(links, flows, limited)), 200 * kService);
}

TEST(QueueingNetwork, CreditsThatNeverRunOutChangeNothing) {
  const std::vector<Links> paths = {{0, 2, 3}, {1, 2, 4}, {1, 2, 3}};
  std::vector<FlowStart> flows;
  for (FlowTag tag = 0; tag < 3; ++tag) {
    flows.push_back(flow_of(tag, 20 * kSegment + 77, paths[tag]));
  }
  QueueingOptions plenty;
  plenty.credits = 1000;
  EXPECT_EQ(run_flows(links_of(5), flows, plenty), run_flows(links_of(5), flows));
}

TEST(QueueingNetwork, ACycleOfFullBuffersIsAStallThatNamesWhoWaitsForWhat) {
  const std::vector<Links> paths = {{0, 1}, {1, 2}, {2, 0}};
  std::vector<FlowStart> flows;
  for (FlowTag tag = 0; tag < 3; ++tag) {
    flows.push_back(flow_of(10 + tag, kSegment, paths[tag]));
  }
  QueueingOptions options;
  options.credits = 1;
  QueueingNetwork network(links_of(3), options);
  network.start(kTimeZero, flows);
  EXPECT_THAT(run_to_end(network), ElementsAre());
  EXPECT_EQ(network.next_event(), kNever);
  EXPECT_EQ(network.flows_under_way(), 3);
  const std::vector<WaitingSegment> waiting = network.waiting();
  ASSERT_EQ(waiting.size(), 3U);
  for (std::uint32_t link = 0; link < 3; ++link) {
    EXPECT_EQ(waiting[link].waits_for, link);
    EXPECT_EQ(waiting[link].holds, (link + 2) % 3);
    EXPECT_EQ(waiting[link].tag, 10 + (link + 2) % 3);
  }
}

TEST(QueueingNetwork, CostsOneEventPerSegmentAndLink) {
  const Links path = {0, 1, 2};
  const FlowStart flow = flow_of(0, 100 * kSegment, path);
  QueueingNetwork network(links_of(3));
  network.start(kTimeZero, {&flow, 1});
  run_to_end(network);
  EXPECT_EQ(network.events_processed(), 300);
  EXPECT_EQ(network.flows_under_way(), 0);
}

TEST(QueueingNetwork, ATimeBeyondTheClockIsAnInputError) {
  const Links path = {0};
  const FlowStart flow = flow_of(0, std::int64_t{1} << 50, path);
  // At 1 bit/s a segment alone takes 6 days; at 10 bit/s the queue grows past 80 days.
  const std::vector<NetworkLink> slowest = {{{1}, {}}};
  EXPECT_THROW(run_flows(slowest, {&flow, 1}), InputError);
  const std::vector<NetworkLink> slow = {{{10}, {}}};
  EXPECT_THROW(run_flows(slow, {&flow, 1}), InputError);
}

}  // namespace
}  // namespace ringspan

#include "sim/network/fluid_network.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/network/flow_bench.h"

namespace ringspan {
namespace {

using Ends = std::vector<std::int64_t>;

TEST(FluidNetwork, AFlowByItselfTakesItsSizeOverTheSlowestLink) {
  // 1,000 bytes at min(4, 2, 8) bytes/ps: 500 ps; latencies 10 + 20 + 30 and 5 of its own.
  const std::vector<NetworkLink> links = {byte_per_ps(4, 10), byte_per_ps(2, 20),
                                          byte_per_ps(8, 30)};
  FluidNetwork network(links);
  const TestFlow flow{0, 1'000, {0, 1, 2}, {}, 5};
  const TestEnds ends = run_flows(network, {&flow, 1});
  EXPECT_EQ(ends.sent, Ends{500});
  EXPECT_EQ(ends.delivered, Ends{565});
  EXPECT_EQ(network.flows_under_way(), 0);
}

TEST(FluidNetwork, LatencyFirstDelaysTheSharingAndNotOnlyTheDelivery) {
  // Link 0: 1 byte/ps, 100 ps latency. Flow 0 (1,000 B) starts at 0, flow 1 (1,000 B) at 500.
  // Transmission first: flow 0 has 500 B left at 500, both run at 1/2: flow 0 sends its last byte
  // at 1,500, flow 1 has 500 B left and sends its last at 2,000; delivery 100 later.
  // Latency first: flow 0 shares from 100, has 500 B left at 600 when flow 1 joins; ends 1,600
  // and 2,100. Delivered and sent are one instant.
  const std::vector<NetworkLink> links = {byte_per_ps(1, 100)};
  const std::vector<TestFlow> flows = {{0, 1'000, {0}, {}, 0}, {500, 1'000, {0}, {}, 0}};
  FluidNetwork after(links);
  const TestEnds first = run_flows(after, flows);
  EXPECT_EQ(first.sent, (Ends{1'500, 2'000}));
  EXPECT_EQ(first.delivered, (Ends{1'600, 2'100}));
  FluidNetwork before(links, {LatencyOrder::BeforeTransmission, false});
  const TestEnds second = run_flows(before, flows);
  EXPECT_EQ(second.sent, (Ends{1'600, 2'100}));
  EXPECT_EQ(second.delivered, (Ends{1'600, 2'100}));
}

TEST(FluidNetwork, LatencyOrderShowsWhenAFlowEndsBeforeTheOtherSharesItsLink) {
  // Flow 1's path has 2,000 ps latency of its own. Transmission first: both share from 0 at 1/2,
  // sent at 2,000. Latency first: flow 0 is gone at 1,000, flow 1 sends from 2,000 to 3,000.
  const std::vector<NetworkLink> links = {byte_per_ps(1)};
  const std::vector<TestFlow> flows = {{0, 1'000, {0}, {}, 0}, {0, 1'000, {0}, {}, 2'000}};
  FluidNetwork after(links);
  EXPECT_EQ(run_flows(after, flows).delivered, (Ends{2'000, 4'000}));
  FluidNetwork before(links, {LatencyOrder::BeforeTransmission, false});
  EXPECT_EQ(run_flows(before, flows).delivered, (Ends{1'000, 3'000}));
}

TEST(FluidNetwork, TimesAreRoundedUpToAPicosecondAndNotFurther) {
  // 1,000 bytes at 3 bytes/ps: 333.33 ps, so 334. 1,001 x 80 Gbit/s = 0.01 bytes/ps: 100,100
  // exactly, although 0.01 is no double.
  const std::vector<NetworkLink> links = {byte_per_ps(3), {Bandwidth{80'000'000'000}, Duration{}}};
  FluidNetwork network(links);
  const std::vector<TestFlow> flows = {{0, 1'000, {0}, {}, 0}, {0, 1'001, {1}, {}, 0}};
  EXPECT_EQ(run_flows(network, flows).delivered, (Ends{334, 100'100}));
}

TEST(FluidNetwork, TheRunEndsWithTheLastFlowAndNotWithAnEventMadeVoid) {
  // Sizes 300 and 900 on one link of 1 byte/ps. At 1/2 each flow 0 ends at 600; flow 1 then has
  // 600 left and ends at 1,200, not at the 1,800 its first share promised.
  const std::vector<NetworkLink> links = {byte_per_ps(1)};
  FluidNetwork network(links);
  const std::vector<TestFlow> flows = {{0, 300, {0}, {}, 0}, {0, 900, {0}, {}, 0}};
  const TestEnds ends = run_flows(network, flows);
  EXPECT_EQ(ends.delivered, (Ends{600, 1'200}));
  EXPECT_EQ(network.next_event(), kNever);
  // The clock jumps over what was void, and the network is as good as new: 100 more at 1,300.
  const FlowStart late = plain_flow(7, 100, flows[0].links);
  network.start(kTimeZero + picoseconds(1'300), {&late, 1});
  EXPECT_EQ(network.next_event(), kTimeZero + picoseconds(1'400));
}

TEST(FluidNetwork, AGroupSlowedDownEndsLaterThanItsFirstEventSays) {
  // Flows 0 and 1 of 1,000 B share 1 byte/ps: their event is queued for 2,000. At 1,000 (500 B left
  // each) two more of 1,000 B come: 1/4 each. 0 and 1 need 2,000 more: 3,000; then 2 and 3 have
  // 500 left at 1/2: 4,000.
  const std::vector<NetworkLink> links = {byte_per_ps(1)};
  FluidNetwork network(links);
  const std::vector<TestFlow> flows = {{0, 1'000, {0}, {}, 0},
                                       {0, 1'000, {0}, {}, 0},
                                       {1'000, 1'000, {0}, {}, 0},
                                       {1'000, 1'000, {0}, {}, 0}};
  EXPECT_EQ(run_flows(network, flows).delivered, (Ends{3'000, 3'000, 4'000, 4'000}));
}

TEST(FluidNetwork, AThousandEqualFlowsEndInOneInstantInTheOrderStarted) {
  // 1,024 flows of 3,000 B on one link of 1 byte/ps: all end at 1,024 x 3,000 ps. The way there
  // includes a share of 1/1,024 each; a second link per flow must not split the level.
  std::vector<NetworkLink> links = {byte_per_ps(1)};
  std::vector<TestFlow> flows;
  for (std::uint32_t i = 0; i < 1'024; ++i) {
    links.push_back(byte_per_ps(1 + i % 3));
    flows.push_back({0, 3'000, {i + 1, 0}, {}, 0});
  }
  FluidNetwork network(links);
  int instants = 0;
  const TestEnds ends = run_flows(network, flows, [&](std::int64_t) { ++instants; });
  EXPECT_EQ(ends.delivered, Ends(1'024, 3'072'000));
  EXPECT_EQ(instants, 2);  // all start, all end
  EXPECT_TRUE(std::is_sorted(ends.order.begin(), ends.order.end()));
}

TEST(FluidNetwork, EndsOfOneInstantComeInTheOrderStartedAlsoOnReusedSlots) {
  // Three links, flow i on link i; slots are given back in the order 2, 1, 0 and taken again.
  const std::vector<NetworkLink> links = {byte_per_ps(1), byte_per_ps(1), byte_per_ps(1)};
  FluidNetwork network(links);
  const std::vector<TestFlow> flows = {{0, 300, {0}, {}, 0},   {0, 200, {1}, {}, 0},
                                       {0, 100, {2}, {}, 0},   {400, 500, {2}, {}, 0},
                                       {400, 500, {0}, {}, 0}, {400, 500, {1}, {}, 0}};
  EXPECT_EQ(run_flows(network, flows).order, (std::vector<std::uint32_t>{2, 1, 0, 3, 4, 5}));
}

TEST(FluidNetwork, SentAndDeliveredOfSeveralGroupsComeInTheOrderStarted) {
  // Flow i on link i mod 3, 1 byte/ps each, 100 flows a link. Links 0 and 1 carry 100 B a flow: all
  // of these end at 10,000, link by link inside. Link 2 carries 200 B a flow: 20,000.
  const std::vector<NetworkLink> links(3, byte_per_ps(1));
  FluidNetwork network(links);
  for (std::uint32_t i = 0; i < 300; ++i) {
    const std::uint32_t link = i % 3;
    FlowStart flow = plain_flow(i, link == 2 ? 200 : 100, {&link, 1});
    flow.notify_sent = true;
    network.start(kTimeZero, {&flow, 1});
  }
  for (const std::int64_t instant : {10'000, 20'000}) {
    ASSERT_EQ(network.next_event(), kTimeZero + picoseconds(instant));
    std::vector<FlowEvent> events;
    network.advance(kTimeZero + picoseconds(instant), events);
    std::vector<std::pair<FlowTag, FlowEventKind>> expected;
    for (std::uint32_t i = 0; i < 300; ++i) {
      if ((i % 3 == 2) == (instant == 20'000)) {
        expected.emplace_back(i, FlowEventKind::Sent);
        expected.emplace_back(i, FlowEventKind::Delivered);
      }
    }
    std::vector<std::pair<FlowTag, FlowEventKind>> found;
    for (const FlowEvent& event : events) {
      found.emplace_back(event.tag, event.kind);
    }
    EXPECT_EQ(found, expected);
  }
  EXPECT_EQ(network.next_event(), kNever);
}

TEST(FluidNetwork, GroupsThatEndTogetherLeaveOneLinkEmptyAndAnotherToOthers) {
  // Links 0 and 1 (1 byte/ps) hold two flows of 500 B each, which end at 1,000. Those of link 0
  // cross link 2 (4 bytes/ps), where flow 4 (6,000 B) has the other 3 and stays, with 3,000 B left:
  // alone it takes 750 more. Link 3 is crossed by a flow of either group and is empty then, so that
  // flow 5 (100 B over links 1 and 3) has both for itself, as flow 6 has link 0.
  const std::vector<NetworkLink> links = {byte_per_ps(1), byte_per_ps(1), byte_per_ps(4),
                                          byte_per_ps(100)};
  const std::vector<TestFlow> flows = {{0, 500, {0, 3, 2}, {}, 0}, {0, 500, {0, 2}, {}, 0},
                                       {0, 500, {1, 3}, {}, 0},    {0, 500, {1}, {}, 0},
                                       {0, 6'000, {2}, {}, 0},     {1'000, 100, {1, 3}, {}, 0},
                                       {1'000, 100, {0}, {}, 0}};
  FluidNetwork network(links);
  const TestEnds ends = run_flows(network, flows, [&](std::int64_t now) {
    for (const FluidFlowState& flow : network.transmitting()) {
      EXPECT_TRUE(now < 1'000 || flow.held_by == -1) << "flow " << flow.tag << " is not alone";
    }
  });
  EXPECT_EQ(ends.delivered, (Ends{1'000, 1'000, 1'000, 1'000, 1'750, 1'100, 1'100}));
}

TEST(FluidNetwork, FlowsThatWaitTogetherBeginEachAtItsOwnTime) {
  // Latency first, a link of 1 byte/ps and 100 B for each flow, started at once with latencies that
  // repeat, change and come back. Each flow is two events: it begins and it ends.
  const std::vector<std::int64_t> latencies = {10, 10, 20, 10, 20, 20, 20, 10};
  std::vector<NetworkLink> links;
  std::vector<TestFlow> flows;
  Ends expected;
  for (std::uint32_t i = 0; i < latencies.size(); ++i) {
    links.push_back(byte_per_ps(1));
    flows.push_back({0, 100, {i}, {}, latencies[i]});
    expected.push_back(latencies[i] + 100);
  }
  FluidNetwork network(links, {LatencyOrder::BeforeTransmission, false});
  EXPECT_EQ(run_flows(network, flows).delivered, expected);
  EXPECT_EQ(network.events_processed(), 16);
}

TEST(FluidNetwork, PathsMayBeLongAndOfMixedLength) {
  // 73 links of 1 byte/ps, one flow over all, and one over link 40 only: 1/2 each. The short one
  // (100 B) ends at 200, the long one (500 B) has 400 left: 600.
  std::vector<NetworkLink> links(73, byte_per_ps(1));
  std::vector<std::uint32_t> all(73);
  for (std::uint32_t i = 0; i < 73; ++i) {
    all[i] = i;
  }
  FluidNetwork network(links);
  const std::vector<TestFlow> flows = {
      {0, 500, all, {}, 0}, {0, 100, {40}, {}, 0}, {700, 50, {0}, {}, 0}, {700, 30, all, {}, 0}};
  // The second pair shares link 0: 30 B at 1/2 end at 760, the other has 20 left: 780.
  EXPECT_EQ(run_flows(network, flows).delivered, (Ends{600, 200, 780, 760}));
}

TEST(FluidNetwork, LinksOfOneStageAddTheLongestOfTheirLatencies) {
  // A multicast: up one link (10 ps), then side by side down three (20, 40, 30 ps), then one more
  // of 5 ps: 10 + 40 + 5. 100 B at 1 byte/ps.
  const std::vector<NetworkLink> links = {byte_per_ps(1, 10), byte_per_ps(1, 20),
                                          byte_per_ps(1, 40), byte_per_ps(1, 30),
                                          byte_per_ps(1, 5)};
  const std::vector<std::uint32_t> path = {0, 1, 2, 3, 4};
  const std::vector<std::uint32_t> stages = {0, 1, 1, 1, 2};
  FluidNetwork network(links);
  FlowStart flow = plain_flow(0, 100, path);
  flow.stages = stages;
  network.start(kTimeZero, {&flow, 1});
  std::vector<FlowEvent> events;
  network.advance(network.next_event(), events);  // transmitted, at 100
  EXPECT_TRUE(events.empty());
  EXPECT_EQ(network.next_event(), kTimeZero + picoseconds(155));
}

TEST(FluidNetwork, AFlowThatCannotProgressIsRefused) {
  const std::vector<NetworkLink> links = {byte_per_ps(1), {Bandwidth{0}, Duration{}}};
  FluidNetwork network(links);
  const std::vector<std::uint32_t> path = {0, 1};
  const std::vector<std::uint32_t> good = {0};
  const std::vector<float> zero = {0.0F};
  const auto start = [&](FlowStart flow) { network.start(kTimeZero, {&flow, 1}); };
  FlowStart weightless = plain_flow(0, 1, good);
  weightless.weights = zero;
  EXPECT_THROW(start(plain_flow(0, 1, path)), std::logic_error);
  EXPECT_THROW(start(plain_flow(0, 0, good)), std::logic_error);
  EXPECT_THROW(start(plain_flow(0, 1, {})), std::logic_error);
  EXPECT_THROW(start(weightless), std::logic_error);
  EXPECT_EQ(network.flows_under_way(), 0);
}

}  // namespace
}  // namespace ringspan

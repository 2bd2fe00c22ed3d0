// Shares against closed forms, against the conditions that define max-min fairness, and of the
// level cut against the full refill.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "sim/network/fluid_network.h"
#include "tests/unit/network/flow_bench.h"

namespace ringspan {
namespace {

using Ends = std::vector<std::int64_t>;

std::vector<double> rates_at_start(const std::vector<NetworkLink>& links,
                                   const std::vector<TestFlow>& flows) {
  FluidNetwork network(links);
  for (std::uint32_t i = 0; i < flows.size(); ++i) {
    FlowStart start = plain_flow(i, flows[i].size, flows[i].links);
    start.weights = flows[i].weights;
    network.start(kTimeZero, {&start, 1});
  }
  std::vector<double> rates;
  for (const FluidFlowState& state : network.transmitting()) {
    rates.push_back(state.rate);
  }
  return rates;
}

TEST(FluidSharing, TheParkingLotGivesTheLongFlowTheSmallestOfItsShares) {
  // Links of 3, 2 and 6 bytes/ps. Flow 0 crosses all; flow 1 link 0; flow 2 and 3 link 1; flow 4
  // link 2. Link 1 fills first at 2/3, which holds flows 0, 2, 3; flow 1 gets 3 - 2/3, flow 4
  // gets 6 - 2/3.
  const std::vector<double> rates = rates_at_start({byte_per_ps(3), byte_per_ps(2), byte_per_ps(6)},
                                                   {{0, 1'000, {0, 1, 2}, {}, 0},
                                                    {0, 1'000, {0}, {}, 0},
                                                    {0, 1'000, {1}, {}, 0},
                                                    {0, 1'000, {1}, {}, 0},
                                                    {0, 1'000, {2}, {}, 0}});
  ASSERT_EQ(rates.size(), 5U);
  EXPECT_DOUBLE_EQ(rates[0], 2.0 / 3);
  EXPECT_DOUBLE_EQ(rates[1], 3 - 2.0 / 3);
  EXPECT_EQ(rates[2], rates[0]);
  EXPECT_EQ(rates[3], rates[0]);
  EXPECT_DOUBLE_EQ(rates[4], 6 - 2.0 / 3);
}

TEST(FluidSharing, WeightsAreBytesOnTheLinkAndRatesStayEqual) {
  // Flow 0 puts 3 bytes on link 0 per byte of its own, flow 1 one: both get 8 / (3 + 1) = 2.
  // Flow 0 also puts 1/2 on link 1 (1 byte/ps), which would allow 2: a tie, and exact.
  const std::vector<double> rates =
      rates_at_start({byte_per_ps(8), byte_per_ps(1)},
                     {{0, 1'000, {0, 1}, {3.0F, 0.5F}, 0}, {0, 1'000, {0}, {}, 0}});
  EXPECT_EQ(rates, (std::vector<double>{2.0, 2.0}));
}

TEST(FluidSharing, AWeightedFlowAloneIsHeldByItsWeight) {
  // 4 bytes on a link of 2 bytes/ps per byte: 1/2 byte/ps, 1,000 B in 2,000 ps.
  const std::vector<NetworkLink> links = {byte_per_ps(2)};
  FluidNetwork network(links);
  const TestFlow flow{0, 1'000, {0}, {4.0F}, 0};
  EXPECT_EQ(run_flows(network, {&flow, 1}).delivered, Ends{2'000});
}

TEST(FluidSharing, APathThatCrossesALinkTwiceLoadsItTwice) {
  // Data staged through host memory: 2 bytes/ps / (2 + 1) each; flow 0 (200 B) ends at 300; flow 1
  // (300 B) has 100 left and the whole link: 350.
  const std::vector<NetworkLink> links = {byte_per_ps(2), byte_per_ps(9)};
  FluidNetwork network(links);
  const std::vector<TestFlow> flows = {{0, 200, {0, 1, 0}, {}, 0}, {0, 300, {0}, {}, 0}};
  EXPECT_EQ(run_flows(network, flows).delivered, (Ends{300, 350}));
}

TEST(FluidSharing, WeightsMayComeWhileFlowsWithoutThemAreUnderWay) {
  // Link 0 of 2 bytes/ps. Flows 0 and 1 (3,000 B) share it at 1 each until 1,000, when flow 2 comes
  // with 2 bytes per byte: 2 / (1 + 1 + 2) = 1/2 each. Flow 2 (500 B) ends at 2,000; the others
  // have moved 1,000 + 500 B by then and need 1,500 more at 1 each: 3,500.
  const std::vector<NetworkLink> links = {byte_per_ps(2)};
  FluidNetwork network(links);
  const std::vector<TestFlow> flows = {
      {0, 3'000, {0}, {}, 0}, {0, 3'000, {0}, {}, 0}, {1'000, 500, {0}, {2.0F}, 0}};
  EXPECT_EQ(run_flows(network, flows).delivered, (Ends{3'500, 3'500, 2'000}));
}

TEST(FluidSharing, AGroupThatNeverEmptiesKeepsItsPrecision) {
  // Two flows of 2^37 B share 1 byte/ps, and 1,000 of 7 B
  // come in turn. The group's progress passes 2^36 B, where goals are counted from zero again.
  // All bytes go over one link that never idles, so the last end is the sum of all sizes.
  const std::vector<NetworkLink> links = {byte_per_ps(1)};
  const std::int64_t large = std::int64_t{1} << 37;
  std::vector<TestFlow> flows = {{0, large, {0}, {}, 0}, {0, large, {0}, {}, 0}};
  std::int64_t total = 2 * large;
  for (std::int64_t i = 1; i <= 1'000; ++i) {
    flows.push_back({i * (large / 600), 7, {0}, {}, 0});
    total += 7;
  }
  FluidNetwork network(links);
  const TestEnds ends = run_flows(network, flows);
  // Each of the 1,000 small flows ends on a whole picosecond, which idles a third of a byte at
  // most.
  EXPECT_GE(ends.last, total);
  EXPECT_LE(ends.last, total + 1'000);
  // The small ones get a third each: 21 ps.
  EXPECT_EQ(ends.delivered[2], flows[2].start + 21);
  EXPECT_EQ(ends.delivered.back(), flows.back().start + 21);
}

TEST(FluidSharing, AGroupWhosePathsChangeForgetsLinksNoLongerCrossed) {
  // Link 0 of 1 byte/ps holds one lasting flow and, one after the other, 500 flows that each go on
  // over a link of their own: 1/2 each, 100 B in 200 ps, without a gap. The lasting one ends with
  // the last: 500 x 100 B.
  std::vector<NetworkLink> links = {byte_per_ps(1)};
  std::vector<TestFlow> flows = {{0, 50'000, {0}, {}, 0}};
  Ends expected = {100'000};
  for (std::uint32_t i = 0; i < 500; ++i) {
    links.push_back(byte_per_ps(1));
    flows.push_back({200 * std::int64_t{i}, 100, {i + 1, 0}, {}, 0});
    expected.push_back(200 * (std::int64_t{i} + 1));
  }
  FluidNetwork network(links);
  EXPECT_EQ(run_flows(network, flows).delivered, expected);
}

// Links with few distinct rates and flows with few distinct sizes, so that ties are common.
struct Workload {
  std::vector<NetworkLink> links;
  std::vector<TestFlow> flows;
};

Workload random_workload(std::uint64_t seed, bool weighted) {
  TestRandom random(seed);
  Workload workload;
  const std::uint32_t links = 3 + random.below(12);
  for (std::uint32_t i = 0; i < links; ++i) {
    workload.links.push_back(byte_per_ps(1 + random.below(3), 100 * random.below(3)));
  }
  const std::uint32_t flows = 20 + random.below(100);
  for (std::uint32_t i = 0; i < flows; ++i) {
    TestFlow flow;
    flow.start = 500 * random.below(20);
    flow.size = random.below(2) == 0 ? 3'000 : 1 + random.below(6'000);
    const std::uint32_t first = random.below(links);
    const auto stride = static_cast<std::uint32_t>(1 + seed % 2);
    const std::uint32_t hops = 1 + random.below(std::min(links, 6U));
    for (std::uint32_t h = 0; h < hops; ++h) {
      flow.links.push_back((first + h * stride) % links);
      if (weighted) {
        flow.weights.push_back(random.below(3) == 0 ? 0.5F : random.below(2) == 0 ? 1.0F : 2.0F);
      }
    }
    workload.flows.push_back(flow);
  }
  std::stable_sort(workload.flows.begin(), workload.flows.end(),
                   [](const TestFlow& a, const TestFlow& b) { return a.start < b.start; });
  return workload;
}

double load_per_rate(const TestFlow& flow, std::uint32_t link) {
  double load = 0;
  for (std::size_t i = 0; i < flow.links.size(); ++i) {
    if (flow.links[i] == link) {
      load += flow.weights.empty() ? 1.0 : static_cast<double>(flow.weights[i]);
    }
  }
  return load;
}

// The definition: no link carries more than its rate, and every flow crosses a link that is full
// and on which no flow is faster. Shares with that property are unique (Bertsekas and Gallager,
// Data Networks, 6.5.2).
void expect_max_min(const Workload& workload, FluidNetwork& network) {
  const std::vector<FluidFlowState> states = network.transmitting();
  std::vector<double> load(workload.links.size(), 0);
  std::vector<double> fastest(workload.links.size(), 0);
  for (const FluidFlowState& state : states) {
    const TestFlow& flow = workload.flows[state.tag];
    for (std::uint32_t link = 0; link < load.size(); ++link) {
      const double per_rate = load_per_rate(flow, link);
      load[link] += per_rate * state.rate;
      fastest[link] = per_rate > 0 ? std::max(fastest[link], state.rate) : fastest[link];
    }
  }
  const auto capacity = [&](std::uint32_t link) {
    return to_bytes_per_picosecond(workload.links[link].rate);
  };
  for (std::uint32_t link = 0; link < load.size(); ++link) {
    ASSERT_LE(load[link], capacity(link) * (1 + 1e-8)) << "link " << link;
  }
  for (const FluidFlowState& state : states) {
    bool held = false;
    for (const std::uint32_t link : workload.flows[state.tag].links) {
      held = held || (load[link] >= capacity(link) * (1 - 1e-8) &&
                      state.rate >= fastest[link] * (1 - 1e-8));
    }
    ASSERT_TRUE(held) << "flow " << state.tag << " could be faster";
  }
}

TEST(FluidSharing, EverySolveOfRandomWorkloadsIsMaxMinFair) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Workload workload = random_workload(seed, seed % 3 == 0);
    FluidNetwork network(workload.links);
    run_flows(network, workload.flows, [&](std::int64_t) { expect_max_min(workload, network); });
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
}

TEST(FluidSharing, EveryFlowGetsItsBytes) {
  // Between two instants rates are constant: the sum of rate x time must be the size. The end is
  // rounded up, so the sum may be over by less than a picosecond at 6 bytes/ps, the largest rate.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Workload workload = random_workload(seed, seed % 3 == 0);
    FluidNetwork network(workload.links);
    std::vector<double> moved(workload.flows.size(), 0);
    std::map<FlowTag, double> rates;
    std::int64_t before = 0;
    const TestEnds ends = run_flows(network, workload.flows, [&](std::int64_t now) {
      for (const auto& [tag, rate] : rates) {
        moved[tag] += rate * static_cast<double>(now - before);
      }
      before = now;
      rates.clear();
      for (const FluidFlowState& state : network.transmitting()) {
        rates[state.tag] = state.rate;
      }
    });
    for (std::size_t i = 0; i < workload.flows.size(); ++i) {
      ASSERT_GE(ends.delivered[i], 0) << "seed " << seed << " flow " << i;
      const auto size = static_cast<double>(workload.flows[i].size);
      ASSERT_GE(moved[i], size * (1 - 1e-9) - 0.01) << "seed " << seed << " flow " << i;
      ASSERT_LE(moved[i], size + 6.01) << "seed " << seed << " flow " << i;
    }
  }
}

TEST(FluidSharing, TheLevelCutGivesTheTimesOfTheFullRefill) {
  // The cut is exact; rates may differ in their last bits, which moves an end by a picosecond at
  // most where the exact end lies on a whole picosecond.
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Workload workload = random_workload(seed, seed % 3 == 0);
    FluidNetwork cut(workload.links);
    FluidNetwork full(workload.links, {LatencyOrder::AfterTransmission, true});
    const TestEnds with_cut = run_flows(cut, workload.flows);
    const TestEnds with_refill = run_flows(full, workload.flows);
    for (std::size_t i = 0; i < workload.flows.size(); ++i) {
      ASSERT_LE(std::abs(with_cut.delivered[i] - with_refill.delivered[i]), 1)
          << "seed " << seed << " flow " << i;
    }
  }
}

TEST(FluidSharing, TwoRunsInOneProcessAreTheSameBitForBit) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Workload workload = random_workload(seed, false);
    std::vector<double> trace[2];
    for (auto& rates : trace) {
      FluidNetwork network(workload.links);
      run_flows(network, workload.flows, [&](std::int64_t now) {
        rates.push_back(static_cast<double>(now));
        for (const FluidFlowState& state : network.transmitting()) {
          rates.push_back(state.rate);
        }
      });
    }
    ASSERT_EQ(trace[0], trace[1]) << "seed " << seed;
  }
}

}  // namespace
}  // namespace ringspan

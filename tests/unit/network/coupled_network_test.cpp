#include "sim/network/coupled_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/base/units.h"

namespace ringspan {
namespace {

using testing::ElementsAre;

// 50 GB/s = 0.05 bytes/ps: 8 MiB take 167,772,160 ps.
constexpr Bandwidth kFiftyGigabytes{400'000'000'000};
constexpr double kMiB = 1 << 20;
constexpr std::int64_t kEightMiB = 167'772'160;

std::vector<NetworkLink> links_of(std::size_t count) {
  return std::vector<NetworkLink>(count, {kFiftyGigabytes, microseconds(1)});
}

// A ring over `ranks` ports: rank r sends on link 2r, receives on link 2r + 1.
CoupledFlow ring(FlowTag tag, std::uint32_t ranks, double chunk, double steps, double slices) {
  CoupledFlow flow;
  flow.tag = tag;
  for (std::uint32_t link = 0; link < 2 * ranks; ++link) {
    flow.rows.push_back({link, 1, chunk});
  }
  flow.steps = steps;
  flow.slice_bytes = chunk / slices;
  flow.slices_per_step = slices;
  return flow;
}

CoupledFlow one_link(FlowTag tag, std::uint32_t link, double bytes, double steps) {
  CoupledFlow flow;
  flow.tag = tag;
  flow.rows = {{link, 1, bytes}};
  flow.steps = steps;
  flow.slice_bytes = bytes;
  return flow;
}

// Moves to the next event and returns its instant in picoseconds.
std::int64_t step(CoupledNetwork& network, std::vector<FlowTag>& ended) {
  const Time next = network.next_event();
  ended.clear();
  network.advance(next, ended);
  return next.time_since_epoch().count();
}

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint32_t below(std::uint32_t bound) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>(state_ >> 33U) % bound;
  }

 private:
  std::uint64_t state_;
};

TEST(CoupledNetwork, RingAloneTakesTransferAndLatencyPerStep) {
  CoupledNetwork network(links_of(16));
  CoupledFlow flow = ring(1, 8, 8 * kMiB, 14, 1);
  flow.step_latency = microseconds(2);
  network.start(kTimeZero, flow);
  std::vector<FlowTag> ended;
  // One slice per step cannot hide the latency: 14 (167,772,160 + 2,000,000).
  EXPECT_EQ(step(network, ended), 14 * (kEightMiB + 2'000'000));
  EXPECT_THAT(ended, ElementsAre(1));
  EXPECT_EQ(network.next_event(), kNever);
  EXPECT_EQ(network.events_processed(), 1);
}

TEST(CoupledNetwork, TwoSlicesHideTheLatency) {
  CoupledNetwork network(links_of(16));
  CoupledFlow flow = ring(1, 8, 8 * kMiB, 14, 2);
  flow.step_latency = microseconds(2);
  network.start(kTimeZero, flow);
  std::vector<FlowTag> ended;
  EXPECT_EQ(step(network, ended), 14 * kEightMiB);
}

TEST(CoupledNetwork, SmallSlicesAreBoundByTheLatency) {
  CoupledNetwork network(links_of(16));
  CoupledFlow flow = ring(1, 8, 4000, 14, 4);
  flow.step_latency = microseconds(2);
  network.start(kTimeZero, flow);
  // A slice of 1,000 bytes takes 20,000 ps; four of them 80,000, far below 20,000 + 2,000,000.
  EXPECT_DOUBLE_EQ(network.period_picoseconds(1), 2'020'000);
  std::vector<FlowTag> ended;
  EXPECT_EQ(step(network, ended), 14 * 2'020'000);
}

TEST(CoupledNetwork, TwoRingsOnTheSamePortsShareEquallyUntilTheShortOneEnds) {
  CoupledNetwork network(links_of(16));
  network.start(kTimeZero, ring(1, 8, 8 * kMiB, 10, 2));
  network.start(kTimeZero, ring(2, 8, 8 * kMiB, 4, 2));
  EXPECT_DOUBLE_EQ(network.share(1), 0.025);
  EXPECT_DOUBLE_EQ(network.share(2), 0.025);
  std::vector<FlowTag> ended;
  // Four steps at half rate; then the long ring has six left at full rate.
  EXPECT_EQ(step(network, ended), 4 * 2 * kEightMiB);
  EXPECT_THAT(ended, ElementsAre(2));
  EXPECT_DOUBLE_EQ(network.share(1), 0.05);
  EXPECT_EQ(step(network, ended), (4 * 2 + 6) * kEightMiB);
  EXPECT_THAT(ended, ElementsAre(1));
}

TEST(CoupledNetwork, RingsWithChunksOfDifferentSizeStillShareByPhysicalFlow) {
  CoupledNetwork network(links_of(16));
  network.start(kTimeZero, ring(1, 8, 8 * kMiB, 10, 2));
  network.start(kTimeZero, ring(2, 8, 2 * kMiB, 10, 2));
  EXPECT_DOUBLE_EQ(network.share(1), 0.025);
  EXPECT_DOUBLE_EQ(network.share(2), 0.025);
  std::vector<FlowTag> ended;
  // 20 MiB at 25 GB/s, then 60 MiB of the other at 50 GB/s: 5 and 7.5 times 8 MiB at full rate.
  EXPECT_EQ(step(network, ended), 5 * kEightMiB);
  EXPECT_EQ(step(network, ended), 25 * kEightMiB / 2);
}

TEST(CoupledNetwork, RingBesideABurstGetsOneFlowsPartOfTheUplink) {
  CoupledNetwork network(links_of(1));
  network.start(kTimeZero, one_link(1, 0, kMiB, 100));
  CoupledFlow burst = one_link(2, 0, 31 * kMiB, 1);
  burst.rows[0].multiplicity = 31;
  burst.slice_bytes = kMiB;
  network.start(kTimeZero, burst);
  // 32 physical flows on the link.
  EXPECT_DOUBLE_EQ(network.share(1), 0.05 / 32);
  EXPECT_DOUBLE_EQ(network.share(2), 0.05 / 32);
}

TEST(CoupledNetwork, RowsWithFewerBytesPerPhysicalFlowLoadTheirLinkLess) {
  CoupledNetwork network(links_of(2));
  CoupledFlow tree;
  tree.tag = 1;
  // The inner node's port carries two full flows, the leaf's link a half-empty one.
  tree.rows = {{0, 2, 2 * kMiB}, {1, 1, kMiB / 2}};
  tree.slice_bytes = kMiB;
  network.start(kTimeZero, tree);
  network.start(kTimeZero, one_link(2, 1, kMiB, 1));
  // Link 0 fills at 0.05 / 2, link 1 would at 0.05 / 1.5. The tree's half load of 0.025 leaves
  // 0.0375 of link 1.
  EXPECT_DOUBLE_EQ(network.share(1), 0.025);
  EXPECT_DOUBLE_EQ(network.share(2), 0.0375);
  EXPECT_EQ(network.bottleneck(1), 0);
  EXPECT_EQ(network.bottleneck(2), 1);
}

TEST(CoupledNetwork, RateLimitLeavesTheRestToOthers) {
  CoupledNetwork network(links_of(1));
  CoupledFlow limited = one_link(1, 0, kMiB, 1);
  limited.rate_limit = 0.01;
  network.start(kTimeZero, limited);
  EXPECT_DOUBLE_EQ(network.share(1), 0.01);
  EXPECT_EQ(network.bottleneck(1), -1);
  network.start(kTimeZero, one_link(2, 0, kMiB, 1));
  EXPECT_DOUBLE_EQ(network.share(1), 0.01);
  EXPECT_DOUBLE_EQ(network.share(2), 0.04);
  EXPECT_EQ(network.bottleneck(1), -1);
  EXPECT_EQ(network.bottleneck(2), 0);
}

TEST(CoupledNetwork, LimitAboveTheFairShareDoesNothing) {
  CoupledNetwork network(links_of(1));
  CoupledFlow limited = one_link(1, 0, kMiB, 1);
  limited.rate_limit = 0.04;
  network.start(kTimeZero, limited);
  network.start(kTimeZero, one_link(2, 0, kMiB, 1));
  EXPECT_DOUBLE_EQ(network.share(1), 0.025);
  EXPECT_EQ(network.bottleneck(1), 0);
}

TEST(CoupledNetwork, EndsOfOneInstantComeInTheOrderStarted) {
  CoupledNetwork network(links_of(4));
  network.start(kTimeZero, one_link(7, 2, kMiB, 1));
  network.start(kTimeZero, one_link(3, 0, kMiB, 1));
  network.start(kTimeZero, one_link(5, 1, kMiB, 1));
  std::vector<FlowTag> ended;
  step(network, ended);
  EXPECT_THAT(ended, ElementsAre(7, 3, 5));
}

TEST(CoupledNetwork, EndIsReportedAtItsPicosecondAndNotBefore) {
  // 3 bytes at 0.05 bytes/ps take 60 ps; 10 bytes at 80 GB/s would be 125 ps exactly, and 1 byte
  // 12.5, which rounds up.
  const std::vector<NetworkLink> links = {{kFiftyGigabytes, {}}, {{640'000'000'000}, {}}};
  CoupledNetwork network(links);
  network.start(kTimeZero, one_link(1, 0, 3, 1));
  network.start(kTimeZero, one_link(2, 1, 1, 1));
  std::vector<FlowTag> ended;
  network.advance(kTimeZero + picoseconds(12), ended);
  EXPECT_THAT(ended, ElementsAre());
  EXPECT_EQ(step(network, ended), 13);
  EXPECT_EQ(step(network, ended), 60);
}

TEST(CoupledNetwork, AFlowStartedLateTakesItsPartFromThenOn) {
  CoupledNetwork network(links_of(1));
  network.start(kTimeZero, one_link(1, 0, 1000, 2));
  std::vector<FlowTag> ended;
  const Time late = kTimeZero + picoseconds(10'000);
  network.advance(late, ended);
  network.start(late, one_link(2, 0, 1000, 0.5));
  // The first has 1,500 of 2,000 bytes left at 10,000 ps. Both at 0.025: the second's 500 bytes end
  // at 30,000; the first then has 1,000 left, at 0.05.
  EXPECT_EQ(step(network, ended), 30'000);
  EXPECT_THAT(ended, ElementsAre(2));
  EXPECT_EQ(step(network, ended), 50'000);
}

TEST(CoupledNetwork, ATagMayBeUsedAgainAfterItsFlowEnded) {
  CoupledNetwork network(links_of(1));
  std::vector<FlowTag> ended;
  network.start(kTimeZero, one_link(1, 0, 1000, 1));
  EXPECT_EQ(step(network, ended), 20'000);
  network.start(kTimeZero + picoseconds(20'000), one_link(1, 0, 1000, 1));
  EXPECT_EQ(step(network, ended), 40'000);
  EXPECT_THROW(network.share(1), std::logic_error);
}

TEST(CoupledNetwork, AHundredThousandRanksAreOneFlowWithTheClosedForm) {
  const std::uint32_t ranks = 100'000;
  CoupledNetwork network(links_of(2 * ranks));
  for (FlowTag channel = 0; channel < 4; ++channel) {
    network.start(kTimeZero, ring(channel, ranks, kMiB, 2.0 * ranks - 2, 2));
  }
  std::vector<FlowTag> ended;
  // Four equal rings: a MiB per step at a quarter of 0.05 bytes/ps is 83,886,080 ps.
  EXPECT_EQ(step(network, ended), (2LL * ranks - 2) * 83'886'080);
  EXPECT_THAT(ended, ElementsAre(0, 1, 2, 3));
}

struct RandomCase {
  std::vector<NetworkLink> links;
  std::vector<CoupledFlow> flows;
};

RandomCase random_case(std::uint64_t seed, FlowTag flows = 30) {
  Dice random(seed);
  RandomCase made;
  for (int i = 0; i < 24; ++i) {
    made.links.push_back({{(1 + random.below(40)) * 10'000'000'000LL}, {}});
  }
  for (FlowTag tag = 0; tag < flows; ++tag) {
    CoupledFlow flow;
    flow.tag = tag;
    std::vector<std::uint32_t> order;
    for (std::uint32_t link = 0; link < 24; ++link) {
      if (random.below(5) == 0 || link == tag % 24) {
        const double m = 1 + random.below(4);
        flow.rows.push_back({link, m, m * (1 + random.below(8)) * 1000});
      }
    }
    flow.slice_bytes = 8000;
    flow.steps = 1 + random.below(50);
    flow.rate_limit = random.below(4) == 0 ? 0.001 * (1 + random.below(10)) : 0;
    made.flows.push_back(flow);
  }
  return made;
}

double load_on(const RandomCase& made, const std::vector<bool>& active, CoupledNetwork& network,
               std::uint32_t link) {
  double load = 0;
  for (const CoupledFlow& flow : made.flows) {
    for (const CoupledRow& row : flow.rows) {
      if (active[flow.tag] && row.link == link) {
        load += network.share(flow.tag) * row.bytes / flow.slice_bytes;
      }
    }
  }
  return load;
}

bool crosses(const CoupledFlow& flow, std::uint32_t link) {
  return std::any_of(flow.rows.begin(), flow.rows.end(),
                     [&](const CoupledRow& row) { return row.link == link; });
}

// Max-min's certificate: no link is overloaded, and every flow is either at its own limit or
// crosses a full link on which no share is higher than its own.
void expect_max_min(const RandomCase& made, const std::vector<bool>& active,
                    CoupledNetwork& network) {
  for (std::uint32_t link = 0; link < made.links.size(); ++link) {
    const double capacity = to_bytes_per_picosecond(made.links[link].rate);
    EXPECT_LE(load_on(made, active, network, link), capacity * (1 + 1e-8));
  }
  for (const CoupledFlow& flow : made.flows) {
    if (!active[flow.tag]) {
      continue;
    }
    const std::int64_t held = network.bottleneck(flow.tag);
    if (held < 0) {
      EXPECT_DOUBLE_EQ(network.share(flow.tag), flow.rate_limit);
      continue;
    }
    const auto link = static_cast<std::uint32_t>(held);
    const double capacity = to_bytes_per_picosecond(made.links[link].rate);
    EXPECT_NEAR(load_on(made, active, network, link), capacity, capacity * 1e-8);
    for (const CoupledFlow& other : made.flows) {
      EXPECT_TRUE(!active[other.tag] || !crosses(other, link) ||
                  network.share(other.tag) <= network.share(flow.tag) * (1 + 1e-8));
    }
  }
}

// Flows come one after another and go when they are done; what is kept from one solve to the next
// must not spoil the shares. Few flows and many (more than 64) are filled in two ways.
TEST(CoupledNetwork, SharesAreMaxMinAfterEveryStartAndEnd) {
  for (std::uint64_t seed = 1; seed <= 42; ++seed) {
    const RandomCase made = random_case(seed, seed <= 40 ? 30 : 100);
    CoupledNetwork network(made.links);
    std::vector<bool> active(made.flows.size(), false);
    std::vector<FlowTag> ended;
    Time now = kTimeZero;
    for (const CoupledFlow& flow : made.flows) {
      network.start(now, flow);
      active[flow.tag] = true;
      expect_max_min(made, active, network);
      if (flow.tag % 3 == 2) {
        now = network.next_event();
        ended.clear();
        network.advance(now, ended);
        for (const FlowTag tag : ended) {
          active[tag] = false;
        }
      }
    }
    while (network.next_event() != kNever) {
      step(network, ended);
      for (const FlowTag tag : ended) {
        active[tag] = false;
      }
      expect_max_min(made, active, network);
    }
  }
}

// Runs a case to its end; the bytes each flow moved at the shares it had, and when it ended.
std::vector<std::pair<double, std::int64_t>> moved_and_ended(const RandomCase& made) {
  CoupledNetwork network(made.links);
  std::vector<std::pair<double, std::int64_t>> result(made.flows.size());
  std::vector<bool> active(made.flows.size(), true);
  for (const CoupledFlow& flow : made.flows) {
    network.start(kTimeZero, flow);
  }
  std::vector<FlowTag> ended;
  std::int64_t now = 0;
  while (network.next_event() != kNever) {
    const std::int64_t next = network.next_event().time_since_epoch().count();
    for (std::size_t i = 0; i < active.size(); ++i) {
      if (active[i]) {
        result[i].first += static_cast<double>(next - now) * network.share(static_cast<FlowTag>(i));
      }
    }
    now = step(network, ended);
    for (const FlowTag tag : ended) {
      active[tag] = false;
      result[tag].second = now;
    }
  }
  return result;
}

TEST(CoupledNetwork, EveryFlowMovesItsBytesAndTheSameRunGivesTheSameTimes) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RandomCase made = random_case(seed);
    const auto first = moved_and_ended(made);
    for (std::size_t i = 0; i < made.flows.size(); ++i) {
      const double bytes = made.flows[i].steps * made.flows[i].slice_bytes;
      // The end is rounded up to a picosecond, in which at most 0.05 x 8 bytes move.
      EXPECT_NEAR(first[i].first, bytes, 0.4 + bytes * 1e-9);
      EXPECT_GT(first[i].second, 0);
    }
    EXPECT_EQ(moved_and_ended(made), first);
  }
}

}  // namespace
}  // namespace ringspan

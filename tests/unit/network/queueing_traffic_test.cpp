// The queueing network under random traffic: what must hold whatever the traffic is.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/network/queueing_network.h"
#include "tests/unit/network/segment_bench.h"

namespace ringspan {
namespace {

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

struct Traffic {
  std::vector<NetworkLink> links;
  std::vector<Links> paths;
  std::vector<std::int64_t> sizes;
  std::vector<FlowStart> flows() const {
    std::vector<FlowStart> made;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      made.push_back(flow_of(static_cast<FlowTag>(i), sizes[i], paths[i]));
    }
    return made;
  }
};

Traffic random_traffic(std::uint64_t seed) {
  Dice dice(seed);
  Traffic traffic;
  for (int i = 0; i < 20; ++i) {
    traffic.links.push_back(
        {{(1 + dice.below(8)) * 50'000'000'000LL}, nanoseconds(dice.below(2000))});
  }
  for (int i = 0; i < 60; ++i) {
    // Links in ascending order, so that limited buffers cannot wait in a cycle.
    Links path;
    for (std::uint32_t link = dice.below(6); link < 20; link += 1 + dice.below(8)) {
      path.push_back(link);
    }
    traffic.paths.push_back(path);
    traffic.sizes.push_back(1 + dice.below(3'000'000));
  }
  return traffic;
}

double picoseconds_on(const NetworkLink& link, std::int64_t bytes) {
  return static_cast<double>(bytes) / to_bytes_per_picosecond(link.rate);
}

TEST(QueueingTraffic, RandomTrafficIsDeliveredOnceAndNeverFasterThanItsLinks) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Traffic traffic = random_traffic(seed);
    for (const std::uint32_t credits : {0U, 1U, 8U}) {
      QueueingOptions options;
      options.credits = credits;
      const std::vector<Seen> seen = run_flows(traffic.links, traffic.flows(), options);
      ASSERT_EQ(seen.size(), traffic.paths.size());
      std::vector<int> times_seen(traffic.paths.size(), 0);
      std::vector<std::int64_t> bytes_on(traffic.links.size(), 0);
      for (const Seen& event : seen) {
        ++times_seen[event.tag];
        double slowest = 0;
        double latency = 0;
        for (const std::uint32_t link : traffic.paths[event.tag]) {
          bytes_on[link] += traffic.sizes[event.tag];
          slowest =
              std::max(slowest, picoseconds_on(traffic.links[link], traffic.sizes[event.tag]));
          latency += static_cast<double>(traffic.links[link].latency.count());
          // In order of delivery, so all these bytes have crossed the link by now.
          EXPECT_GE(static_cast<double>(event.time) * (1 + 1e-12),
                    picoseconds_on(traffic.links[link], bytes_on[link]));
        }
        EXPECT_GE(static_cast<double>(event.time) * (1 + 1e-12), slowest + latency);
      }
      EXPECT_THAT(times_seen, testing::Each(1));
      EXPECT_EQ(run_flows(traffic.links, traffic.flows(), options), seen);
    }
  }
}

TEST(QueueingTraffic, StagedTrafficTakesTheSameTimesWithCreditsThatNeverRunOut) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Traffic traffic = random_traffic(seed);
    Dice dice(seed + 100);
    std::vector<std::vector<std::uint32_t>> stages;
    std::vector<FlowStart> flows = traffic.flows();
    for (const Links& path : traffic.paths) {
      std::vector<std::uint32_t> of_path(path.size(), 0);
      for (std::size_t i = 1; i < path.size(); ++i) {
        of_path[i] = of_path[i - 1] + dice.below(2);
      }
      stages.push_back(of_path);
    }
    for (std::size_t i = 0; i < flows.size(); ++i) {
      flows[i].stages = stages[i];
      flows[i].notify_sent = true;
    }
    const std::vector<Seen> seen = run_flows(traffic.links, flows);
    EXPECT_EQ(seen.size(), 2 * flows.size());
    QueueingOptions plenty;
    plenty.credits = 3000;  // more than the segments of all flows
    EXPECT_EQ(run_flows(traffic.links, flows, plenty), seen);
    // A source is done before its data has arrived.
    std::vector<std::int64_t> sent_at(flows.size(), -1);
    for (const Seen& event : seen) {
      if (event.kind == FlowEventKind::Sent) {
        sent_at[event.tag] = event.time;
      } else {
        EXPECT_GE(sent_at[event.tag], 0);
        EXPECT_GE(event.time, sent_at[event.tag]);
      }
    }
  }
}

}  // namespace
}  // namespace ringspan

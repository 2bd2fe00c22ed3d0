// Which way a flow takes at a switch. Bounds of counts are five standard deviations of a fair draw;
// seeds are fixed, so the tests do not depend on luck.

#include "topologies/routing/path_choice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "topologies/routing/flow_hash.h"

namespace ringspan {
namespace {

constexpr std::uint64_t kSeed = 42;

std::unique_ptr<const PathChoice> choice(std::string_view name, std::uint64_t seed = kSeed) {
  const Registry<PathChoiceFactory> choices = builtin_path_choices();
  return choices.at(name).factory(seed);
}

std::vector<std::string> that_take_one_way() {
  std::vector<std::string> names;
  for (const std::string& name : builtin_path_choices().names()) {
    if (choice(name)->spread() == PathChoice::Spread::One) names.push_back(name);
  }
  return names;
}

// Every ordered pair of `ports` ports.
std::vector<FlowKey> all_pairs(std::uint32_t ports) {
  std::vector<FlowKey> flows;
  for (std::uint32_t from = 0; from < ports; ++from) {
    for (std::uint32_t to = 0; to < ports; ++to) {
      if (from != to) flows.push_back({from, to, 0});
    }
  }
  return flows;
}

std::vector<int> counts(const PathChoice& choice, std::uint32_t at, std::uint32_t ways,
                        const std::vector<FlowKey>& flows) {
  std::vector<int> counts(ways, 0);
  for (const FlowKey& flow : flows) ++counts.at(choice.pick(at, flow, ways));
  return counts;
}

// n fair draws of p: n p +- 5 sqrt(n p (1 - p)).
void expect_fair(const std::vector<int>& counts, double share) {
  double flows = 0;
  for (const int count : counts) flows += count;
  const double deviation = std::sqrt(flows * share * (1 - share));
  for (const int count : counts) EXPECT_NEAR(count, flows * share, 5 * deviation);
}

TEST(PathChoice, TheRegistryHasEveryRoutingOfTheFormats) {
  EXPECT_EQ(builtin_path_choices().names(),
            (std::vector<std::string>{"ecmp", "static", "spray", "adaptive", "dimension-order",
                                      "minimal", "valiant"}));
}

TEST(PathChoice, PicksLieInRangeAndComeAgain) {
  for (const std::string& name : that_take_one_way()) {
    const auto first = choice(name);
    const auto second = choice(name);
    for (const std::uint32_t ways : {1U, 2U, 3U, 7U, 64U, 1000U, 0xffffffffU}) {
      for (const FlowKey& flow : {FlowKey{0, 1, 0}, FlowKey{0xfffffffe, 0xffffffff, 31}}) {
        const std::uint32_t picked = first->pick(5, flow, ways);
        EXPECT_LT(picked, ways) << name;
        EXPECT_EQ(second->pick(5, flow, ways), picked) << name;
        EXPECT_LT(first->pick_above(5, flow, ways, 3), ways) << name;
        EXPECT_LT(first->pick_cable(5, flow, ways), ways) << name;
      }
    }
  }
}

TEST(PathChoice, TheHashIsTheSameEverywhere) {
  // flow_hash(42, 3, {1, 2, 7}) written out in Python with 64-bit splitmix64.
  EXPECT_EQ(flow_hash(42, 3, {1, 2, 7}), 7518059170192904864u);
  static_assert(hash_below(0xffffffff'ffffffff, 10) == 9);
  static_assert(hash_below(0x7fffffff'ffffffff, 10) == 4);
  static_assert(hash_below(0, 10) == 0);
}

// Jump consistent hash: with one way fewer, flows that were not on it stay where they are.
TEST(PathChoice, FewerWaysMoveOnlyTheFlowsOfThoseThatAreGone) {
  const auto ecmp = choice("ecmp");
  for (std::uint32_t ways = 2; ways <= 64; ++ways) {
    for (const FlowKey& flow : all_pairs(20)) {
      const std::uint32_t picked = ecmp->pick(0, flow, ways);
      if (picked + 1 == ways) continue;
      EXPECT_EQ(ecmp->pick(0, flow, ways - 1), picked);
    }
  }
}

// What is drawn for a dead way's flows is fair among those of one way, too.
TEST(PathChoice, TheFlowsOfADeadWaySpreadOverAllOthers) {
  const auto ecmp = choice("ecmp");
  const std::uint32_t ways = 8;
  std::vector<int> together(ways * (ways - 1), 0);
  for (const FlowKey& flow : all_pairs(100)) {
    const std::uint32_t instead = ecmp->pick_instead(0, flow, ways - 1, ways);
    ++together[ecmp->pick(0, flow, ways) * (ways - 1) + instead];
  }
  expect_fair(together, 1.0 / (ways * (ways - 1)));
  // 29 = 1 + 8 x 3: a fork of 8 took the digit 29 mod 8 = 5; the next one is 29 / 8 = 3.
  EXPECT_EQ(choice("static")->pick_instead(0, {0, 29, 0}, 7, 8), 3u);
}

TEST(PathChoice, HashedFlowsFillAllWaysAlike) {
  for (const char* name : {"ecmp", "minimal", "valiant"}) {
    const auto hashed = choice(name);
    for (const std::uint32_t ways : {2U, 7U, 16U, 64U}) {
      expect_fair(counts(*hashed, 0, ways, all_pairs(100)), 1.0 / ways);
    }
  }
}

TEST(PathChoice, WhatOneSwitchPicksSaysNothingOfWhatTheNextPicks) {
  // Polarisation: of the flows that a leaf sends to one spine, the next tier must use all ways.
  const auto ecmp = choice("ecmp");
  const std::uint32_t ways = 8;
  for (const std::uint32_t next : {1U, 2U, 1000U, 1U << 20U}) {
    std::vector<int> together(ways * ways, 0);
    for (const FlowKey& flow : all_pairs(100)) {
      ++together[ecmp->pick(0, flow, ways) * ways + ecmp->pick(next, flow, ways)];
    }
    expect_fair(together, 1.0 / (ways * ways));
  }
}

TEST(PathChoice, AnotherSeedSendsFlowsOtherWays) {
  const auto one = choice("ecmp", 1);
  const auto two = choice("ecmp", 2);
  const std::vector<FlowKey> flows = all_pairs(100);
  const auto same = std::count_if(flows.begin(), flows.end(), [&](const FlowKey& flow) {
    return one->pick(0, flow, 8) == two->pick(0, flow, 8);
  });
  // 9,900 flows, an eighth by chance: 1237.5, deviation 33.
  EXPECT_NEAR(static_cast<double>(same), 1237.5, 165);
}

TEST(PathChoice, ChannelsAreToldApartByHashOnly) {
  for (const std::string& name : that_take_one_way()) {
    const auto each = choice(name);
    std::vector<std::uint32_t> picked;
    for (std::uint32_t channel = 0; channel < 32; ++channel) {
      picked.push_back(each->pick(0, {3, 9, channel}, 64));
    }
    const bool differ = std::any_of(picked.begin(), picked.end(),
                                    [&](std::uint32_t way) { return way != picked.front(); });
    EXPECT_EQ(differ, each->tells_channels_apart()) << name;
  }
}

TEST(PathChoice, StaticSpreadsConsecutiveDestinationsWithoutRemainder) {
  const auto fixed = choice("static");
  for (std::uint32_t destination = 0; destination < 24; ++destination) {
    EXPECT_EQ(fixed->pick(0, {1, destination, 0}, 8), destination % 8);
    EXPECT_EQ(fixed->pick(7, {2, destination, 5}, 8), destination % 8);
  }
  // One tier up the next digit: 16 destinations over 4 x 4 ways use each once.
  std::vector<int> seen(16, 0);
  for (std::uint32_t destination = 0; destination < 16; ++destination) {
    const FlowKey flow{99, destination, 0};
    ++seen[fixed->pick(0, flow, 4) * 4 + fixed->pick_above(1, flow, 4, 4)];
  }
  EXPECT_EQ(seen, std::vector<int>(16, 1));
}

TEST(PathChoice, DimensionOrderTakesTheFirstWayAndCablesByDestination) {
  const auto ordered = choice("dimension-order");
  EXPECT_EQ(ordered->pick(3, {1, 5, 0}, 3), 0u);
  EXPECT_EQ(ordered->pick_cable(3, {1, 5, 0}, 4), 1u);
}

TEST(PathChoice, OnlyValiantDetoursAndDrawsAllPlacesAlike) {
  for (const std::string& name : builtin_path_choices().names()) {
    EXPECT_EQ(choice(name)->detours(), name == "valiant") << name;
  }
  const auto valiant = choice("valiant");
  const std::uint32_t places = 8;
  std::vector<int> together(places * places, 0);
  for (const FlowKey& flow : all_pairs(100)) {
    ++together[valiant->detour(flow, places) * places + valiant->pick(0, flow, places)];
  }
  expect_fair(together, 1.0 / (places * places));
}

TEST(PathChoice, SpreadFlowsHaveNoSingleWay) {
  EXPECT_EQ(choice("spray")->spread(), PathChoice::Spread::Even);
  EXPECT_EQ(choice("adaptive")->spread(), PathChoice::Spread::ByRate);
  EXPECT_THROW(choice("spray")->pick(0, {0, 1, 0}, 2), std::logic_error);
}

}  // namespace
}  // namespace ringspan

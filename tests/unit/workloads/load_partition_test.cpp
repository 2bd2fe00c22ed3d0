#include "models/workloads/load_partition.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "sim/base/random.h"

namespace ringspan {
namespace {

using Rows = std::vector<std::pair<std::uint32_t, double>>;

Rows rows_of(const LoadPartition::Alike& alike) {
  Rows rows;
  for (const LoadPartition::Row& row : alike.rows) rows.emplace_back(row.flow, row.load.load);
  return rows;
}

// Members 0, 1, 2 of kind 0 and 3 of kind 1. Flow 0 puts 5 on all, flow 1 puts 7 on 1 and 3: what
// is left are {0, 2}, {1} and {3}.
TEST(LoadPartition, SplitsByKindAndByLoadInEveryFlow) {
  LoadPartition partition({0, 0, 0, 1});
  const std::vector<LinkLoad> fives(4, {5, 5}), sevens(4, {7, 7});
  partition.split(0, std::vector<std::uint32_t>{0, 1, 2, 3}, fives);
  partition.split(1, std::vector<std::uint32_t>{1, 3}, sevens);
  const auto classes = partition.finish();
  ASSERT_EQ(classes.size(), 3U);
  EXPECT_EQ(classes[0].first, 0U);
  EXPECT_EQ(classes[0].count, 2U);
  EXPECT_EQ(rows_of(classes[0]), (Rows{{0, 5}}));
  EXPECT_EQ(rows_of(classes[1]), (Rows{{0, 5}, {1, 7}}));
  EXPECT_EQ(classes[2].kind, 1U);
  EXPECT_EQ(partition.take_classes(), (std::vector<std::uint32_t>{0, 1, 0, 2}));
}

TEST(LoadPartition, WhatNoFlowMeetsHasNoClass) {
  LoadPartition partition({0, 0});
  partition.split(0, std::vector<std::uint32_t>{1}, std::vector<LinkLoad>(2, {1, 1}));
  ASSERT_EQ(partition.finish().size(), 1U);
  EXPECT_EQ(partition.take_classes(), (std::vector<std::uint32_t>{LoadPartition::kUnloaded, 0}));
}

// Random flows with few different loads, against a map from the whole list of loads to its members.
TEST(LoadPartition, AgreesWithComparingEveryMembersLoads) {
  Random random(1);
  for (int draw = 0; draw < 200; ++draw) {
    const auto members = static_cast<std::uint32_t>(1 + random.next() % 40);
    std::vector<std::uint32_t> kinds;
    for (std::uint32_t m = 0; m < members; ++m) {
      kinds.push_back(static_cast<std::uint32_t>(random.next() % 2));
    }
    std::vector<Rows> rows(members);
    LoadPartition partition(kinds);
    for (std::uint32_t flow = 0; flow < 4; ++flow) {
      std::vector<LinkLoad> loads(members);
      std::vector<std::uint32_t> met;
      for (std::uint32_t m = 0; m < members; ++m) {
        const auto load = static_cast<double>(random.next() % 3);
        if (load == 0) continue;
        loads[m] = {load, load};
        met.push_back(m);
        rows[m].emplace_back(flow, load);
      }
      partition.split(flow, met, loads);
    }
    std::map<std::pair<std::uint32_t, Rows>, std::uint32_t> expected;  // and how many
    for (std::uint32_t m = 0; m < members; ++m) {
      if (!rows[m].empty()) ++expected[{kinds[m], rows[m]}];
    }
    const auto classes = partition.finish();
    ASSERT_EQ(classes.size(), expected.size());
    for (const LoadPartition::Alike& alike : classes) {
      EXPECT_EQ(alike.count, (expected[{alike.kind, rows_of(alike)}]));
    }
    const std::vector<std::uint32_t> class_of = partition.take_classes();
    for (std::uint32_t m = 0; m < members; ++m) {
      if (rows[m].empty()) {
        EXPECT_EQ(class_of[m], LoadPartition::kUnloaded);
      } else {
        EXPECT_EQ(rows_of(classes[class_of[m]]), rows[m]);
      }
    }
  }
}

// 0.1 + 0.2 is not 0.3 to the last bit.
TEST(LoadPartition, SumsInAnotherOrderAreTheSame) {
  LoadPartition partition({0, 0});
  const std::vector<LinkLoad> loads = {{0.1 + 0.2, 1}, {0.3, 1}};
  ASSERT_NE(loads[0].load, loads[1].load);
  partition.split(0, std::vector<std::uint32_t>{0, 1}, loads);
  EXPECT_EQ(partition.finish().size(), 1U);
}

}  // namespace
}  // namespace ringspan

#include "app/report/link_history.h"

#include <gtest/gtest.h>

namespace ringspan {
namespace {

Time at(std::int64_t ns) { return kTimeZero + nanoseconds(ns); }

TEST(LinkHistory, SpreadsBytesEvenlyOverTheIntervalsCrossed) {
  LinkHistory history(2);
  ASSERT_EQ(history.interval(), nanoseconds(1));
  // 300 bytes in 3 ns, from the middle of the first interval: 50, 100, 100, 50.
  history.add(1, kTimeZero + picoseconds(500), kTimeZero + picoseconds(3'500), 300);
  ASSERT_EQ(history.intervals(), 4U);
  EXPECT_DOUBLE_EQ(history.bytes(1, 0), 50);
  EXPECT_DOUBLE_EQ(history.bytes(1, 1), 100);
  EXPECT_DOUBLE_EQ(history.bytes(1, 3), 50);
  EXPECT_EQ(history.bytes(0, 1), 0);
}

TEST(LinkHistory, KeepsAllBytesWhenTheRunOutgrowsIt) {
  LinkHistory history(1);
  history.add(0, at(0), at(1), 10);
  history.add(0, at(1), at(2), 20);
  // 1,024 intervals of 1 ns become 1,024 of 16 ns for a run of 10 us: 10'000 / 16 = 625 of them.
  history.add(0, at(9'999), at(10'000), 5);
  EXPECT_EQ(history.interval(), nanoseconds(16));
  EXPECT_EQ(history.intervals(), 625U);
  EXPECT_DOUBLE_EQ(history.bytes(0, 0), 30);
  EXPECT_DOUBLE_EQ(history.bytes(0, 624), 5);
  EXPECT_DOUBLE_EQ(history.total(0), 35);
}

TEST(LinkHistory, WhatTakesNoTimeIsStillCounted) {
  LinkHistory history(1);
  history.add(0, at(5), at(5), 8);
  EXPECT_DOUBLE_EQ(history.bytes(0, 5), 8);
}

}  // namespace
}  // namespace ringspan

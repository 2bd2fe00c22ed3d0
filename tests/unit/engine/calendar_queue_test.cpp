#include "sim/engine/calendar_queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ringspan {
namespace {

Time at(std::int64_t picoseconds_count) { return kTimeZero + picoseconds(picoseconds_count); }

std::vector<std::uint32_t> drain(CalendarQueue& queue) {
  std::vector<std::uint32_t> order;
  Time time;
  Event event;
  while (queue.pop(kNever, time, event)) {
    order.push_back(event.index);
  }
  return order;
}

TEST(CalendarQueue, EventsOfOneInstantKeepTheOrderPushed) {
  CalendarQueue queue;
  for (std::uint32_t i = 0; i < 5; ++i) {
    queue.push(at(1'000'000), {0, i});
  }
  EXPECT_EQ(drain(queue), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(CalendarQueue, AFarEventKeepsItsPlaceBeforeOnePushedWhenItHasComeNear) {
  CalendarQueue queue;
  Time time;
  Event event;
  // 2^40 ps lies in the third wheel when pushed; the second event is pushed into the first.
  const std::int64_t far = std::int64_t{1} << 40;
  queue.push(at(far + 500'000), {0, 1});
  queue.push(at(far), {0, 0});
  ASSERT_TRUE(queue.pop(kNever, time, event));
  EXPECT_EQ(event.index, 0U);
  queue.push(at(far + 500'000), {0, 2});
  queue.push(at(far + 1), {0, 3});
  EXPECT_EQ(drain(queue), (std::vector<std::uint32_t>{3, 1, 2}));
}

TEST(CalendarQueue, AskingForTheNextTimeLetsEarlierEventsIn) {
  CalendarQueue queue;
  queue.push(at(900'000'000), {0, 1});
  EXPECT_EQ(queue.next_time(), at(900'000'000));
  queue.push(at(5), {0, 0});
  EXPECT_EQ(queue.next_time(), at(5));
  EXPECT_EQ(drain(queue), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(queue.next_time(), kNever);
}

TEST(CalendarQueue, NothingLaterThanTheLimitIsPopped) {
  CalendarQueue queue;
  Time time;
  Event event;
  queue.push(at(100), {0, 0});
  EXPECT_FALSE(queue.pop(at(99), time, event));
  EXPECT_TRUE(queue.pop(at(100), time, event));
  EXPECT_EQ(time, at(100));
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.pop(kNever, time, event));
}

TEST(CalendarQueue, TheLastRepresentableInstantIsHeld) {
  CalendarQueue queue;
  queue.push(kNever - picoseconds(1), {0, 1});
  queue.push(at(3), {0, 0});
  EXPECT_EQ(drain(queue), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_THROW(queue.push(at(-1), {}), std::logic_error);
}

// Against an ordered map: pushes at random distances from 0 to 2^50 ps, mixed with pops.
TEST(CalendarQueue, AgreesWithAnOrderedMapOnRandomTraffic) {
  std::uint64_t state = 7;
  const auto random = [&state] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return state >> 20U;
  };
  CalendarQueue queue;
  std::map<std::pair<std::int64_t, std::uint32_t>, std::uint32_t> expected;
  std::int64_t now = 0;
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    if (random() % 100 < 55) {
      const std::int64_t ahead =
          static_cast<std::int64_t>(random() & ((std::uint64_t{1} << (random() % 44)) - 1));
      queue.push(at(now + ahead), {0, i});
      expected[{now + ahead, i}] = i;
    } else if (!expected.empty()) {
      const std::int64_t until = now + static_cast<std::int64_t>(random() % 40'000'000);
      Time time;
      Event event;
      ASSERT_EQ(queue.next_time(), at(expected.begin()->first.first));
      const bool due = expected.begin()->first.first <= until;
      ASSERT_EQ(queue.pop(at(until), time, event), due);
      if (due) {
        ASSERT_EQ(event.index, expected.begin()->second);
        now = expected.begin()->first.first;
        expected.erase(expected.begin());
      } else {
        now = until;
      }
    }
  }
  for (const std::uint32_t index : drain(queue)) {
    ASSERT_EQ(index, expected.begin()->second);
    expected.erase(expected.begin());
  }
  EXPECT_TRUE(expected.empty());
}

}  // namespace
}  // namespace ringspan

#include "sim/engine/event_queue.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace ringspan {
namespace {

Time at(std::int64_t count) { return kTimeZero + picoseconds(count); }

std::vector<std::uint32_t> popped(EventQueue& queue) {
  std::vector<Event> events;
  queue.pop_all(events);
  std::vector<std::uint32_t> indices;
  for (const Event& event : events) {
    indices.push_back(event.index);
  }
  return indices;
}

using Indices = std::vector<std::uint32_t>;

TEST(EventQueue, GivesTheEventsOfOneInstantInTheOrderPushedWhateverCameBetween) {
  EventQueue queue;
  queue.push(at(5), {0, 1});
  queue.push(at(5), {0, 2});  // extends the run
  queue.push(at(3), {0, 3});
  queue.push(at(5), {0, 4});  // a second run of the same instant
  queue.push(at(3), {0, 5});
  EXPECT_EQ(queue.next_time(), at(3));
  EXPECT_EQ(popped(queue), (Indices{3, 5}));
  EXPECT_EQ(queue.next_time(), at(5));
  EXPECT_EQ(popped(queue), (Indices{1, 2, 4}));
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.next_time(), kNever);
  EXPECT_EQ(queue.pushed(), 5);
}

TEST(EventQueue, APushAtAnInstantAlreadyPoppedComesInTheNextCall) {
  EventQueue queue;
  queue.push(at(7), {0, 1});
  EXPECT_EQ(popped(queue), (Indices{1}));
  queue.push(at(7), {0, 2});  // must not extend the run that is gone
  EXPECT_EQ(queue.next_time(), at(7));
  EXPECT_EQ(popped(queue), (Indices{2}));
}

TEST(EventQueue, AgreesWithASortedListOnMixedPushesAndPops) {
  // Reference: a list kept sorted by (time, number). Times are drawn from few values, so that runs
  // merge often. The generator is a 64-bit LCG (Knuth's MMIX constants), the same everywhere.
  struct Entry {
    std::int64_t time;
    std::uint32_t number;
  };
  EventQueue queue;
  std::vector<Entry> reference;
  std::uint64_t state = 1;
  std::int64_t now = 0;
  for (std::uint32_t number = 0; number < 20'000; ++number) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const std::int64_t time = now + static_cast<std::int64_t>((state >> 33) % 12);
    queue.push(at(time), {0, number});
    reference.push_back({time, number});
    if ((state >> 60) != 0) {
      continue;
    }
    const auto earliest =
        std::min_element(reference.begin(), reference.end(),
                         [](const Entry& a, const Entry& b) { return a.time < b.time; });
    now = earliest->time;
    ASSERT_EQ(queue.next_time(), at(now));
    Indices expected;
    for (const Entry& entry : reference) {
      if (entry.time == now) {
        expected.push_back(entry.number);
      }
    }
    std::erase_if(reference, [now](const Entry& entry) { return entry.time == now; });
    ASSERT_EQ(popped(queue), expected);
  }
}

}  // namespace
}  // namespace ringspan

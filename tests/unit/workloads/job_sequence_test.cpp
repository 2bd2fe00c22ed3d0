#include "models/workloads/job_sequence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringspan {
namespace {

using ::testing::ElementsAre;

Time at(std::int64_t us) { return kTimeZero + microseconds(us); }

// Ends every job this long after its first byte.
std::vector<JobTimes> run(const std::vector<JobTiming>& timings, Duration transfers) {
  JobSequence sequence(timings);
  std::vector<std::size_t> ready;
  for (Time now = sequence.next(); now != kNever; now = sequence.next()) {
    ready.clear();
    sequence.advance(ready);
    for (const std::size_t job : ready) sequence.transfers_done(job, now + transfers);
  }
  EXPECT_TRUE(sequence.all_ended());
  return sequence.times();
}

TEST(JobSequence, AJobTakesItsLaunchAndItsTransfers) {
  const auto times = run({{microseconds(3), {}, {}, microseconds(2), {}}}, microseconds(10));
  EXPECT_EQ(times[0].begin, at(3));
  EXPECT_EQ(times[0].end, at(15));  // 3 + 2 + 10
}

TEST(JobSequence, ACopyThatTakesLongerEndsIt) {
  const auto times = run({{{}, {}, {}, microseconds(2), microseconds(40)}}, microseconds(10));
  EXPECT_EQ(times[0].end, at(40));
}

// 0 and 1 end at 10 and 25; 2 waits for both and 5 us more; 3 for 0, but not before 50.
TEST(JobSequence, JobsWaitForOthers) {
  const auto times = run({{{}, {}, {}, {}, {}},
                          {microseconds(15), {}, {}, {}, {}},
                          {{}, {0, 1}, microseconds(5), {}, {}},
                          {microseconds(50), {0}, microseconds(5), {}, {}}},
                         microseconds(10));
  EXPECT_EQ(times[2].begin, at(30));
  EXPECT_EQ(times[3].begin, at(50));
}

// All at the same instant, in the order of their numbers.
TEST(JobSequence, JobsOfNoTimeFollowAtOnce) {
  const std::vector<JobTiming> timings = {{}, {{}, {0}, {}, {}, {}}, {{}, {1}, {}, {}, {}}};
  JobSequence sequence(timings);
  std::vector<std::size_t> order;
  while (sequence.next() == kTimeZero) {
    std::vector<std::size_t> ready;
    sequence.advance(ready);
    for (const std::size_t job : ready) {
      order.push_back(job);
      sequence.transfers_done(job, kTimeZero);
    }
  }
  EXPECT_THAT(order, ElementsAre(0, 1, 2));
  EXPECT_TRUE(sequence.all_ended());
}

}  // namespace
}  // namespace ringspan

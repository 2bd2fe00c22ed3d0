#include "tests/unit/collectives/schedule_measures.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringspan {

Volume volume(const Schedule& schedule) {
  std::vector<std::int64_t> sent(static_cast<std::size_t>(schedule.ranks()));
  std::vector<std::int64_t> received = sent;
  Transfer move;
  for (OperationId i = 0; i < schedule.operation_count(); ++i) {
    schedule.transfer(i, move);
    const auto blocks = static_cast<std::int64_t>(move.blocks.size());
    for (const std::int32_t rank : move.sources) sent[static_cast<std::size_t>(rank)] += blocks;
    for (const std::int32_t rank : move.destinations) {
      received[static_cast<std::size_t>(rank)] += blocks;
    }
  }
  Volume volume;
  const auto divisor = static_cast<double>(schedule.block_divisor());
  for (const std::int64_t n : sent) volume.sent.push_back(static_cast<double>(n) / divisor);
  for (const std::int64_t n : received) volume.received.push_back(static_cast<double>(n) / divisor);
  return volume;
}

int steps(const Schedule& schedule) {
  std::vector<int> depth(static_cast<std::size_t>(schedule.operation_count()), 1);
  std::vector<OperationId> after;
  int longest = 0;
  for (std::size_t i = 0; i < depth.size(); ++i) {
    schedule.dependencies(static_cast<OperationId>(i), after);
    for (const OperationId d : after) {
      depth[i] = std::max(depth[i], depth[static_cast<std::size_t>(d)] + 1);
    }
    longest = std::max(longest, depth[i]);
  }
  return longest;
}

void expect_everyone(const Schedule& schedule, double sent, double received) {
  const Volume v = volume(schedule);
  EXPECT_THAT(v.sent, ::testing::Each(::testing::DoubleNear(sent, 1e-12)));
  EXPECT_THAT(v.received, ::testing::Each(::testing::DoubleNear(received, 1e-12)));
}

int ceil_log2(int n) {
  int log = 0;
  while ((1 << log) < n) ++log;
  return log;
}

}  // namespace ringspan

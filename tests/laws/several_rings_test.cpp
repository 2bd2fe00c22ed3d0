// Rings in different orders over one fabric: what holds for one ring holds for several.

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/nccl/channel_search.h"
#include "tests/support/plain_fabrics.h"
#include "tests/support/plans.h"

namespace ringspan {
namespace {

using testing::AlgorithmCase;
using testing::TestPlan;
using Orders = std::vector<std::vector<std::int32_t>>;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

constexpr Duration kForever = Duration::max();

// Latencies and limits take part: 1 us a step, 90 GB/s of LL payload a GPU.
Profile limited_profile() {
  Profile profile = testing::ideal_profile();
  profile.algorithms.front().nvlink_step = {microseconds(1), microseconds(2), microseconds(3)};
  profile.ll_rate_per_gpu = bandwidth_from_gbytes_per_second(90);
  return profile;
}

std::vector<AlgorithmCase> ring_cases() {
  std::vector<AlgorithmCase> cases;
  for (const AlgorithmCase& algorithm_case : testing::all_algorithm_cases()) {
    if (algorithm_case.algorithm == "ring") cases.push_back(algorithm_case);
  }
  return cases;
}

Orders orders_on(const Topology& fabric) { return search_channels(fabric, fabric.gpus()).orders; }

// One loop of 6 steps on each of 12 channels, a chunk of 32 KiB on each: a channel's kernel copies
// 90 / 12 = 7.5 GB/s whatever the others do, so a step takes 32768 B / 7.5 GB/s + 1 us + 0.45 us of
// wire = 5.819067 us.
TEST(SeveralRings, AKernelLimitIsEachChannelsOwn) {
  const Topology fabric = testing::gpus_in_a_mesh(4, bandwidth_from_gbytes_per_second(1000));
  const TestPlan test(fabric, {"ring", CollectiveKind::AllReduce}, Protocol::LL, 12,
                      limited_profile(), orders_on(fabric));
  EXPECT_GT(test.outline().classes.size(), 1U);
  const Bytes size{4 * 12 * 32768};
  EXPECT_NEAR(to_microseconds(testing::chunk_time(test, size)), 6 * 5.819067, 1e-4);
  EXPECT_NEAR(to_microseconds(testing::stream_time(test, size)), 6 * 5.819067, 1e-4);
}

TEST(SeveralRings, DoublingTheRatesNeverSlows) {
  const Profile profile = limited_profile();
  for (const AlgorithmCase& algorithm_case : ring_cases()) {
    for (const Protocol protocol : kAllProtocols) {
      std::optional<TestPlan> plans[2];
      for (int twice = 0; twice < 2; ++twice) {
        const Topology fabric =
            testing::gpus_in_a_mesh(4, bandwidth_from_gbytes_per_second(80) * (1 + twice));
        plans[twice].emplace(fabric, algorithm_case, protocol, 4, profile, orders_on(fabric));
      }
      for (std::int64_t size = 4096; size <= 64 * kMiB; size = size * 3 / 2 + 16) {
        EXPECT_LE(testing::chunk_time(*plans[1], Bytes{size}),
                  testing::chunk_time(*plans[0], Bytes{size}))
            << testing::case_name(algorithm_case) << ", " << protocol_name(protocol) << ", "
            << size;
      }
    }
  }
}

// A mesh of 8 splits into 7 rings without a common link. Where a link carries several rings, the
// search finds more than 7 and not in this order; asking for 7 channels must still give these.
TEST(SeveralRings, FewChannelsUseAsManyLinksOnAFastMeshAsOnASlowOne) {
  for (const double rate : {20.0, 40.0, 48.0, 96.0}) {
    const Topology fabric = testing::gpus_in_a_mesh(8, bandwidth_from_gbytes_per_second(rate));
    Orders orders = orders_on(fabric);
    orders.resize(7);
    std::set<std::pair<std::int32_t, std::int32_t>> hops;
    for (const auto& order : orders) {
      for (int i = 0; i < 8; ++i) hops.emplace(order[i], order[(i + 1) % 8]);
    }
    EXPECT_EQ(hops.size(), 56U) << rate << " GB/s";
  }
}

TEST(SeveralRings, DoublingTheRatesNeverSlowsAnyNumberOfChannels) {
  const Profile profile = limited_profile();
  const AlgorithmCase all_reduce{"ring", CollectiveKind::AllReduce};
  for (int channels = 1; channels <= 16; ++channels) {
    Duration last = kForever;
    for (const double rate : {24.0, 48.0, 96.0, 192.0}) {
      const Topology fabric = testing::gpus_in_a_mesh(8, bandwidth_from_gbytes_per_second(rate));
      const TestPlan test(fabric, all_reduce, Protocol::Simple, channels, profile,
                          orders_on(fabric));
      const Duration time = testing::stream_time(test, Bytes{64 * kMiB});
      EXPECT_LE(time, last) << channels << " channels, " << rate << " GB/s";
      last = time;
    }
  }
}

// Four of a mesh's rings meet on some links and not on others. What a step takes is the mean over a
// ring's edges, shared ones and own ones, not the slowest.
TEST(SeveralRings, StreamAndChunkAgreeWhereRingsShareSomeLinks) {
  const Topology fabric = testing::gpus_in_a_mesh(6, bandwidth_from_gbytes_per_second(186));
  const Orders crossing = {{0, 1, 2, 3, 4, 5}, {0, 1, 3, 5, 2, 4}, {0, 2, 3, 1, 5, 4}};
  for (const CollectiveKind kind : {CollectiveKind::AllReduce, CollectiveKind::ReduceScatter}) {
    const TestPlan test(fabric, {"ring", kind}, Protocol::LL, 3, limited_profile(), crossing);
    const double stream = to_microseconds(testing::stream_time(test, Bytes{64 * kMiB}));
    const double chunk = to_microseconds(testing::chunk_time(test, Bytes{64 * kMiB}));
    EXPECT_NEAR(stream / chunk, 1, 0.02) << stream << " us, " << chunk << " us";
  }
}

// Messages are defined between ranks: the rings that a faster fabric makes NCCL find change
// nothing.
TEST(SeveralRings, MessagesDoNotFollowTheRings) {
  const Topology fabric =
      testing::gpus_on_two_sockets(6, PeerReach::All, bandwidth_from_gbytes_per_second(25),
                                   bandwidth_from_gbytes_per_second(12));
  const Orders interleaved = {{0, 3, 1, 4, 2, 5}};
  for (const AlgorithmCase& algorithm_case : testing::all_algorithm_cases()) {
    const std::string& name = algorithm_case.algorithm;
    if (name == "ring" || name == "tree" || testing::runs_with_simple_only(algorithm_case))
      continue;
    const TestPlan by_rank(fabric, algorithm_case, Protocol::Simple, 2, limited_profile());
    const TestPlan other(fabric, algorithm_case, Protocol::Simple, 2, limited_profile(),
                         interleaved);
    EXPECT_EQ(testing::chunk_time(by_rank, Bytes{kMiB}), testing::chunk_time(other, Bytes{kMiB}))
        << testing::case_name(algorithm_case);
  }
}

TEST(SeveralRings, TimeNeverFallsWithSize) {
  const Profile profile = limited_profile();
  const Topology fabric = testing::gpus_in_a_mesh(8, bandwidth_from_gbytes_per_second(48));
  for (const AlgorithmCase& algorithm_case : ring_cases()) {
    const TestPlan test(fabric, algorithm_case, Protocol::LL, 14, profile, orders_on(fabric));
    Duration last{};
    for (std::int64_t size = 16 << 10; size <= 8 * kMiB; size = size * 21 / 20 + 16) {
      const Duration time = testing::chunk_time(test, Bytes{size});
      EXPECT_GE(time, last) << testing::case_name(algorithm_case) << ", " << size;
      last = time;
    }
  }
}

}  // namespace
}  // namespace ringspan

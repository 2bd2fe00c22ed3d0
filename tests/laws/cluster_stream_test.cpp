// `stream` over clusters: against `chunk`, and where the answer is a formula.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "models/workloads/stream_run.h"
#include "tests/support/clusters.h"
#include "tests/support/nic_servers.h"
#include "tests/support/plans.h"

namespace ringspan {
namespace {

using testing::AlgorithmCase;
using testing::TestPlan;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

class EveryAlgorithmOverServers : public ::testing::TestWithParam<AlgorithmCase> {};

TEST_P(EveryAlgorithmOverServers, StreamAndChunkAgree) {
  const auto algorithm = builtin_algorithms().at(GetParam().algorithm).factory();
  const RankLayout two_nodes{{0, 0, 1, 1}, {}};
  if (algorithm->needs_network_reduction(two_nodes) ||
      !algorithm->layout_bar({{GetParam().collective, 4, 0}, two_nodes}).empty()) {
    return;
  }
  // Between steps ranks run out of step: those on NVLink are done first and begin the next step,
  // where they take their part of a NIC from ranks that are not.
  const std::string& name = GetParam().algorithm;
  const double bound = name == "pairwise" || name == "bruck" ? 0.25 : 0.03;
  for (const int servers : {2, 3, 8}) {
    for (const Protocol protocol : {Protocol::LL, Protocol::Simple}) {
      if (testing::runs_with_simple_only(GetParam()) && protocol != Protocol::Simple) continue;
      const TestPlan test(testing::servers_on_a_crossbar(servers, 4), GetParam(), protocol, 4,
                          testing::hopper_profile());
      const double stream = to_microseconds(testing::stream_time(test, Bytes{64 * kMiB}));
      const double chunk = to_microseconds(testing::chunk_time(test, Bytes{64 * kMiB}));
      EXPECT_NEAR(stream / chunk, 1, bound)
          << servers << " servers, " << protocol_name(protocol) << ": stream " << stream
          << " us, chunk " << chunk << " us";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryAlgorithmOverServers,
                         ::testing::ValuesIn(testing::all_algorithm_cases()),
                         [](const auto& test) { return testing::case_name(test.param); });

// Nothing but bytes over rates.
Profile timeless_profile() {
  Profile profile = testing::ideal_profile();
  profile.reference_wire.fill(microseconds(1'000'000));
  return profile;
}

double direct_alltoall_us(int servers, const std::string& keys, PairCounting counting) {
  const TestPlan test(
      testing::servers_on_fabric(servers, 4,
                                 "kind = \"leaf-spine\"\nlink = \"ib-ndr\"\nrouting = \"spray\"\n"
                                 "servers_per_leaf = 4\n" +
                                     keys),
      {"direct", CollectiveKind::AllToAll}, Protocol::Simple, 4, timeless_profile());
  const StreamLoads loads = StreamLoads::build(test.input(), test.outline(), counting);
  return to_microseconds(run_stream(loads, test.cut(Bytes{servers * 4 * kMiB}), {}).time);
}

// One NIC per GPU, N servers of g GPUs, m servers a leaf, k:1 over all NICs of a leaf. A NIC sends
// (N-1) g blocks; the uplinks of a leaf carry m g (N-m) g over m g / k NICs' rate: k (N-m) g blocks
// of time. So the slowdown against k = 1 is max(1, k (N-m)/(N-1)).
TEST(AllToAll, OversubscriptionSlowsByWhatCrossesLeaves) {
  for (const int servers : {8, 16}) {
    for (const PairCounting counting : {PairCounting::OneByOne, PairCounting::ByGroups}) {
      const double even = direct_alltoall_us(servers, "oversubscription = \"1:1\"\n", counting);
      for (const int k : {2, 4, 8}) {
        const double slowed = direct_alltoall_us(
            servers, "oversubscription = \"" + std::to_string(k) + ":1\"\n", counting);
        const double expected = std::max(1.0, k * (servers - 4.0) / (servers - 1.0));
        EXPECT_NEAR(slowed / even, expected, 1e-6 * expected) << servers << ", " << k;
      }
    }
  }
}

// Without contention above, all that leaves a server goes through its NICs: per GPU (N-1)/N of S/n
// ... algbw = S / (bytes a NIC sends / rate), bytes a NIC sends = S/n (N-1)/N, with S per GPU.
TEST(AllToAll, TendsToTheNicRateTimesNOverNMinusOne) {
  const int servers = 8;
  const TestPlan test(testing::servers_on_a_crossbar(servers, 4),
                      {"direct", CollectiveKind::AllToAll}, Protocol::Simple, 4,
                      timeless_profile());
  const Bytes size{64 * kMiB};
  const double algbw =
      static_cast<double>(size.count) / to_seconds(testing::stream_time(test, size)) / 1e9;
  EXPECT_NEAR(algbw, 50.0 * servers / (servers - 1), 1e-3);
}

// Two servers of one GPU without GPUDirect RDMA: a vector sent is written to host memory and read
// from there by the NIC, and one received likewise, so the switch's link to the CPU carries two
// vectors each way. It gives 55 GB/s x 0.5 for what is staged, 13.75 GB/s a vector; staging does
// not slow the NICs' cables.
TEST(Staging, SlowsTheLinksOfTheHostAndNotTheNetwork) {
  Profile profile = testing::ideal_profile();
  profile.staging_efficiency = 0.5;
  for (const auto& [nic, expected] : {std::pair{10.0, 10.0}, {25.0, 13.75}}) {
    for (const char* algorithm : {"ring", "direct"}) {
      std::vector<DomainKind> kinds;
      kinds.push_back(testing::nvlink_server(1));
      kinds.front().gpu_direct = GpuDirectReach::Off;
      const TestPlan test(testing::make_cluster(std::move(kinds), {0, 0}, nic),
                          {algorithm, CollectiveKind::AllReduce}, Protocol::Simple, 1, profile);
      // Two ranks: each half of the vector goes once each way, twice.
      for (const Duration time : {testing::stream_time(test, Bytes{1024 * kMiB}),
                                  testing::chunk_time(test, Bytes{1024 * kMiB})}) {
        EXPECT_NEAR(1024.0 * kMiB / to_seconds(time) / 1e9, expected, 0.02 * expected)
            << algorithm << ", NICs of " << nic;
      }
    }
  }
}

// Four rings in server order, each of which enters and leaves every server by another NIC, leave a
// leaf of m = 4 servers by the rate of one server's NICs: k <= m changes nothing.
TEST(Ring, InServerOrderDoesNotNoticeOversubscription) {
  std::vector<std::vector<std::int32_t>> orders(4);
  for (int ring = 0; ring < 4; ++ring) {
    for (int rank = 0; rank < 64; ++rank) {
      orders[ring].push_back(rank / 4 * 4 + (rank + ring) % 4);
    }
  }
  const auto time = [&orders](const char* k) {
    const std::string text =
        "kind = \"leaf-spine\"\nlink = \"ib-ndr\"\nrouting = \"spray\"\n"
        "servers_per_leaf = 4\noversubscription = \"";
    const TestPlan test(testing::servers_on_fabric(16, 4, text + k + "\"\n"),
                        {"ring", CollectiveKind::AllReduce}, Protocol::Simple, 4,
                        timeless_profile(), orders);
    return testing::stream_time(test, Bytes{64 * kMiB});
  };
  EXPECT_EQ(time("1:1"), time("4:1"));
  EXPECT_LT(time("1:1"), time("8:1"));
}

}  // namespace
}  // namespace ringspan

// Times that can be derived by hand, on fabrics without losses and without latency.

#include <gtest/gtest.h>

#include "tests/support/plain_fabrics.h"
#include "tests/support/plans.h"

namespace ringspan {
namespace {

using testing::AlgorithmCase;
using testing::TestPlan;

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

double gbytes_per_second(Bytes moved, Duration time) {
  return static_cast<double>(moved.count) / to_seconds(time) / 1e9;
}

// Every rank sends 2(n-1)/n of the vector through a 100 GB/s port, whatever the algorithm:
// 1 GiB on 8 GPUs: 1.75 x 1.073741824 GB / 100 GB/s = 18.79048192 ms. Latency: at most one crossing
// (2 x 0.3 us) for each of the ring's 14 steps, the most any of them has.
TEST(ClosedForms, RingDirectAndHalvingDoublingTakeTheSameTimeOnOneSwitch) {
  const Topology fabric = testing::gpus_on_one_switch(8, bandwidth_from_gbytes_per_second(100));
  const Profile ideal = testing::ideal_profile();
  for (const char* algorithm : {"ring", "direct", "halving-doubling"}) {
    const TestPlan test(
        {fabric, {algorithm, CollectiveKind::AllReduce}, Protocol::Simple, 4, ideal});
    for (const Duration time :
         {testing::stream_time(test, Bytes{kGiB}), testing::chunk_time(test, Bytes{kGiB})}) {
      EXPECT_GE(to_microseconds(time), 18790.48) << algorithm;
      EXPECT_LE(to_microseconds(time), 18790.49 + 14 * 0.6) << algorithm;
    }
  }
}

// A chain of 4 ranks, 4 MiB in 8 slices of 512 KiB, each 5.24288 us on a port of 100 GB/s: the last
// one is through 3 hops after 8 + 2 slice times, 52.43 us; a rank is busy with its own 8, 41.94 us.
// Latency: a crossing of 0.6 us a hop.
TEST(ClosedForms, AChainKeepsARankBusyForItsOwnSlicesOnly) {
  const Topology fabric = testing::gpus_on_one_switch(4, bandwidth_from_gbytes_per_second(100));
  const Profile ideal = testing::ideal_profile();
  for (const CollectiveKind kind : {CollectiveKind::Broadcast, CollectiveKind::Reduce}) {
    const TestPlan test({fabric, {"ring", kind}, Protocol::Simple, 1, ideal});
    for (const RunResult& result :
         {testing::stream_run(test, Bytes{4 << 20}), testing::chunk_run(test, Bytes{4 << 20})}) {
      EXPECT_NEAR(to_microseconds(result.time), 52.43, 1.81) << collective_name(kind);
      EXPECT_NEAR(to_microseconds(result.busy), 41.94, 0.61) << collective_name(kind);
    }
  }
}

// All ranks of a ring all_gather begin at once and end within a crossing of one another.
TEST(ClosedForms, ARingKeepsItsRanksBusyAllTheTime) {
  const Topology fabric = testing::gpus_on_one_switch(4, bandwidth_from_gbytes_per_second(100));
  const Profile ideal = testing::ideal_profile();
  const TestPlan test({fabric, {"ring", CollectiveKind::AllGather}, Protocol::Simple, 1, ideal});
  for (const RunResult& result :
       {testing::stream_run(test, Bytes{64 << 20}), testing::chunk_run(test, Bytes{64 << 20})}) {
    EXPECT_NEAR(to_microseconds(result.busy), to_microseconds(result.time), 0.61);
  }
}

// In the switch: each GPU's port carries the vector up for the reduction and its 1/8 for the
// multicast, so 9/8 x 1.073741824 GB / 100 GB/s = 12.07959552 ms; filling the pipe (one 128 KiB
// chunk each of 4 channels for the reduction) adds 4 x 8 x 128 KiB / 100 GB/s = 41.9 us at most.
TEST(ClosedForms, NvlsMovesNineEighthsOfTheVectorThroughEachPort) {
  const Topology fabric = testing::gpus_on_one_switch(8, bandwidth_from_gbytes_per_second(100));
  const Profile ideal = testing::ideal_profile();
  const TestPlan test({fabric, {"nvls", CollectiveKind::AllReduce}, Protocol::Simple, 4, ideal});
  for (const Duration time :
       {testing::stream_time(test, Bytes{kGiB}), testing::chunk_time(test, Bytes{kGiB})}) {
    EXPECT_GE(to_microseconds(time), 12079.595);
    EXPECT_LE(to_microseconds(time), 12079.595 + 42);
  }
}

// Peer-to-peer off under one switch: every transfer crosses the uplink up and down. In a ring all
// eight GPUs send at once, so each gets 1/8 of the 25 GB/s uplink: busbw = 25/8 = 3.125 GB/s.
TEST(ClosedForms, EightStagedGpusShareOneUplink) {
  const Topology fabric = testing::gpus_under_one_pcie_switch(8, PeerReach::Off);
  const Profile ideal = testing::ideal_profile();
  const TestPlan test({fabric, {"ring", CollectiveKind::AllReduce}, Protocol::Simple, 2, ideal});
  const Bytes moved{kGiB * 14 / 8};
  EXPECT_NEAR(gbytes_per_second(moved, testing::chunk_time(test, Bytes{kGiB})), 3.125, 0.01);
  EXPECT_NEAR(gbytes_per_second(moved, testing::stream_time(test, Bytes{kGiB})), 3.125, 0.01);
}

// Direct attach, one socket, peer-to-peer off: nothing is shared, but what is written to and read
// from host memory gets the profile's staging efficiency: 25 GB/s x 0.6 = 15 GB/s.
TEST(ClosedForms, StagingThroughHostMemoryCostsTheProfilesShare) {
  const Topology fabric =
      testing::gpus_on_two_sockets(4, PeerReach::Off, bandwidth_from_gbytes_per_second(25),
                                   bandwidth_from_gbytes_per_second(1000));
  Profile profile = testing::ideal_profile();
  profile.staging_efficiency = 0.6;
  const TestPlan test({fabric, {"ring", CollectiveKind::AllReduce}, Protocol::Simple, 2, profile});
  const Bytes moved{kGiB * 6 / 4};
  EXPECT_NEAR(gbytes_per_second(moved, testing::chunk_time(test, Bytes{kGiB})), 15, 0.02);
  EXPECT_NEAR(gbytes_per_second(moved, testing::stream_time(test, Bytes{kGiB})), 15, 0.02);
}

// The same with peer-to-peer: the uplink is not used, every port gives 25 GB/s.
TEST(ClosedForms, EightPeersUnderOneSwitchGetTheirPorts) {
  const Topology fabric = testing::gpus_under_one_pcie_switch(8, PeerReach::Switch);
  const Profile ideal = testing::ideal_profile();
  const TestPlan test({fabric, {"ring", CollectiveKind::AllReduce}, Protocol::Simple, 2, ideal});
  const Bytes moved{kGiB * 14 / 8};
  EXPECT_NEAR(gbytes_per_second(moved, testing::chunk_time(test, Bytes{kGiB})), 25, 0.05);
}

// Two GPUs on two sockets: the 10 GB/s socket link is the narrowest on the way, in each direction.
// all_reduce of 2 ranks moves the vector once through it each way.
TEST(ClosedForms, APairAcrossSocketsGetsTheSocketLink) {
  const Topology fabric =
      testing::gpus_on_two_sockets(2, PeerReach::All, bandwidth_from_gbytes_per_second(25),
                                   bandwidth_from_gbytes_per_second(10));
  const Profile ideal = testing::ideal_profile();
  const TestPlan test({fabric, {"ring", CollectiveKind::AllReduce}, Protocol::Simple, 2, ideal});
  EXPECT_NEAR(gbytes_per_second(Bytes{kGiB}, testing::chunk_time(test, Bytes{kGiB})), 10, 0.02);
}

// alltoall over two sockets, 4 + 4 GPUs: 16 of the 56 blocks cross the socket link in each
// direction, 16 x 128 MiB / 10 GB/s = 214.7 ms; a port alone would need 7 x 128 MiB / 25 GB/s
// = 37.6 ms.
TEST(ClosedForms, AnAlltoallAcrossSocketsIsHeldByTheSocketLink) {
  const Topology fabric =
      testing::gpus_on_two_sockets(8, PeerReach::All, bandwidth_from_gbytes_per_second(25),
                                   bandwidth_from_gbytes_per_second(10));
  const Profile ideal = testing::ideal_profile();
  const TestPlan test({fabric, {"p2p", CollectiveKind::AllToAll}, Protocol::Simple, 2, ideal});
  EXPECT_NEAR(to_microseconds(testing::chunk_time(test, Bytes{kGiB})), 214748.4, 1);
  EXPECT_NEAR(to_microseconds(testing::stream_time(test, Bytes{kGiB})), 214748.4, 1);
}

}  // namespace
}  // namespace ringspan

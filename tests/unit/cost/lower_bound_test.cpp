#include "models/cost/lower_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "models/cost/fabric_cuts.h"
#include "tests/support/clusters.h"
#include "tests/support/fabrics.h"

namespace ringspan {
namespace {

using fabrics::Maker;
using fabrics::one_switch_level;
using fabrics::pcie_server;

constexpr Bytes kGigabyte{1'000'000'000};

// Of ranks on these GPUs of one server.
LowerBound lower_bound(const Topology& topology, std::span<const NodeId> gpus,
                       const CollectiveSpec& spec, Bytes size) {
  const auto all = topology.gpus();
  std::vector<GpuPlace> ranks;
  for (const NodeId gpu : gpus) {
    const auto index = std::find(all.begin(), all.end(), gpu) - all.begin();
    ranks.push_back({0, static_cast<std::int32_t>(index)});
  }
  return LowerBounds(Cluster(Topology(topology)), ranks, spec).of(size);
}

LowerBound bound(const Topology& topology, CollectiveKind kind, int root = 0) {
  const auto gpus = topology.gpus();
  return lower_bound(topology, gpus, {kind, static_cast<int>(gpus.size()), root}, kGigabyte);
}

// `gigabytes` at `rate` GB/s, rounded down to a picosecond.
Duration at(double gigabytes, double rate) {
  return Duration{static_cast<std::int64_t>(gigabytes * 1e12 / rate)};
}

Topology h100(bool multicast) { return one_switch_level(8, {5, 4, 4, 5}, 90, 25.0, multicast); }

// Eight ports of 450 GB/s. all_reduce without help from the switch: 2 x 7 messages per byte over
// eight ports.
TEST(LowerBound, OfAllReduceIsTwiceTheVectorLessOnePart) {
  const LowerBound found = bound(h100(false), CollectiveKind::AllReduce);
  EXPECT_EQ(found.time, at(14.0 / 8, 450));
  EXPECT_EQ(found.reason, "the GPUs together must receive 13.04 GiB through 3600 GB/s");
}

// A switch that reduces and multicasts leaves: every GPU sends and receives the vector once.
TEST(LowerBound, OfAllReduceIsTheVectorOnceWhereSwitchesReduce) {
  EXPECT_EQ(bound(h100(true), CollectiveKind::AllReduce).time, at(1, 450));
}

TEST(LowerBound, OfTheOtherCollectivesOnASwitchIsThePorts) {
  const Topology topology = h100(true);
  // Seven of eight parts come in, go out, or both.
  for (const CollectiveKind kind :
       {CollectiveKind::AllGather, CollectiveKind::ReduceScatter, CollectiveKind::AllToAll,
        CollectiveKind::Gather, CollectiveKind::Scatter}) {
    EXPECT_EQ(bound(topology, kind, 3).time, at(7.0 / 8, 450)) << collective_name(kind);
  }
  for (const CollectiveKind kind :
       {CollectiveKind::Broadcast, CollectiveKind::Reduce, CollectiveKind::SendRecv}) {
    EXPECT_EQ(bound(topology, kind, 3).time, at(1, 450)) << collective_name(kind);
  }
  EXPECT_EQ(bound(topology, CollectiveKind::Gather, 3).reason,
            "gpu3 must receive 834.5 MiB through 450 GB/s");  // 875 MB
}

// Four GPUs, four links of 25 GB/s between every two: two ranks have 100 GB/s between them, and the
// 200 GB/s to the other two are no way from one to the other.
TEST(LowerBound, CountsNoLinksToGpusThatTakeNoPartInAMesh) {
  const Topology mesh = fabrics::full_mesh4();
  const auto gpus = mesh.gpus();
  const std::vector<NodeId> pair(gpus.begin(), gpus.begin() + 2);
  EXPECT_EQ(lower_bound(mesh, pair, {CollectiveKind::AllReduce, 2, 0}, kGigabyte).time, at(1, 100));
}

// A DGX-1's GPU has six NVLinks and a PCIe port that no route between GPUs uses.
TEST(LowerBound, CountsNoPcieBesideNvLinkThatJoinsAll) {
  const Topology topology = fabrics::dgx1();
  EXPECT_TRUE(joined_by_nvlink(topology, topology.gpus()));
  EXPECT_EQ(bound(topology, CollectiveKind::AllReduce).time, at(14.0 / 8, 150));
}

// Two GPUs under each of four switches, PCIe Gen4 of 31.5 GB/s. alltoall: 2 x 6 / 8 of the size
// leave each switch, 4 x 4 / 8 each socket.
TEST(LowerBound, FindsTheUplinkOfASwitchAndTheSocketLink) {
  const LowerBound uplink = bound(pcie_server({}), CollectiveKind::AllToAll);
  EXPECT_EQ(uplink.time, at(1.5, 31.5));
  EXPECT_EQ(uplink.reason, "the GPUs under psw0 must send 1.397 GiB through 31.5 GB/s");
  const LowerBound socket = bound(pcie_server({.socket_rate = 20.0}), CollectiveKind::AllToAll);
  EXPECT_EQ(socket.time, at(2, 20));
  EXPECT_EQ(socket.reason, "the GPUs of cpu0 must send 1.863 GiB through 20 GB/s");
}

// Four GPUs under one of the two switches' uplinks: all_gather brings the other half in, which is
// less than the seven parts that come into each GPU.
TEST(LowerBound, OfPcieAllGatherIsTheGpusOwnPort) {
  const Topology topology = pcie_server({.switches_per_socket = 1});
  EXPECT_EQ(bound(topology, CollectiveKind::AllGather).time, at(7.0 / 8, 31.5));
}

// Root on socket 0: what the four GPUs of socket 1 gather must cross 20 GB/s: 4/8; into the root
// come 7/8 at 31.5 GB/s, which takes longer; at 10 GB/s the socket link does.
TEST(LowerBound, OfGatherKnowsWhereTheRootIs) {
  EXPECT_EQ(bound(pcie_server({.socket_rate = 20.0}), CollectiveKind::Gather).time,
            at(7.0 / 8, 31.5));
  const LowerBound found = bound(pcie_server({.socket_rate = 10.0}), CollectiveKind::Gather);
  EXPECT_EQ(found.time, at(0.5, 10));
  EXPECT_EQ(found.reason, "the GPUs of cpu0 must receive 476.8 MiB through 10 GB/s");
}

// A NIC's port is no way from its switch to the server's other GPUs.
TEST(LowerBound, CountsNoNicAsAWayOutOfItsSwitch) {
  Maker make("nics");
  make.gpus_until(4);
  const NodeId cpu = make.cpu("cpu0", "amd");
  for (std::size_t i = 0; i < 2; ++i) {
    const NodeId plx = make.device("psw" + std::to_string(i), DeviceKind::PcieSwitch);
    const NodeId nic = make.device("nic" + std::to_string(i), DeviceKind::Nic);
    for (const NodeId other : {cpu, nic, make.gpus[2 * i], make.gpus[2 * i + 1]}) {
      make.builder.add_duplex(plx, other, fabrics::pcie(4));
    }
  }
  const Topology topology = std::move(make.builder).build();
  // 2 x 2 / 4 of the size leave each switch by its uplink.
  EXPECT_EQ(bound(topology, CollectiveKind::AllToAll).time, at(1, 31.5));
}

// Peer-to-peer off, four GPUs under one switch: all they exchange crosses the one uplink.
// all_gather brings 3/4 to each of them, all_reduce takes 2 x 3 messages per byte.
TEST(LowerBound, CountsWhatIsStagedOnTheSharedUplink) {
  const Topology topology = pcie_server(
      {.reach = PeerReach::Off, .sockets = 1, .switches_per_socket = 1, .gpus_per_socket = 4});
  EXPECT_EQ(bound(topology, CollectiveKind::AllGather).time, at(3, 31.5));
  EXPECT_EQ(bound(topology, CollectiveKind::AllReduce).time, at(6, 31.5));
  EXPECT_EQ(bound(topology, CollectiveKind::Broadcast).time, at(3, 31.5));  // read three times
  EXPECT_EQ(bound(topology, CollectiveKind::SendRecv).time, at(4, 31.5));
}

// Four GPUs under two switches that hang under a third, and four under the CPU: what crosses the
// third's uplink in an alltoall is 4 x 4 / 8 of the size.
TEST(LowerBound, FindsTheUplinkOfSwitchesUnderASwitch) {
  Maker make("cascade");
  make.gpus_until(8);
  const NodeId cpu = make.cpu("cpu0", "amd");
  const NodeId top = make.device("top", DeviceKind::PcieSwitch);
  make.builder.add_duplex(top, cpu, fabrics::pcie(4));
  for (std::size_t leaf = 0; leaf < 2; ++leaf) {
    const NodeId plx = make.device("leaf" + std::to_string(leaf), DeviceKind::PcieSwitch);
    make.builder.add_duplex(plx, top, fabrics::pcie(4));
    for (std::size_t g = 2 * leaf; g < 2 * leaf + 2; ++g) {
      make.builder.add_duplex(make.gpus[g], plx, fabrics::pcie(4));
    }
  }
  for (std::size_t g = 4; g < 8; ++g) {
    make.builder.add_duplex(make.gpus[g], cpu, fabrics::pcie(4));
  }
  const Topology topology = std::move(make.builder).build();
  const LowerBound found = bound(topology, CollectiveKind::AllToAll);
  EXPECT_EQ(found.time, at(2, 31.5));
  EXPECT_EQ(found.reason, "all GPUs under top must send 1.863 GiB through 31.5 GB/s");
}

// sendrecv over ranks that alternate between the sockets: four vectors cross each way.
TEST(LowerBound, OfSendRecvCountsTheNeighboursAcrossTheCut) {
  const Topology topology = pcie_server({.socket_rate = 20.0});
  std::vector<NodeId> gpus;
  for (std::size_t i = 0; i < 4; ++i) {
    gpus.push_back(topology.gpus()[i]);
    gpus.push_back(topology.gpus()[i + 4]);
  }
  EXPECT_EQ(lower_bound(topology, gpus, {CollectiveKind::SendRecv, 8, 0}, kGigabyte).time,
            at(4, 20));
  EXPECT_EQ(bound(topology, CollectiveKind::SendRecv).time, at(1, 20));  // in order: one
}

// NVLink pairs on PCIe: an island of two has two PCIe ports of 31.5 GB/s. alltoall over four:
// 2 x 2 / 4 of the size.
TEST(LowerBound, KnowsIslandsOfNvLink) {
  Maker make("pairs");
  make.gpus_until(4);
  const NodeId cpu = make.cpu("cpu0", "amd");
  for (const NodeId gpu : make.gpus) make.builder.add_duplex(gpu, cpu, fabrics::pcie(4));
  make.builder.add_duplex(make.gpus[0], make.gpus[1], fabrics::nvlinks(12));
  make.builder.add_duplex(make.gpus[2], make.gpus[3], fabrics::nvlinks(12));
  const Topology topology = std::move(make.builder).build();
  const LowerBound found = bound(topology, CollectiveKind::AllToAll);
  EXPECT_EQ(found.time, at(1, 63));
  EXPECT_EQ(found.reason, "the GPUs joined to gpu0 by NVLink must send 953.7 MiB through 63 GB/s");
}

// Two boards of two GPUs (two links each) with one link between the boards' switches: half of what
// each GPU sends in an alltoall crosses 25 GB/s.
TEST(LowerBound, KnowsTheLinksBetweenSwitchBoards) {
  Maker make("boards", 70);
  make.gpus_until(4);
  std::vector<NodeId> switches;
  for (std::size_t board = 0; board < 2; ++board) {
    switches.push_back(make.nvswitch("nvsw" + std::to_string(board)));
    for (std::size_t g = 2 * board; g < 2 * board + 2; ++g) {
      make.builder.add_duplex(make.gpus[g], switches.back(), fabrics::nvlinks(2));
    }
  }
  make.builder.add_duplex(switches[0], switches[1], fabrics::nvlinks(1));
  const Topology topology = std::move(make.builder).build();
  const LowerBound found = bound(topology, CollectiveKind::AllToAll);
  EXPECT_EQ(found.time, at(1, 25));
  EXPECT_EQ(found.reason, "the NVSwitch board of gpu0 must send 953.7 MiB through 25 GB/s");
}

TEST(LowerBound, OfOneRankIsNothing) {
  const Topology topology = fabrics::full_mesh4();
  const LowerBound found =
      lower_bound(topology, topology.gpus().first(1), {CollectiveKind::AllReduce, 1, 0}, kGigabyte);
  EXPECT_EQ(found.time, Duration::zero());
  EXPECT_EQ(found.reason, "one rank: nothing crosses a link");
}

TEST(LowerBound, NeverFallsWhenARankJoins) {
  const Topology topology = pcie_server({});
  for (const CollectiveKind kind : kAllCollectives) {
    Duration last{};
    for (std::size_t n = 1; n <= 8; ++n) {
      // The same bytes per rank, so that more ranks are more work.
      const Bytes per_rank = kGigabyte;
      const bool total = busbw_factor(kind, 4) == 0.75 && kind != CollectiveKind::AllToAll;
      const Bytes size = total ? per_rank * static_cast<std::int64_t>(n) : per_rank;
      const Duration time =
          lower_bound(topology, topology.gpus().first(n), {kind, static_cast<int>(n), 0}, size)
              .time;
      EXPECT_GE(time, last) << collective_name(kind) << " on " << n;
      last = time;
    }
  }
}

// All GPUs of a cluster.
LowerBound bound(const Cluster& cluster, CollectiveKind kind, int root = 0) {
  std::vector<GpuPlace> ranks;
  for (std::int64_t gpu = 0; gpu < cluster.gpu_count(); ++gpu) ranks.push_back(cluster.place(gpu));
  const CollectiveSpec spec{kind, static_cast<int>(ranks.size()), root};
  return LowerBounds(cluster, ranks, spec).of(kGigabyte);
}

// Four servers of two GPUs and two NICs of 10 GB/s: 20 GB/s into and out of each server.
TEST(LowerBound, OverServersIsTheirNics) {
  const Cluster cluster = testing::servers_on_a_crossbar(4, 2, fabrics::gbytes(10));
  // Servers are groups: 2 x 3 vectors over four times 20 GB/s, though NVSwitches reduce inside.
  const LowerBound all_reduce = bound(cluster, CollectiveKind::AllReduce);
  EXPECT_EQ(all_reduce.time, at(6, 80));
  EXPECT_EQ(all_reduce.reason, "the servers together must receive 5.588 GiB through 80 GB/s");
  // Two ranks inside, six outside: 2 x 6/8 of the size leave a server.
  const LowerBound alltoall = bound(cluster, CollectiveKind::AllToAll);
  EXPECT_EQ(alltoall.time, at(1.5, 20));
  EXPECT_EQ(alltoall.reason, "the NICs of server0 must send 1.397 GiB through 20 GB/s");
  EXPECT_EQ(bound(cluster, CollectiveKind::AllGather).time, at(0.75, 20));  // 6/8 come in
  EXPECT_EQ(bound(cluster, CollectiveKind::ReduceScatter).time, at(0.75, 20));
  EXPECT_EQ(bound(cluster, CollectiveKind::Broadcast).time, at(1, 20));
  EXPECT_EQ(bound(cluster, CollectiveKind::SendRecv).time, at(1, 20));  // one neighbour of two
}

// The root, rank 5, sits in server 2.
TEST(LowerBound, OverServersKnowsWhereTheRootIs) {
  const Cluster cluster = testing::servers_on_a_crossbar(4, 2, fabrics::gbytes(10));
  const LowerBound scatter = bound(cluster, CollectiveKind::Scatter, 5);
  EXPECT_EQ(scatter.time, at(0.75, 20));
  EXPECT_EQ(scatter.reason, "the NICs of server2 must send 715.3 MiB through 20 GB/s");
}

// NICs of 4000 GB/s: what leaves a server crosses its GPUs' PCIe links first, 55 GB/s each.
TEST(LowerBound, OverServersKnowsTheWayFromGpuToNic) {
  const Cluster cluster = testing::servers_on_a_crossbar(2, 2, fabrics::gbytes(4000));
  const LowerBound found = bound(cluster, CollectiveKind::Broadcast);
  EXPECT_EQ(found.time, at(1, 110));
  EXPECT_EQ(found.reason,
            "server0: the NVSwitch board of gpu0 must send 953.7 MiB through 110 GB/s");
}

// Ranks on one server of a cluster use no NIC, nor the PCIe links to them.
TEST(LowerBound, OnOneServerOfAClusterIsThatOfTheServer) {
  const Cluster cluster = testing::servers_on_a_crossbar(4, 4, fabrics::gbytes(10));
  const std::vector<GpuPlace> ranks = {{2, 0}, {2, 1}, {2, 2}, {2, 3}};
  const LowerBound found =
      LowerBounds(cluster, ranks, {CollectiveKind::AllGather, 4, 0}).of(kGigabyte);
  EXPECT_EQ(found.time, at(0.75, 450));
  EXPECT_EQ(found.reason, "server2: gpu0 must receive 715.3 MiB through 450 GB/s");
}

// Ranks dealt out over the servers by turns: every vector of a sendrecv leaves its server.
TEST(LowerBound, OfSendRecvOverServersCountsNeighboursOnOthers) {
  const Cluster cluster = testing::servers_on_a_crossbar(2, 2, fabrics::gbytes(10));
  const std::vector<GpuPlace> ranks = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  EXPECT_EQ(LowerBounds(cluster, ranks, {CollectiveKind::SendRecv, 4, 0}).of(kGigabyte).time,
            at(2, 20));
}

}  // namespace
}  // namespace ringspan

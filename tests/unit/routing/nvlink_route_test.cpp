#include <chrono>

#include <gmock/gmock.h>

#include "sim/base/input_error.h"
#include "tests/support/fabrics.h"
#include "topologies/routing/gpu_router.h"
#include "topologies/routing/route.h"

namespace ringspan {
namespace {

using fabrics::gbytes;
using fabrics::Maker;
using fabrics::nvlinks;
using testing::ElementsAre;
using testing::IsEmpty;

// What of the route's bytes leaves `from` for `to`.
double share_between(const Topology& topology, const Route& route, NodeId from, NodeId to) {
  double share = 0;
  for (const RouteLink& step : route.links) {
    const Link& link = topology.link(step.link);
    if (link.from == from && link.to == to) share += step.share;
  }
  return share;
}

TEST(Route, ToTheSameGpuIsALocalCopy) {
  const Topology topology = fabrics::full_mesh4();
  const Route route = route_between_gpus(topology, NodeId{1}, NodeId{1});
  EXPECT_EQ(route.kind, PathKind::Local);
  EXPECT_THAT(route.links, IsEmpty());
  EXPECT_EQ(route.payload, gbytes(1000));  // the model's memory_copy
}

TEST(Route, StripesParallelDirectLinksByCapacity) {
  Maker make("bundle");
  make.gpus_until(2);
  const LinkId wide = make.builder.add_duplex(make.gpus[0], make.gpus[1], nvlinks(3));
  const LinkId narrow = make.builder.add_duplex(make.gpus[0], make.gpus[1], nvlinks(1));
  const Topology topology = std::move(make.builder).build();
  const Route route = route_between_gpus(topology, make.gpus[0], make.gpus[1]);
  EXPECT_EQ(route.kind, PathKind::NvLink);
  ASSERT_EQ(route.links.size(), 2u);
  EXPECT_EQ(route.links[0].link, wide);
  EXPECT_DOUBLE_EQ(route.links[0].share, 0.75);
  EXPECT_EQ(route.links[1].link, narrow);
  EXPECT_DOUBLE_EQ(route.links[1].share, 0.25);
  EXPECT_EQ(route.payload, gbytes(100));  // (3 + 1) x 25
  EXPECT_EQ(route.latency, nanoseconds(300));
  EXPECT_THAT(route.via, IsEmpty());
}

TEST(Route, CrossesOneNvSwitch) {
  const Topology topology = fabrics::one_switch_level(8, {12}, 80);
  const Route route = route_between_gpus(topology, NodeId{2}, NodeId{5});
  EXPECT_EQ(route.kind, PathKind::NvSwitch);
  EXPECT_EQ(route.slowest_class, LinkClass::NvLink);
  ASSERT_EQ(route.links.size(), 2u);
  EXPECT_EQ(topology.link(route.links[0].link).from, NodeId{2});
  EXPECT_EQ(topology.link(route.links[1].link).to, NodeId{5});
  EXPECT_EQ(route.links[0].stage, 0u);
  EXPECT_EQ(route.links[1].stage, 1u);
  EXPECT_EQ(route.payload, gbytes(300));
  EXPECT_EQ(route.latency, nanoseconds(600));
  EXPECT_THAT(route.via, ElementsAre(NodeId{8}));
  EXPECT_FALSE(route.staged);
}

// DGX H100: 5, 4, 4 and 5 links to the four switches.
TEST(Route, SpreadsOverSwitchPlanesByTheirWidth) {
  const Topology topology = fabrics::one_switch_level(8, {5, 4, 4, 5}, 90);
  const Route route = route_between_gpus(topology, NodeId{0}, NodeId{7});
  ASSERT_EQ(route.links.size(), 8u);
  const double expected[] = {5.0 / 18, 4.0 / 18, 4.0 / 18, 5.0 / 18};
  for (std::size_t plane = 0; plane < 4; ++plane) {
    const NodeId nvswitch{static_cast<std::uint32_t>(8 + plane)};
    EXPECT_DOUBLE_EQ(share_between(topology, route, NodeId{0}, nvswitch), expected[plane]);
    EXPECT_DOUBLE_EQ(share_between(topology, route, nvswitch, NodeId{7}), expected[plane]);
  }
  EXPECT_EQ(route.payload, gbytes(450));
}

// One GPU lost half its links to plane 1: that plane carries what its narrower side can.
TEST(Route, GivesAPlaneWhatItsNarrowerSideCanCarry) {
  Maker make("lame");
  make.gpus_until(2);
  const int links[2][2] = {{6, 6}, {6, 2}};
  for (std::size_t plane = 0; plane < 2; ++plane) {
    const NodeId nvswitch = make.nvswitch("nvsw" + std::to_string(plane));
    for (std::size_t g = 0; g < 2; ++g) {
      make.builder.add_duplex(make.gpus[g], nvswitch, nvlinks(links[g][plane]));
    }
  }
  const Topology topology = std::move(make.builder).build();
  const Route route = route_between_gpus(topology, make.gpus[0], make.gpus[1]);
  EXPECT_DOUBLE_EQ(share_between(topology, route, make.gpus[0], NodeId{2}), 6.0 / 8);
  EXPECT_DOUBLE_EQ(share_between(topology, route, NodeId{3}, make.gpus[1]), 2.0 / 8);
  EXPECT_EQ(route.payload, gbytes(200));  // min(6, 6) + min(6, 2) links
}

// DGX-2: six switches on each of two boards, one link from each GPU of a board to each of its
// switches, eight links from switch i of one board to switch i of the other.
TEST(Route, CrossesTwoSwitchBoardsPlaneByPlane) {
  Maker make("dgx2", 70);
  make.gpus_until(16);
  std::vector<NodeId> boards[2];
  for (std::size_t board = 0; board < 2; ++board) {
    for (int i = 0; i < 6; ++i) {
      boards[board].push_back(
          make.nvswitch("nvsw" + std::to_string(board) + "-" + std::to_string(i)));
      for (std::size_t g = 8 * board; g < 8 * board + 8; ++g) {
        make.builder.add_duplex(make.gpus[g], boards[board].back(), nvlinks(1));
      }
    }
  }
  for (std::size_t i = 0; i < 6; ++i) {
    make.builder.add_duplex(boards[0][i], boards[1][i], nvlinks(8));
  }
  const Topology topology = std::move(make.builder).build();
  const Route same = route_between_gpus(topology, make.gpus[0], make.gpus[7]);
  EXPECT_EQ(same.links.size(), 12u);
  const Route across = route_between_gpus(topology, make.gpus[0], make.gpus[15]);
  EXPECT_EQ(across.kind, PathKind::NvSwitch);
  ASSERT_EQ(across.links.size(), 18u);
  for (const RouteLink& step : across.links) EXPECT_DOUBLE_EQ(step.share, 1.0 / 6);
  EXPECT_EQ(across.payload, gbytes(150));  // the GPU's six links
  EXPECT_EQ(across.latency, nanoseconds(900));
  EXPECT_THAT(across.via, ElementsAre(boards[0][0], boards[1][0]));
}

TEST(Route, UsesDirectLinksOfTheCubeMesh) {
  const Topology topology = fabrics::dgx1();
  EXPECT_EQ(route_between_gpus(topology, NodeId{0}, NodeId{3}).payload, gbytes(50));
  EXPECT_EQ(route_between_gpus(topology, NodeId{0}, NodeId{1}).payload, gbytes(25));
}

// Common neighbours of 0 and 7 are 3 (2 links, 1 link) and 4 (2, 2): 4 has the wider bottleneck.
TEST(Route, RelaysOverTheGpuWithTheWidestBottleneck) {
  const Topology topology = fabrics::dgx1();
  const Route route = route_between_gpus(topology, NodeId{0}, NodeId{7});
  EXPECT_EQ(route.kind, PathKind::NvLinkRelay);
  EXPECT_THAT(route.via, ElementsAre(NodeId{4}));
  EXPECT_EQ(route.payload, gbytes(50));
  EXPECT_EQ(route.latency, nanoseconds(600));
}

// Of 0 and 5: 1 gives (1 link, 2 links), 4 gives (2, 1): a tie of 25 GB/s, the lower GPU relays.
TEST(Route, BreaksTiesBetweenRelaysByNumber) {
  const Topology topology = fabrics::dgx1();
  const Route route = route_between_gpus(topology, NodeId{0}, NodeId{5});
  EXPECT_THAT(route.via, ElementsAre(NodeId{1}));
  EXPECT_EQ(route.payload, gbytes(25));
}

// NVLink needs no PCIe peer-to-peer.
TEST(Route, UsesNvLinkWithPeerToPeerOff) {
  Maker make("off");
  make.builder.set_peer_reach(PeerReach::Off);
  make.gpus_until(2);
  make.builder.add_duplex(make.gpus[0], make.gpus[1], nvlinks(4));
  const Topology topology = std::move(make.builder).build();
  const Route route = route_between_gpus(topology, make.gpus[0], make.gpus[1]);
  EXPECT_EQ(route.kind, PathKind::NvLink);
  EXPECT_FALSE(route.staged);
}

// A ring of GPUs without a host has pairs further apart than one relay.
TEST(Route, WalksAlongGpusWhenNothingElseJoinsThem) {
  Maker make("ring");
  make.gpus_until(8);
  for (std::size_t i = 0; i < 8; ++i) {
    make.builder.add_duplex(make.gpus[i], make.gpus[(i + 1) % 8], nvlinks(2));
  }
  const Topology topology = std::move(make.builder).build();
  const Route route = route_between_gpus(topology, make.gpus[0], make.gpus[3]);
  EXPECT_EQ(route.kind, PathKind::NvLinkRelay);
  EXPECT_THAT(route.via, ElementsAre(make.gpus[1], make.gpus[2]));
  EXPECT_EQ(route.payload, gbytes(50));
}

TEST(Route, RefusesGpusThatNothingJoins) {
  Maker make("apart");
  TopologyBuilder& builder = make.builder;
  builder.add_device({"left", DeviceKind::Gpu, 0, make.model, "", false});
  builder.add_device({"right", DeviceKind::Gpu, 1, make.model, "", false});
  const Topology topology = std::move(builder).build();
  try {
    route_between_gpus(topology, NodeId{0}, NodeId{1});
    FAIL() << "a route was found";
  } catch (const InputError& error) {
    EXPECT_EQ(format_problem(error.problems().at(0)),
              "error: no chain of links joins left and right\n"
              "hint: link the two GPUs, or both to one NVSwitch, PCIe switch or CPU");
  }
}

TEST(SwitchPort, SpreadsOverPlanesUpAndDown) {
  const Topology topology = fabrics::one_switch_level(8, {5, 4, 4, 5}, 90, 25.0, true);
  const SwitchPort port = switch_port(topology, NodeId{3});
  ASSERT_EQ(port.up.size(), 4u);
  ASSERT_EQ(port.down.size(), 4u);
  EXPECT_DOUBLE_EQ(port.up[0].share, 5.0 / 18);
  EXPECT_DOUBLE_EQ(port.down[1].share, 4.0 / 18);
  EXPECT_EQ(topology.link(port.up[2].link).from, NodeId{3});
  EXPECT_EQ(topology.link(port.down[2].link).to, NodeId{3});
  EXPECT_EQ(port.latency, nanoseconds(600));
}

// 1,000 GPUs on one switch: 10^5 routes in well under a second (0.03 s when written). The bound
// leaves room for a loaded machine and unoptimised code.
TEST(GpuRouter, RoutesAThousandGpusQuickly) {
  const Topology topology = fabrics::one_switch_level(1000, {18}, 90);
  const GpuRouter router(topology);
  const auto begin = std::chrono::steady_clock::now();
  std::size_t links = 0;
  for (std::uint32_t i = 0; i < 100; ++i) {
    for (std::uint32_t j = 0; j < 1000; ++j)
      links += router.route(NodeId{i}, NodeId{j}).links.size();
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(links, 2u * (100'000 - 100));  // up and down, none to itself
  RecordProperty("seconds", std::to_string(took.count()));
  EXPECT_LT(took.count(), 3.0);
}

}  // namespace
}  // namespace ringspan

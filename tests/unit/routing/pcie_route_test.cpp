#include <gmock/gmock.h>

#include "sim/base/input_error.h"
#include "tests/support/fabrics.h"
#include "topologies/routing/route.h"

namespace ringspan {
namespace {

using fabrics::gbytes;
using fabrics::Maker;
using fabrics::pcie_server;
using testing::ElementsAre;

std::string device_name(const Topology& topology, NodeId id) { return topology.device(id).name; }

NodeId device(const Topology& topology, const std::string& name) {
  for (std::uint32_t i = 0; i < topology.devices().size(); ++i) {
    if (topology.devices()[i].name == name) return NodeId{i};
  }
  throw std::out_of_range(name);
}

Route route(const Topology& topology, int from, int to) {
  return route_between_gpus(topology, topology.gpus()[static_cast<std::size_t>(from)],
                            topology.gpus()[static_cast<std::size_t>(to)]);
}

// "gpu0>psw0 psw0>gpu1": the links of a route that is not striped.
std::string steps(const Topology& topology, const Route& route) {
  std::string text;
  for (const RouteLink& step : route.links) {
    const Link& link = topology.link(step.link);
    text += (text.empty() ? "" : " ") + device_name(topology, link.from) + ">" +
            device_name(topology, link.to);
  }
  return text;
}

TEST(PcieRoute, StaysUnderOneSwitch) {
  const Topology topology = pcie_server({});
  const Route found = route(topology, 0, 1);
  EXPECT_EQ(found.kind, PathKind::PcieSwitch);
  EXPECT_EQ(steps(topology, found), "gpu0>psw0 psw0>gpu1");
  EXPECT_EQ(found.slowest_class, LinkClass::Pcie);
  EXPECT_EQ(found.payload, gbytes(31.5));
  EXPECT_EQ(found.latency, nanoseconds(200));
  EXPECT_FALSE(found.staged);
}

TEST(PcieRoute, CrossesTheRootComplexPeerToPeerWhereReachAllows) {
  const Topology topology = pcie_server({.reach = PeerReach::Socket});
  const Route found = route(topology, 0, 2);
  EXPECT_EQ(found.kind, PathKind::RootComplex);
  EXPECT_EQ(steps(topology, found), "gpu0>psw0 psw0>cpu0 cpu0>psw1 psw1>gpu2");
  EXPECT_FALSE(found.staged);
  EXPECT_EQ(found.latency, nanoseconds(400));
}

TEST(PcieRoute, IsStagedBeyondSwitchesByDefault) {
  const Topology topology = pcie_server({});
  const Route found = route(topology, 0, 2);
  EXPECT_EQ(found.kind, PathKind::RootComplex);
  EXPECT_TRUE(found.staged);
  EXPECT_EQ(found.staging, device(topology, "cpu0"));
  EXPECT_EQ(found.staging_reason,
            "peer-to-peer reaches only through PCIe switches, and this pair is joined through a "
            "root complex");
  EXPECT_EQ(steps(topology, found), "gpu0>psw0 psw0>cpu0 cpu0>psw1 psw1>gpu2");
}

TEST(PcieRoute, CrossesTheSocketLinkToTheMemoryOfTheReceiversCpu) {
  const Topology topology = pcie_server({.reach = PeerReach::Socket, .socket_rate = 20.0});
  const Route found = route(topology, 1, 6);
  EXPECT_EQ(found.kind, PathKind::Socket);
  EXPECT_TRUE(found.staged);
  EXPECT_EQ(found.staging, device(topology, "cpu1"));
  EXPECT_EQ(found.staging_reason,
            "peer-to-peer reaches only within one socket, and this pair is joined across sockets");
  EXPECT_EQ(steps(topology, found), "gpu1>psw0 psw0>cpu0 cpu0>cpu1 cpu1>psw3 psw3>gpu6");
  EXPECT_EQ(found.slowest_class, LinkClass::Socket);
  EXPECT_EQ(found.payload, gbytes(20));
  EXPECT_EQ(found.latency, nanoseconds(4 * 100 + 150));
}

TEST(PcieRoute, ReachesAcrossSocketsWithReachAll) {
  const Topology topology = pcie_server({.reach = PeerReach::All});
  const Route found = route(topology, 0, 7);
  EXPECT_EQ(found.kind, PathKind::Socket);
  EXPECT_FALSE(found.staged);
}

// Host memory lies above the switch: the uplink is crossed up and down.
TEST(PcieRoute, CrossesTheUplinkTwiceWithPeerToPeerOff) {
  const Topology topology = pcie_server({.reach = PeerReach::Off});
  const Route found = route(topology, 0, 1);
  EXPECT_EQ(found.kind, PathKind::PcieSwitch);
  EXPECT_TRUE(found.staged);
  EXPECT_EQ(found.staging_reason, "peer-to-peer is off on this server");
  EXPECT_EQ(steps(topology, found), "gpu0>psw0 psw0>cpu0 cpu0>psw0 psw0>gpu1");
  EXPECT_EQ(found.latency, nanoseconds(400));
  EXPECT_THAT(found.via, ElementsAre(device(topology, "psw0"), device(topology, "cpu0"),
                                     device(topology, "psw0")));
}

TEST(PcieRoute, JoinsDirectAttachedGpusThroughTheirCpu) {
  const Topology topology = pcie_server({.reach = PeerReach::All, .switches_per_socket = 0});
  EXPECT_EQ(steps(topology, route(topology, 0, 3)), "gpu0>cpu0 cpu0>gpu3");
  EXPECT_EQ(route(topology, 0, 3).kind, PathKind::RootComplex);
  EXPECT_EQ(steps(topology, route(topology, 3, 4)), "gpu3>cpu0 cpu0>cpu1 cpu1>gpu4");
}

TEST(PcieRoute, TellsSeveralSwitchesFromOne) {
  Maker make("cascade");
  make.gpus_until(2);
  const NodeId top = make.device("top", DeviceKind::PcieSwitch);
  for (const NodeId gpu : make.gpus) {
    const NodeId leaf = make.device("leaf" + std::to_string(gpu.value), DeviceKind::PcieSwitch);
    make.builder.add_duplex(gpu, leaf, fabrics::pcie(4));
    make.builder.add_duplex(leaf, top, fabrics::pcie(4));
  }
  const Topology topology = std::move(make.builder).build();
  const Route found = route(topology, 0, 1);
  EXPECT_EQ(found.kind, PathKind::PcieSwitches);
  EXPECT_FALSE(found.staged);
  EXPECT_EQ(found.links.size(), 4u);
}

TEST(PcieRoute, StripesParallelSocketLinks) {
  Maker make("two-upi");
  make.builder.set_peer_reach(PeerReach::All);
  make.gpus_until(2);
  const NodeId cpu0 = make.cpu("cpu0", "intel");
  const NodeId cpu1 = make.cpu("cpu1", "intel");
  make.builder.add_duplex(make.gpus[0], cpu0, fabrics::pcie(5));
  make.builder.add_duplex(make.gpus[1], cpu1, fabrics::pcie(5));
  const LinkId first = make.builder.add_duplex(cpu0, cpu1, fabrics::socket_link(20));
  make.builder.add_duplex(cpu0, cpu1, fabrics::socket_link(20));
  const Topology topology = std::move(make.builder).build();
  const Route found = route(topology, 0, 1);
  ASSERT_EQ(found.links.size(), 4u);
  EXPECT_EQ(found.links[1].link, first);
  EXPECT_DOUBLE_EQ(found.links[1].share, 0.5);
  EXPECT_EQ(found.links[1].stage, found.links[2].stage);
  EXPECT_EQ(found.payload, gbytes(40));
}

// GH200: the GPU hangs on its CPU by NVLink-C2C.
TEST(PcieRoute, StagesOverC2cLinks) {
  Maker make("grace", 90);
  make.gpus_until(2);
  std::vector<NodeId> cpus;
  Link c2c = fabrics::nvlinks(1, 450.0, "c2c");
  c2c.link_class = LinkClass::C2c;
  for (const NodeId gpu : make.gpus) {
    cpus.push_back(make.cpu("grace" + std::to_string(gpu.value), "arm"));
    make.builder.add_duplex(gpu, cpus.back(), c2c);
  }
  make.builder.add_duplex(cpus[0], cpus[1], fabrics::socket_link(100));
  const Topology topology = std::move(make.builder).build();
  const Route found = route(topology, 0, 1);
  EXPECT_TRUE(found.staged);
  EXPECT_EQ(found.staging, cpus[1]);
  EXPECT_EQ(found.payload, gbytes(100));
  EXPECT_EQ(found.slowest_class, LinkClass::Socket);
}

TEST(PcieRoute, RefusesToStageWithoutACpu) {
  Maker make("no-cpu");
  make.builder.set_peer_reach(PeerReach::Off);
  make.gpus_until(2);
  const NodeId plx = make.device("psw0", DeviceKind::PcieSwitch);
  for (const NodeId gpu : make.gpus) make.builder.add_duplex(gpu, plx, fabrics::pcie(4));
  const Topology topology = std::move(make.builder).build();
  try {
    route(topology, 0, 1);
    FAIL() << "a route was found";
  } catch (const InputError& error) {
    EXPECT_EQ(format_problem(error.problems().at(0)),
              "error: gpu0 and gpu1 have no CPU through whose memory they could exchange data, and "
              "peer-to-peer is off on this server\n"
              "hint: link both GPUs to a CPU, or let peer-to-peer reach further");
  }
}

TEST(PathKind, HasANameForEveryKind) {
  EXPECT_EQ(path_kind_name(PathKind::NvLinkRelay), "nvlink-relay");
  EXPECT_EQ(path_kind_name(PathKind::RootComplex), "root-complex");
}

}  // namespace
}  // namespace ringspan

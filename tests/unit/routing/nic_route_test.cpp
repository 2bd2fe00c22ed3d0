#include <string>

#include <gtest/gtest.h>

#include "sim/base/input_error.h"
#include "tests/support/fabrics.h"
#include "topologies/routing/gpu_router.h"

namespace ringspan {
namespace {

using fabrics::Maker;
using fabrics::pcie;

// gpu0 and nic0 under psw0, gpu1 under psw1, both switches under cpu0; nic1 under cpu1.
// PCIe 31.5 GB/s and 100 ns a link, the socket link 60 GB/s and 150 ns.
struct Host {
  Host() : make("host") {
    make.gpus_until(2);
    const NodeId cpu0 = make.cpu("cpu0", "intel");
    const NodeId cpu1 = make.cpu("cpu1", "intel");
    make.builder.add_duplex(cpu0, cpu1, fabrics::socket_link());
    nic0 = make.device("nic0", DeviceKind::Nic);
    nic1 = make.device("nic1", DeviceKind::Nic);
    for (std::size_t g = 0; g < 2; ++g) {
      const NodeId psw = make.device("psw" + std::to_string(g), DeviceKind::PcieSwitch);
      make.builder.add_duplex(psw, cpu0, pcie(4));
      make.builder.add_duplex(psw, make.gpus[g], pcie(4));
      if (g == 0) make.builder.add_duplex(psw, nic0, pcie(4));
    }
    make.builder.add_duplex(cpu1, nic1, pcie(4));
    topology = std::move(make.builder).build();
  }
  Route route(std::size_t gpu, NodeId nic, bool to_nic, bool staged) const {
    return GpuRouter(topology).nic_route(make.gpus[gpu], nic, to_nic, staged);
  }
  // "gpu0>psw0 psw0>nic0"
  std::string steps(const Route& route) const {
    std::string text;
    for (const RouteLink& step : route.links) {
      const Link& link = topology.link(step.link);
      text += (text.empty() ? "" : " ") + topology.device(link.from).name + ">" +
              topology.device(link.to).name;
    }
    return text;
  }

  Maker make;
  NodeId nic0, nic1;
  Topology topology;
};

TEST(NicRoute, StaysUnderTheirSwitch) {
  const Host host;
  const Route out = host.route(0, host.nic0, true, false);
  EXPECT_EQ(host.steps(out), "gpu0>psw0 psw0>nic0");
  EXPECT_EQ(out.kind, PathKind::PcieSwitch);
  EXPECT_EQ(out.latency, nanoseconds(200));
  EXPECT_EQ(out.payload, fabrics::gbytes(31.5));
  EXPECT_FALSE(out.staged);
}

TEST(NicRoute, ComesBackTheSameWay) {
  const Host host;
  const Route in = host.route(1, host.nic0, false, false);
  EXPECT_EQ(host.steps(in), "nic0>psw0 psw0>cpu0 cpu0>psw1 psw1>gpu1");
  EXPECT_EQ(in.kind, PathKind::RootComplex);
  EXPECT_EQ(in.latency, nanoseconds(400));
}

// The GPU's own CPU holds the buffer, both ways; data crosses the switch's uplink up and down.
TEST(NicRoute, StagesOnTheGpusCpu) {
  const Host host;
  const Route out = host.route(0, host.nic0, true, true);
  EXPECT_EQ(host.steps(out), "gpu0>psw0 psw0>cpu0 cpu0>psw0 psw0>nic0");
  EXPECT_TRUE(out.staged);
  EXPECT_EQ(host.topology.device(out.staging).name, "cpu0");
  EXPECT_EQ(out.latency, nanoseconds(400));
  const Route in = host.route(0, host.nic1, false, true);
  EXPECT_EQ(host.steps(in), "nic1>cpu1 cpu1>cpu0 cpu0>psw0 psw0>gpu0");
  EXPECT_EQ(host.topology.device(in.staging).name, "cpu0");
  EXPECT_EQ(in.kind, PathKind::Socket);
  EXPECT_EQ(in.latency, nanoseconds(450));
}

TEST(NicRoute, RefusesANicThatNothingJoins) {
  Maker make("alone");
  make.gpus_until(1);
  const NodeId nic = make.device("nic0", DeviceKind::Nic);
  const Topology topology = std::move(make.builder).build();
  EXPECT_THROW(GpuRouter(topology).nic_route(make.gpus[0], nic, true, false), InputError);
}

TEST(NicRoute, RefusesToStageWithoutACpu) {
  Maker make("no CPU");
  make.gpus_until(1);
  const NodeId nic = make.device("nic0", DeviceKind::Nic);
  const NodeId psw = make.device("psw0", DeviceKind::PcieSwitch);
  make.builder.add_duplex(psw, make.gpus[0], pcie(4));
  make.builder.add_duplex(psw, nic, pcie(4));
  const Topology topology = std::move(make.builder).build();
  EXPECT_EQ(GpuRouter(topology).nic_route(make.gpus[0], nic, true, false).kind,
            PathKind::PcieSwitch);
  EXPECT_THROW(GpuRouter(topology).nic_route(make.gpus[0], nic, true, true), InputError);
}

}  // namespace
}  // namespace ringspan

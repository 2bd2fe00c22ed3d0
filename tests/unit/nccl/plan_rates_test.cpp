#include "models/nccl/plan_rates.h"

#include <gtest/gtest.h>

#include "tests/support/fabrics.h"

namespace ringspan {
namespace {

using fabrics::Maker;

double nvlink_plan(int compute_capability, int links, double each) {
  const Topology topology = fabrics::one_switch_level(2, {links}, compute_capability, each);
  return plan_rate(topology, topology.link(LinkId{0}));
}

// NCCL 2.28.9 src/graph/topo.h: SM60 18.0, SM70 and SM80 20.0, SM86 12.0, SM90 20.6, SM100 40.1
// GB/s per NVLink.
TEST(PlanRate, OfNvLinksFollowsTheGeneration) {
  EXPECT_NEAR(nvlink_plan(60, 4, 20.0), 4 * 18.0, 1e-9);
  EXPECT_NEAR(nvlink_plan(70, 6, 25.0), 6 * 20.0, 1e-9);
  EXPECT_NEAR(nvlink_plan(80, 12, 25.0), 12 * 20.0, 1e-9);
  EXPECT_NEAR(nvlink_plan(86, 4, 14.0625), 4 * 12.0, 1e-9);
  EXPECT_NEAR(nvlink_plan(90, 18, 25.0), 18 * 20.6, 1e-9);
  EXPECT_NEAR(nvlink_plan(100, 18, 50.0), 18 * 40.1, 1e-9);
}

// x16: 12, 24, 48 and 96 GB/s for Gen3 to Gen6.
TEST(PlanRate, OfPcieIsThreeQuartersOfTheSignallingRate) {
  for (const auto& [generation, expected] :
       {std::pair(3, 12.0), std::pair(4, 24.0), std::pair(5, 48.0), std::pair(6, 96.0)}) {
    const Topology topology = fabrics::pcie_server({.generation = generation});
    for (const Link& link : topology.links()) {
      if (link.link_class != LinkClass::Pcie) continue;
      EXPECT_NEAR(plan_rate(topology, link), expected, 1e-9);
    }
  }
}

double socket_plan(const std::string& vendor, int generation, double rate = 60.0) {
  const Topology topology =
      fabrics::pcie_server({.generation = generation, .vendor = vendor, .socket_rate = rate});
  for (const Link& link : topology.links()) {
    if (link.link_class == LinkClass::Socket) return plan_rate(topology, link);
  }
  return 0;
}

// AMD 16, Arm 6, Skylake 10, Sapphire Rapids 22 GB/s; never more than the link has.
TEST(PlanRate, OfTheSocketLinkFollowsTheCpu) {
  EXPECT_NEAR(socket_plan("amd", 4), 16.0, 1e-9);
  EXPECT_NEAR(socket_plan("arm", 5), 6.0, 1e-9);
  EXPECT_NEAR(socket_plan("intel", 4), 10.0, 1e-9);
  EXPECT_NEAR(socket_plan("intel", 5), 22.0, 1e-9);
  EXPECT_NEAR(socket_plan("amd", 4, 5.0), 5.0, 1e-9);
}

// NCCL's figures by CPU model (src/graph/topo.h), whatever the CPU's PCIe links are.
TEST(PlanRate, OfIntelSocketsFollowsTheGenerationThatIsGiven) {
  for (const auto& [generation, expected] :
       {std::pair("broadwell", 6.0), std::pair("skylake", 10.0), std::pair("sapphire-rapids", 22.0),
        std::pair("emerald-rapids", 40.0)}) {
    Maker make("generation");
    make.gpu();
    const NodeId cpu0 = make.cpu("cpu0", "intel", generation);
    const NodeId cpu1 = make.cpu("cpu1", "intel", generation);
    make.builder.add_duplex(make.gpus[0], cpu0, fabrics::pcie(5));
    const LinkId between = make.builder.add_duplex(cpu0, cpu1, fabrics::socket_link(60));
    const Topology topology = std::move(make.builder).build();
    EXPECT_NEAR(plan_rate(topology, topology.link(between)), expected, 1e-9) << generation;
  }
}

TEST(PlanRate, IsSharedByParallelSocketLinks) {
  Maker make("two-upi");
  make.gpu();
  const NodeId cpu0 = make.cpu("cpu0", "amd");
  const NodeId cpu1 = make.cpu("cpu1", "amd");
  make.builder.add_duplex(make.gpus[0], cpu0, fabrics::pcie(4));
  const LinkId wide = make.builder.add_duplex(cpu0, cpu1, fabrics::socket_link(60));
  const LinkId narrow = make.builder.add_duplex(cpu0, cpu1, fabrics::socket_link(20));
  const Topology topology = std::move(make.builder).build();
  EXPECT_NEAR(plan_rate(topology, topology.link(wide)), 12.0, 1e-9);
  EXPECT_NEAR(plan_rate(topology, topology.link(narrow)), 4.0, 1e-9);
}

}  // namespace
}  // namespace ringspan

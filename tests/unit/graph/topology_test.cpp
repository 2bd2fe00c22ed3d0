#include "topologies/graph/topology.h"

#include <functional>

#include <gmock/gmock.h>

#include "sim/base/input_error.h"
#include "tests/support/fabrics.h"

namespace ringspan {
namespace {

using fabrics::Maker;
using fabrics::nvlinks;
using testing::ElementsAre;

// What build() refuses, as the user reads it.
std::string refusal(const std::function<void(Maker&)>& make_it) {
  Maker make("refused");
  make_it(make);
  try {
    const Topology topology = std::move(make.builder).build();
    return "accepted";
  } catch (const InputError& error) {
    std::string text;
    for (const InputProblem& problem : error.problems()) {
      if (!text.empty()) text += '\n';
      text += format_problem(problem);
    }
    return text;
  }
}

TEST(Topology, KnowsItsDevicesLinksAndTheirOppositeDirections) {
  const Topology topology = fabrics::full_mesh4();
  EXPECT_EQ(topology.devices().size(), 4u);
  EXPECT_EQ(topology.links().size(), 12u);  // 6 pairs, two directions
  for (std::uint32_t i = 0; i < topology.links().size(); ++i) {
    const Link& link = topology.link(LinkId{i});
    const Link& back = topology.link(link.reverse);
    EXPECT_EQ(back.reverse, LinkId{i});
    EXPECT_EQ(back.from, link.to);
    EXPECT_EQ(back.to, link.from);
    EXPECT_EQ(back.payload(), fabrics::gbytes(100));  // 4 x 25 GB/s
  }
  // gpu1's links: to gpu0 (pair 0), gpu2 (pair 3) and gpu3 (pair 4), in the order added.
  EXPECT_THAT(topology.out_links(NodeId{1}), ElementsAre(LinkId{1}, LinkId{6}, LinkId{8}));
}

TEST(Topology, ListsGpusServerByServer) {
  Maker make("servers");
  TopologyBuilder& builder = make.builder;
  const NodeId a = builder.add_device({"gpu0", DeviceKind::Gpu, 1, make.model, "", false});
  const NodeId b = builder.add_device({"gpu0", DeviceKind::Gpu, 0, make.model, "", false});
  const NodeId c = builder.add_device({"gpu1", DeviceKind::Gpu, 1, make.model, "", false});
  builder.add_duplex(a, c, nvlinks(1));
  const Topology topology = std::move(builder).build();
  EXPECT_THAT(topology.gpus(), ElementsAre(b, a, c));
  EXPECT_EQ(topology.server_count(), 2);
}

TEST(Topology, SharesEqualGpuModels) {
  Maker make("models");
  EXPECT_EQ(make.builder.add_gpu_model({"GPU", 80, Bytes{80'000'000'000}, fabrics::gbytes(1000)}),
            make.model);
  EXPECT_EQ(make.builder.add_gpu_model({"other", 80, Bytes{1}, fabrics::gbytes(1)}), 1);
}

TEST(Topology, MulticastsOnlyIfEverySwitchDoes) {
  EXPECT_TRUE(fabrics::one_switch_level(2, {9, 9}, 90, 25.0, true).has_multicast());
  EXPECT_FALSE(fabrics::one_switch_level(2, {6, 6}, 80).has_multicast());
  EXPECT_FALSE(fabrics::full_mesh4().has_multicast());  // no switch
  Maker make("mixed");
  make.gpu();
  make.nvswitch("a", true);
  make.nvswitch("b", false);
  EXPECT_FALSE(std::move(make.builder).build().has_multicast());
}

TEST(TopologyRules, RefuseASystemWithoutGpu) {
  EXPECT_EQ(refusal([](Maker& make) { make.cpu("cpu0", "amd"); }),
            "error: the system has no GPU\nhint: add at least one device of kind \"gpu\"");
}

TEST(TopologyRules, RefuseTwoDevicesOfOneName) {
  EXPECT_EQ(refusal([](Maker& make) {
              make.gpu();
              make.cpu("gpu0", "amd");
              make.nvswitch("gpu0");
            }),
            "error: two devices of server 0 are named 'gpu0'\n"
            "hint: give every device of a server a name of its own");
}

TEST(TopologyRules, NameTheLinkThatIsWrongOnceAndAllOfThem) {
  EXPECT_EQ(refusal([](Maker& make) {
              make.gpus_until(2);
              make.builder.add_duplex(make.gpus[0], make.gpus[0], nvlinks(1));
              make.builder.add_duplex(make.gpus[0], make.gpus[1], nvlinks(1, 0.0));
              Link link = nvlinks(1);
              link.efficiency = 1.5;
              make.builder.add_duplex(make.gpus[1], make.gpus[0], link);
              link = nvlinks(1);
              link.latency = picoseconds(-1);
              make.builder.add_duplex(make.gpus[0], make.gpus[1], link);
            }),
            "error: link gpu0 - gpu0: joins a device to itself\n"
            "hint: a link needs two devices\n"
            "error: link gpu0 - gpu1: its rate is not positive\n"
            "hint: write a rate above zero, such as \"25 GB/s\"\n"
            "error: link gpu1 - gpu0: its efficiency 1.5 is outside (0, 1]\n"
            "hint: efficiency is payload rate / nominal rate, such as 0.9\n"
            "error: link gpu0 - gpu1: its latency is negative\n"
            "hint: write \"0 ns\" or more");
}

TEST(TopologyRules, NameTwoGpusThatCannotReachEachOther) {
  EXPECT_EQ(refusal([](Maker& make) {
              make.gpus_until(3);
              const NodeId cpu = make.cpu("cpu0", "amd");
              make.builder.add_duplex(make.gpus[0], make.gpus[1], nvlinks(1));
              make.builder.add_duplex(make.gpus[2], cpu, fabrics::pcie(4));
            }),
            "error: gpu0 cannot reach gpu2: no chain of links joins them\n"
            "hint: link the two GPUs, or both to one NVSwitch, PCIe switch or CPU");
}

TEST(TopologyRules, CountAnyLinksForReachability) {
  EXPECT_EQ(refusal([](Maker& make) {
              make.gpus_until(2);
              const NodeId nic = make.device("nic0", DeviceKind::Nic);
              make.builder.add_duplex(make.gpus[0], nic, fabrics::pcie(4));
              make.builder.add_duplex(nic, make.gpus[1], nvlinks(1));
            }),
            "accepted");
}

TEST(ExportDot, WritesClustersAndOneEdgePerCable) {
  Maker make("two \"GPUs\"");
  make.gpus_until(2);
  const NodeId cpu = make.cpu("cpu0", "amd");
  make.builder.add_duplex(make.gpus[0], make.gpus[1], nvlinks(4));
  make.builder.add_duplex(make.gpus[1], cpu, fabrics::pcie(4));
  EXPECT_EQ(export_dot(std::move(make.builder).build()), R"(graph "two \"GPUs\"" {
  label="two \"GPUs\", rates per direction";
  node [style=filled];
  subgraph cluster_server0 {
    label="server 0";
    n0 [label="gpu0\nGPU", shape=box, fillcolor="#c7e9c0"];
    n1 [label="gpu1\nGPU", shape=box, fillcolor="#c7e9c0"];
    n2 [label="cpu0", shape=ellipse, fillcolor="#c6dbef"];
  }
  n0 -- n1 [label="4 x nvlink3\n100 GB/s"];
  n1 -- n2 [label="16 x pcie4\n31.5 GB/s"];
}
)");
}

}  // namespace
}  // namespace ringspan

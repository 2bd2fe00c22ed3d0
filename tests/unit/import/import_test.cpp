#include "topologies/import/import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "sim/config/read_input.h"
#include "tests/unit/builders/system_fixture.h"

namespace ringspan {
namespace {

std::string data(const std::string& name) {
  return read_input_file(std::filesystem::path(RINGSPAN_TOPOLOGIES) / name);
}

ImportedSystem import_text(const std::string& text, ImportOptions options = {}) {
  if (options.name.empty()) options.name = "machine";
  return import_nccl_topology(std::vector<TopologyFile>{{text, "topo.xml"}}, builtin_presets(),
                              options);
}

ImportedSystem import_file(const std::string& name, const ImportOptions& options = {}) {
  return import_text(data(name), options);
}

bool noted(const ImportedSystem& system, const std::string& note) {
  return std::find(system.notes.begin(), system.notes.end(), note) != system.notes.end();
}

// The number of devices, and of links between two devices, per direction.
int devices(const System& system, DeviceKind kind) {
  const auto all = system.topology().devices();
  return static_cast<int>(std::count_if(all.begin(), all.end(),
                                        [&](const Device& device) { return device.kind == kind; }));
}

const Link* link_between(const System& system, std::string_view from, std::string_view to) {
  const Topology& topology = system.topology();
  for (const LinkId id : topology.out_links(device_named(topology, from))) {
    const Link& link = topology.link(id);
    if (topology.device(link.to).name == to) return &link;
  }
  return nullptr;
}

TEST(Import, ADgxH100IsThatOfTheCatalogue) {
  const ImportedSystem imported = import_file("dgx_h100.xml");
  const System system = read_text(imported.text);
  const System twin = read_catalogue("dgx-h100");
  EXPECT_EQ(imported.notes,
            std::vector<std::string>{
                "topo.xml: links between CPUs are not in the file: taken from the CPUs' model"});
  EXPECT_EQ(system.topology().links().size(), twin.topology().links().size());
  for (const Link& link : twin.topology().links()) {
    const Link* same = link_between(system, twin.topology().device(link.from).name,
                                    twin.topology().device(link.to).name);
    ASSERT_NE(same, nullptr) << twin.topology().device(link.from).name << " -> "
                             << twin.topology().device(link.to).name;
    EXPECT_EQ(same->preset, link.preset);
    EXPECT_EQ(same->count, link.count);
    EXPECT_EQ(same->latency, link.latency);
    EXPECT_EQ(same->nominal, link.nominal);
  }
  EXPECT_EQ(system.topology().gpu_models().front(), twin.topology().gpu_models().front());
  EXPECT_TRUE(system.topology().has_multicast());
}

// Every pair of the cube mesh has the links that both of its ends list, once.
TEST(Import, AHybridCubeMeshKeepsItsPairs) {
  const System system = read_text(import_file("dgx1_v100.xml").text);
  const System twin = read_catalogue("dgx1-v100");
  int pairs = 0;
  for (const Link& link : twin.topology().links()) {
    if (link.link_class != LinkClass::NvLink) continue;
    const Link* same = link_between(system, twin.topology().device(link.from).name,
                                    twin.topology().device(link.to).name);
    ASSERT_NE(same, nullptr);
    EXPECT_EQ(same->count, link.count);
    EXPECT_EQ(same->latency, nanoseconds(450));
    ++pairs;
  }
  EXPECT_EQ(pairs, 32);  // 16 pairs, both directions
  EXPECT_EQ(devices(system, DeviceKind::NvSwitch), 0);
}

TEST(Import, AVirtualMachineGetsWhatNcclAssumes) {
  const ImportedSystem imported = import_file("virtual_machine.xml");
  const System system = read_text(imported.text);
  EXPECT_EQ(devices(system, DeviceKind::Gpu), 3);
  EXPECT_EQ(devices(system, DeviceKind::PcieSwitch), 0);
  EXPECT_EQ(system.topology().gpu_models().front().name, "A100 PCIe 80 GB");
  const Link* link = link_between(system, "gpu1", "cpu0");
  ASSERT_NE(link, nullptr);
  EXPECT_EQ(link->preset, "pcie3");
  EXPECT_EQ(link->count, 16);
  EXPECT_TRUE(noted(imported,
                    "topo.xml:4:6: no PCIe speed is given: taken as pcie3 with 16 lanes, as "
                    "NCCL does; --pcie-link NAME takes another (and 2 more places)"));
  EXPECT_TRUE(noted(imported, "topo.xml:3:4: a NIC of no PCIe device: joined to the CPU by pcie3"));
  EXPECT_TRUE(noted(imported, "topo.xml: no NIC has gdr=\"1\": gpu_direct = \"off\""));
  EXPECT_NE(imported.text.find("gpu_direct = \"off\"\n"), std::string::npos);

  ImportOptions options;
  options.pcie_link = "pcie4";
  const System faster = read_text(import_file("virtual_machine.xml", options).text);
  EXPECT_EQ(link_between(faster, "gpu1", "cpu0")->preset, "pcie4");
}

// gpu0 has NVML's index 0 though it stands second; its way to gpu1 over PCIe is bridge, bridge,
// switch: 2 GT/s x 4 / ... is slower than all others.
TEST(Import, ATreeOfBridgesKeepsItsLinks) {
  const ImportedSystem imported = import_file("odd_tree.xml");
  const System system = read_text(imported.text);
  EXPECT_EQ(devices(system, DeviceKind::PcieSwitch), 4);  // 3 bridges and the card with two ports
  EXPECT_EQ(devices(system, DeviceKind::Cpu), 2);
  EXPECT_EQ(devices(system, DeviceKind::Nic), 3);

  // The two levels of the Broadcom switch are one: gpu1 hangs on psw0 itself, with 8 lanes.
  const Link* near = link_between(system, "gpu1", "psw0");
  ASSERT_NE(near, nullptr);
  EXPECT_EQ(near->preset, "pcie4");
  EXPECT_EQ(near->count, 8);
  const Link* upper = link_between(system, "psw0", "psw1");
  ASSERT_NE(upper, nullptr);
  EXPECT_EQ(upper->preset, "pcie3");
  // 5 GT/s x 4 lanes, 8b/10b: 16 Gbit/s.
  const Link* lower = link_between(system, "psw1", "psw2");
  ASSERT_NE(lower, nullptr);
  EXPECT_EQ(lower->nominal, Bandwidth{16'000'000'000});
  ASSERT_NE(link_between(system, "psw2", "gpu0"), nullptr);

  const Link* bridge = link_between(system, "gpu0", "gpu1");
  ASSERT_NE(bridge, nullptr);
  EXPECT_EQ(bridge->preset, "nvlink-ga102");
  EXPECT_EQ(bridge->count, 4);
  EXPECT_TRUE(noted(imported,
                    "topo.xml:15:12: gpu0 and gpu1 list 0 and 4 NVLinks to each other: the larger "
                    "number is taken"));

  // Both ports of the card share its link to the CPU, and add no latency.
  EXPECT_EQ(link_between(system, "nic0", "adapter0")->latency, nanoseconds(0));
  EXPECT_EQ(link_between(system, "nic1", "adapter0")->latency, nanoseconds(0));
  EXPECT_EQ(link_between(system, "adapter0", "cpu0")->preset, "pcie4");
  EXPECT_TRUE(noted(imported,
                    "topo.xml:31:13: a port slower than the fastest: on the network "
                    "\"management\", which collectives do not use"));
  EXPECT_TRUE(noted(imported, "topo.xml:19:10: no GPU or NIC is below this device: left out"));
  EXPECT_EQ(link_between(system, "cpu0", "cpu1")->preset, "upi-icelake");
}

TEST(Import, ATemplateSaysNothingOfNvlink) {
  std::string text =
      "<system version=\"1\"><cpu numaid=\"0\" arch=\"x86_64\" vendor=\"AuthenticAMD\">";
  for (int gpu = 0; gpu < 8; ++gpu) {
    text += "<pci busid=\"000" + std::to_string(8 - gpu) +
            ":00:00.0\" class=\"0x030200\" link_speed=\"16 GT/s\" link_width=\"16\"/>";
  }
  text +=
      "<pci busid=\"0009:00:00.0\" class=\"0x020700\" link_speed=\"16 GT/s\" link_width=\"16\"/>";
  text += "</cpu></system>";
  const ImportedSystem imported = import_text(text);
  const System system = read_text(imported.text);
  EXPECT_EQ(system.topology().gpu_models().front().name, "A100 SXM 80 GB");
  EXPECT_EQ(nominal_between(system.topology(), "gpu0", DeviceKind::NvSwitch),
            Bandwidth{2'400'000'000'000});  // 12 x 25 GB/s
  EXPECT_NE(imported.text.find("link = \"ib-hdr\""), std::string::npos);
  // GPUs are numbered by PCI address where NVML's index is not given.
  EXPECT_NE(imported.text.find("# 0001:00:00.0, 0002:00:00.0"), std::string::npos);

  ImportOptions options;
  options.nvlink = NvlinkWiring::None;
  options.gpu = "A100 PCIe 40 GB";
  options.nic_link = "eth-100";
  const ImportedSystem other = import_text(text, options);
  EXPECT_EQ(devices(read_text(other.text), DeviceKind::NvSwitch), 0);
  EXPECT_NE(other.text.find("model = \"A100 PCIe 40 GB\""), std::string::npos);
  EXPECT_NE(other.text.find("link = \"eth-100\""), std::string::npos);
}

TEST(Import, FourGpusOfATemplateAreJoinedDirectly) {
  std::string text = "<system><cpu numaid=\"0\">";
  for (int gpu = 0; gpu < 4; ++gpu) {
    text += "<pci busid=\"000" + std::to_string(gpu) +
            ":00:00.0\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x20b2\"/>";
  }
  const System system = read_text(import_text(text + "</cpu></system>").text);
  // 12 links over three others.
  EXPECT_EQ(link_between(system, "gpu0", "gpu3")->count, 4);
}

// 180 Gbit/s of a 200G port: NCCL plans with 22.5 GB/s, and no more passes.
TEST(Import, APortSlowerThanItsPresetKeepsItsRate) {
  const std::string text =
      "<system><cpu numaid=\"0\"><pci busid=\"0000:01:00.0\" class=\"0x030200\"><gpu "
      "sm=\"90\"/></pci>"
      "<pci busid=\"0000:02:00.0\" class=\"0x020000\"><nic><net name=\"n\" speed=\"180000\"/></nic>"
      "</pci></cpu></system>";
  const ImportedSystem imported = import_text(text);
  EXPECT_NE(imported.text.find("link = \"eth-200\"\nport_rate = \"180 Gbit/s\"\n"),
            std::string::npos);
  read_text(imported.text);
}

// NCCL's figures between sockets depend on the CPU's model: 0x8f is Sapphire Rapids.
TEST(Import, AnIntelCpuKeepsItsGeneration) {
  EXPECT_NE(import_file("dgx_h100.xml").text.find("generation = \"sapphire-rapids\""),
            std::string::npos);
  EXPECT_NE(import_file("dgx1_v100.xml").text.find("generation = \"broadwell\""),
            std::string::npos);
}

TEST(Import, C2cTakesThePlaceOfPcie) {
  const System system = read_text(
      import_text(
          "<system><cpu numaid=\"0\" arch=\"arm64\"><pci busid=\"0009:01:00.0\" class=\"0x030200\" "
          "link_speed=\"2.5 GT/s PCIe\" link_width=\"1\"><gpu dev=\"0\" sm=\"90\">"
          "<c2c bw=\"44712\" count=\"10\"/></gpu></pci></cpu></system>")
          .text);
  const Link* link = link_between(system, "gpu0", "cpu0");
  ASSERT_NE(link, nullptr);
  EXPECT_EQ(link->link_class, LinkClass::C2c);
  EXPECT_EQ(link->nominal, Bandwidth{3'576'960'000'000});  // 447.12 GB/s
  EXPECT_EQ(system.topology().links().size(), 2U);
}

TEST(Import, AnNvlinkDomainIsARackOfItsTrays) {
  const ImportedSystem imported = import_file("nvlink_domain.xml");
  EXPECT_TRUE(
      noted(imported, "topo.xml: 3 servers in one NVLink domain: the first is taken for all"));
  EXPECT_NE(imported.text.find("links_per_switch = 18\nmulticast = true\n"), std::string::npos);
  const System system = read_text(imported.text);
  EXPECT_EQ(system.info.servers, 3);
  EXPECT_EQ(system.cluster.domain_count(), 1);
  EXPECT_EQ(system.topology().gpus().size(), 12U);
  EXPECT_EQ(devices(system, DeviceKind::NvSwitch), 1);
}

TEST(Import, TheSameFileGivesTheSameBytes) {
  EXPECT_EQ(import_file("odd_tree.xml").text, import_file("odd_tree.xml").text);
}

}  // namespace
}  // namespace ringspan

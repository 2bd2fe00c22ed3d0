#include <gtest/gtest.h>

#include <string>

#include "sim/base/input_error.h"
#include "tests/unit/builders/system_fixture.h"
#include "topologies/import/import.h"

namespace ringspan {
namespace {

std::string refused(const std::string& text, ImportOptions options = {}) {
  options.name = "machine";
  try {
    import_nccl_topology(std::vector<TopologyFile>{{text, "t.xml"}}, builtin_presets(), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

// A file with one GPU; `more` stands below it, `attributes` in its <pci>.
std::string one_gpu(const std::string& gpu = "", const std::string& more = "",
                    const std::string& bus = "0000:01:00.0") {
  return "<system version=\"1\">\n<cpu numaid=\"0\">\n<pci busid=\"" + bus +
         "\" class=\"0x030200\">\n<gpu dev=\"0\" sm=\"80\">" + gpu + "</gpu></pci>\n" + more +
         "</cpu>\n</system>\n";
}

TEST(ImportErrors, WhatIsNoXmlIsRefusedWithItsPlace) {
  constexpr const char* kHint =
      "\nhint: a topology that NCCL wrote itself (NCCL_TOPO_DUMP_FILE=topo.xml) is such a file";
  EXPECT_EQ(refused(""), std::string("t.xml:1:1: error: the file holds no XML element") + kHint);
  EXPECT_EQ(refused("gpu0 gpu1\nNV1 NV2\n"),
            std::string("t.xml:1:1: error: the file holds no XML element") + kHint);
  EXPECT_EQ(refused(std::string("<system>\n<\0", 11)),
            std::string("t.xml:2:2: error: this is no text") + kHint);
  EXPECT_EQ(refused("<system>\n  <cpu numaid=\"0\">\n"),
            "t.xml:2:19: error: an element is not closed, or another one is\n"
            "hint: the file is cut off or was edited: every <name> needs its </name>");
  EXPECT_EQ(refused("<system>\n  <cpu numaid=0>\n"),
            "t.xml:2:15: error: this is no XML: error parsing element attribute\n"
            "hint: the file is cut off, was edited, or is no XML");
  EXPECT_EQ(refused("<system></system>\n<system></system>"),
            "t.xml:2:2: error: a second outermost element: 'system'\n"
            "hint: a file holds one topology");
  EXPECT_EQ(refused("<system>\n  <cpu numaid=\"0\" numaid='1'/></system>"),
            "t.xml:2:19: error: 'numaid' stands twice in <cpu>\nhint: remove one of them");
}

TEST(ImportErrors, OtherXmlIsNamed) {
  EXPECT_EQ(refused("<graphs version=\"1\"></graphs>"),
            "t.xml:1:2: error: this is a dump of graphs, not of a topology\n"
            "hint: NCCL_TOPO_DUMP_FILE writes the topology; NCCL_GRAPH_DUMP_FILE wrote this");
  EXPECT_EQ(refused("<html/>"),
            "t.xml:1:2: error: <html> is no topology\n"
            "hint: the outermost element of NCCL's topology file is <system>");
  EXPECT_EQ(refused("<system version=\"7\"/>"),
            "t.xml:1:9: error: version 7 is not known\nhint: NCCL up to 2.30 writes version 1");
}

// A thousand million characters if it were expanded; it is not.
TEST(ImportErrors, EntitiesAreNotExpanded) {
  const std::string bomb =
      "<!DOCTYPE system [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b "
      "\"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">]>\n"
      "<system version=\"&b;\"/>";
  EXPECT_EQ(refused(bomb),
            "t.xml:2:9: error: '&b;' is no version\nhint: a whole number from 0 to 1000000");
}

TEST(ImportErrors, DepthAndNumberOfElementsAreLimited) {
  std::string deep, many = "<system>";
  for (int i = 0; i < 100; ++i) deep += "<pci>";
  for (int i = 0; i < 50'000; ++i) many += "<a/>";
  EXPECT_EQ(refused(deep).substr(0, 34), "t.xml:1:500: error: an element is ");
  for (int i = 0; i < 100; ++i) deep += "</pci>";
  EXPECT_EQ(refused(deep),
            "t.xml:1:322: error: elements are nested deeper than 64\n"
            "hint: no PCIe tree is that deep");
  EXPECT_EQ(refused(many + "</system>"),
            "t.xml:1:200006: error: the file holds more than 50000 elements\n"
            "hint: no server has that many devices");
}

TEST(ImportErrors, AFileWithoutGpusIsRefused) {
  constexpr const char* kMessage =
      "t.xml:1:2: error: the file describes no GPU\n"
      "hint: a <pci> of class 0x03... below a <cpu>; was the dump made on a machine with GPUs?";
  EXPECT_EQ(refused("<system version=\"1\"></system>"), kMessage);
  EXPECT_EQ(refused("<system version=\"1\"><cpu numaid=\"0\"><pci busid=\"0000:01:00.0\" "
                    "class=\"0x020000\"/></cpu></system>"),
            kMessage);
}

TEST(ImportErrors, DevicesNeedAnAddressOfTheirOwnAndAClass) {
  constexpr const char* kBus = "\nhint: such as busid=\"0000:3b:00.0\"";
  EXPECT_EQ(refused("<system><cpu numaid=\"0\">\n<pci class=\"0x030200\"/></cpu></system>"),
            std::string("t.xml:2:2: error: <pci> has no busid") + kBus);
  EXPECT_EQ(refused(one_gpu("", "", "slot 7")),
            std::string("t.xml:3:6: error: 'slot 7' is no PCI address") + kBus);
  EXPECT_EQ(refused(one_gpu("", "<pci busid=\"01:00.0\" class=\"0x030200\"/>")),
            "t.xml:5:6: error: 0000:01:00.0 is the address of another device, in line 3\n"
            "hint: give every device of a server an address of its own");
  EXPECT_EQ(refused(one_gpu("", "<pci busid=\"0000:02:00.0\"/>")),
            "t.xml:5:2: error: <pci> has no class\n"
            "hint: a PCI class, such as class=\"0x030200\" of a GPU");
  EXPECT_EQ(refused(one_gpu("", "<pci busid=\"0000:02:00.0\" class=\"bridge\"/>")),
            "t.xml:5:27: error: 'bridge' is no PCI class\n"
            "hint: 0x030200 is a GPU, 0x020000 or 0x020700 a NIC, 0x060400 a bridge");
}

TEST(ImportErrors, NumbersAreChecked) {
  EXPECT_EQ(refused(one_gpu("<nvlink target=\"0000:02:00.0\" count=\"many\"/>")),
            "t.xml:4:52: error: 'many' is no count\nhint: a whole number from 1 to 1024");
  EXPECT_EQ(refused(one_gpu("<nvlink target=\"gpu1\" count=\"1\"/>")),
            "t.xml:4:30: error: 'gpu1' is no PCI address\nhint: such as busid=\"0000:3b:00.0\"");
  EXPECT_EQ(refused(one_gpu("<nvlink target=\"0000:02:00.0\" count=\"1\" tclass=\"0x010802\"/>")),
            "t.xml:4:62: error: '0x010802' is no class of an NVLink's end\n"
            "hint: 0x030200 is a GPU, 0x068000 an NVSwitch, 0x068001 a CPU");
  EXPECT_EQ(refused(one_gpu("<c2c count=\"2\"/>")),
            "t.xml:4:23: error: <c2c> has no bw\nhint: MB/s of one link");
}

TEST(ImportErrors, ServersOfOneDumpAreAlikeAndInOneDomain) {
  const std::string tray =
      "host_hash=\"0x1\"><pci busid=\"0000:01:00.0\" class=\"0x030200\"><gpu/></pci></cpu>";
  EXPECT_EQ(refused("<system><cpu numaid=\"0\" " + tray +
                    "\n<cpu numaid=\"0\" host_hash=\"0x2\"/></system>"),
            "t.xml:2:2: error: this server differs from the first in the file\n"
            "hint: an NVLink domain of different servers cannot be imported: dump one server");
  std::string other = tray;
  other.replace(other.find("0x1"), 3, "0x2");
  EXPECT_EQ(
      refused("<system><cpu numaid=\"0\" " + tray + "\n<cpu numaid=\"0\" " + other + "</system>"),
      "t.xml:1:10: error: no NVSwitch joins the servers of the file\n"
      "hint: dump one server, and describe the domain by [fabric] (docs/formats.md)");
}

TEST(ImportErrors, OptionsAreChecked) {
  ImportOptions options;
  options.pcie_link = "pcie9";
  EXPECT_EQ(refused(one_gpu(), options).substr(0, 45),
            "error: 'pcie9' is no preset of a PCIe link\nhi");
  options = {};
  options.nic_link = "pcie5";
  EXPECT_EQ(refused(one_gpu(), options).substr(0, 47),
            "error: 'pcie5' is no preset of a network link\nh");
  options = {};
  options.gpu = "L4";
  options.nvlink = NvlinkWiring::Switch;
  EXPECT_EQ(
      refused(one_gpu("", "<pci busid=\"0000:02:00.0\" class=\"0x030200\"><gpu/></pci>"), options),
      "error: how many NVLinks a L4 has is not known\n"
      "hint: leave out --nvlink, or give --gpu with a model for NVSwitches, such as \"H100 SXM\"");
}

}  // namespace
}  // namespace ringspan

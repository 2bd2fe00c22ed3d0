// [[fault]]: what is dead or slow inside servers, and what is handed on to fabrics.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/input_error.h"
#include "tests/unit/builders/system_fixture.h"

namespace ringspan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// Four servers of two GPUs; the fault table begins at line 32.
std::string four_servers(std::string_view fault) {
  return two_gpu_servers(
      "[fabric]\nkind = \"leaf-spine\"\nlink = \"ib-ndr\"\n"
      "servers_per_leaf = 2\nspines = 2\n[[fault]]\n" +
      std::string(fault));
}
const SystemOverrides kFour{{"node.count", "4"}};

System with_fault(std::string_view fault) { return read_text(four_servers(fault), kFour); }
std::string refused(std::string_view fault) { return refusal(four_servers(fault), kFour); }

const Link& link_between(const Topology& topology, std::string_view a, std::string_view b) {
  for (const LinkId id : topology.out_links(device_named(topology, a))) {
    if (topology.device(topology.link(id).to).name == b) return topology.link(id);
  }
  throw std::runtime_error("no such link");
}

TEST(Fault, ADeadNicLeavesTheOthersAndTheirRails) {
  const System system = with_fault("nic = \"server2.nic0\"\n");
  ASSERT_EQ(system.cluster.kinds().size(), 2u);
  EXPECT_EQ(system.cluster.kind_of(1), 0);
  EXPECT_EQ(system.cluster.kind_of(2), 1);
  EXPECT_EQ(system.cluster.kind_of(3), 0);
  const DomainKind& hit = system.cluster.domain(2);
  EXPECT_THAT(hit.rails, ElementsAre(1));
  ASSERT_EQ(hit.nics.size(), 1u);
  EXPECT_EQ(hit.topology.device(hit.nics[0]).name, "nic1");
  EXPECT_EQ(hit.gpus.size(), 2u);
  const auto ports = system.cluster.fabric()->ports();
  ASSERT_EQ(ports.size(), 7u);
  EXPECT_EQ(ports[4].server, 2);
  EXPECT_EQ(ports[4].rail, 1);
}

TEST(Fault, ADeadGpuIsNoRank) {
  const System system = with_fault("gpu = \"server0.gpu1\"\n");
  EXPECT_EQ(system.cluster.gpu_count(), 7);
  EXPECT_EQ(system.cluster.domain(0).gpus.size(), 1u);
  EXPECT_EQ(system.topology().gpus().size(), 1u);  // that of the first domain
  EXPECT_EQ(system.info.gpus, 2);
}

// 8 links of 25 GB/s: two dead leave 150 GB/s; all at half leave 100.
TEST(Fault, LinksInsideAServerDieOrSlowDown) {
  const System dead = with_fault("from = \"server1.gpu1\"\nto = \"server1.gpu0\"\ncables = 2\n");
  const Link& six = link_between(dead.cluster.domain(1).topology, "gpu0", "gpu1");
  EXPECT_EQ(six.count, 6);
  EXPECT_EQ(six.nominal, bandwidth_from_gbytes_per_second(150));
  const Link& whole = link_between(dead.cluster.domain(0).topology, "gpu0", "gpu1");
  EXPECT_EQ(whole.nominal, bandwidth_from_gbytes_per_second(200));

  const System slow =
      with_fault("from = \"server1.gpu0\"\nto = \"server1.gpu1\"\nrate = \"50%\"\n");
  const Link& half = link_between(slow.cluster.domain(1).topology, "gpu0", "gpu1");
  EXPECT_EQ(half.count, 8);
  EXPECT_EQ(half.nominal, bandwidth_from_gbytes_per_second(100));

  const System gone = with_fault("from = \"server1.gpu0\"\nto = \"server1.gpu1\"\n");
  EXPECT_EQ(gone.cluster.domain(1).topology.links().size(), 2u * 4);  // those of the switch
}

// Two of 8 links at a quarter: (6 + 2/4) x 25 GB/s.
TEST(Fault, ARateIsWhatIsLeft) {
  const System system =
      with_fault("from = \"server1.gpu0\"\nto = \"server1.gpu1\"\ncables = 2\nrate = 0.25\n");
  EXPECT_EQ(link_between(system.cluster.domain(1).topology, "gpu0", "gpu1").nominal,
            bandwidth_from_gbytes_per_second(162.5));
  const System none =
      with_fault("from = \"server1.gpu0\"\nto = \"server1.gpu1\"\nrate = \"100 %\"\n");
  EXPECT_EQ(link_between(none.cluster.domain(1).topology, "gpu0", "gpu1").nominal,
            bandwidth_from_gbytes_per_second(200));
}

// PCIe 5 x16 carries 32 GT/s x 16 / 8 x 128/130 = 63.02 GB/s; half of it to every device.
TEST(Fault, ASlowSwitchInAServerSlowsAllItsLinks) {
  const System slow = with_fault("switch = \"server3.psw\"\nrate = 0.5\n");
  EXPECT_NEAR(
      to_gbytes_per_second(link_between(slow.cluster.domain(3).topology, "psw", "nic1").nominal),
      64.0 * 128 / 130 / 2, 1e-6);
  EXPECT_EQ(refused("switch = \"server3.psw\"\n"),
            "f.toml:32:1: error: no link leads to nic0 left\n"
            "hint: leave one NIC alive, or lower the count of servers");
}

TEST(Fault, ServersThatAreHitAlikeShareAKind) {
  const System system = with_fault("nic = \"server0.nic1\"\n[[fault]]\nnic = \"server3.nic1\"\n");
  EXPECT_EQ(system.cluster.kinds().size(), 2u);
  EXPECT_EQ(system.cluster.kind_of(0), system.cluster.kind_of(3));
}

TEST(Fault, OfAServerThatARunLeavesOutIsNoMistake) {
  EXPECT_EQ(refusal(four_servers("nic = \"server3.nic1\"\n"), kFour, {2, std::nullopt}), "");
}

TEST(Fault, InOneServerNeedsNoPrefix) {
  const System system = read_text(two_gpu_servers("[[fault]]\ngpu = \"gpu0\"\n"));
  EXPECT_EQ(system.cluster.gpu_count(), 1);
  EXPECT_EQ(read_text(two_gpu_servers("[[fault]]\ngpu = \"server0.gpu0\"\n")).cluster.gpu_count(),
            1);
}

TEST(Fault, SwitchesAndCablesAreTheFabrics) {
  EXPECT_EQ(refused("switch = \"spine1\"\n"), "");
  EXPECT_EQ(refused("from = \"leaf0\"\nto = \"spine1\"\ncables = 1\n"), "");
  EXPECT_THAT(refused("switch = \"spine9\"\n"), StartsWith("f.toml:"));
  EXPECT_THAT(refused("switch = \"spine9\"\n"), HasSubstr("'spine9'"));
}

// A NIC's cable is the fabric's, whatever the file calls the NIC: "nic1" stands for rail 1.
TEST(Fault, TheCableOfANicIsTheFabrics) {
  const auto torus = [](std::string_view fault) {
    return two_gpu_servers(
        "[fabric]\nkind = \"torus\"\nlink = \"ib-ndr\"\ndimensions = [4]\n[[fault]]\n" +
        std::string(fault));
  };
  const SystemOverrides renamed{{"node.count", "4"},
                                {"node.device.1.name", "mlx"},
                                {"node.link.0.to", "[\"gpu*\", \"mlx*\"]"}};
  const System system =
      read_text(torus("from = \"server2.mlx1\"\nto = \"switch2\"\nrate = \"50%\"\n"), renamed);
  EXPECT_EQ(system.cluster.kinds().size(), 1u);
  EXPECT_THAT(refusal(torus("from = \"server2.mlx1\"\nto = \"switch3\"\n"), renamed),
              HasSubstr("server2.nic1 hangs on switch2"));
}

TEST(Fault, NvswitchesOfARack) {
  const std::string rack =
      two_gpu_trays("servers = 4\nswitches = 6\nlink = \"nvlink5\"\n[[fault]]\n");
  const System dead = read_text(rack + "switch = \"nvswitch2\"\n");
  EXPECT_EQ(nominal_between(dead.topology(), "gpu0", DeviceKind::NvSwitch),
            bandwidth_from_gbytes_per_second(250));  // 5 of 6 links of 50 GB/s
  const System link = read_text(rack + "from = \"server3.gpu0\"\nto = \"server3.nvswitch1\"\n");
  EXPECT_EQ(link.topology().links().size(), 2u * (4 * (4 + 2 * 6) - 1));
  EXPECT_EQ(refusal(rack + "switch = \"rack0.nvswitch5\"\n"), "");
  EXPECT_EQ(refusal(rack + "switch = \"rack1.nvswitch5\"\n"),
            "f.toml:28:10: error: there is no rack of 'rack1.nvswitch5'\n"
            "hint: there is one rack: rack0");
  EXPECT_EQ(refusal(rack + "switch = \"rack0.nvswitch7\"\n"),
            "f.toml:28:10: error: there is no device 'nvswitch7' in rack0\n"
            "hint: did you mean 'rack0.nvswitch0'?");
}

TEST(Fault, OfWhatDoesNotExistIsRefusedWithTheNearestName) {
  EXPECT_EQ(refused("nic = \"server2.nic7\"\n"),
            "f.toml:33:7: error: there is no device 'nic7' in server2\n"
            "hint: did you mean 'server2.nic0'?");
  EXPECT_EQ(refused("gpu = \"server4.gpu0\"\n"),
            "f.toml:33:7: error: there is no server of 'server4.gpu0'\n"
            "hint: servers are counted from 0 to 3");
  EXPECT_EQ(refused("gpu = \"server99999999999999999999.gpu0\"\n"),
            "f.toml:33:7: error: there is no server of 'server99999999999999999999.gpu0'\n"
            "hint: servers are counted from 0 to 3");
  EXPECT_EQ(refused("gpu = \"rack0.gpu0\"\n"),
            "f.toml:33:7: error: there is no device 'gpu0' in rack0\n"
            "hint: a device is named with its server: \"server0.gpu0\"");
  EXPECT_EQ(refused("gpu = \"gpu0\"\n"),
            "f.toml:33:7: error: there is no 'gpu0'\n"
            "hint: a device is named with its server: \"server0.gpu0\"");
  EXPECT_EQ(refused("nic = \"server0.gpu0\"\n"),
            "f.toml:33:7: error: 'server0.gpu0' is a gpu, not a nic\n"
            "hint: name a device of that kind");
  EXPECT_EQ(refused("from = \"server0.gpu0\"\nto = \"server0.nic1\"\n"),
            "f.toml:34:6: error: no link joins gpu0 and nic1\n"
            "hint: name two devices that a [[node.link]] joins");
  EXPECT_EQ(refused("from = \"server0.gpu0\"\nto = \"server1.gpu0\"\n"),
            "f.toml:34:6: error: no link joins 'server0.gpu0' and 'server1.gpu0'\n"
            "hint: name two devices that a [[node.link]] joins");
  EXPECT_EQ(refused("from = \"server0.gpu0\"\nto = \"leaf0\"\n"),
            "f.toml:33:8: error: 'server0.gpu0' is a gpu, and no cable of a network ends there\n"
            "hint: a cable leads from a NIC to a switch, or from switch to switch");
}

TEST(Fault, MalformedOnesAreRefused) {
  EXPECT_EQ(refused("rate = 0\n"),
            "f.toml:32:1: error: the fault names nothing\n"
            "hint: add switch, nic or gpu = \"NAME\", or from and to");
  EXPECT_EQ(refused("swich = \"spine0\"\n"),
            "f.toml:33:9: error: unknown key 'swich' in [[fault]]\nhint: did you mean 'switch'?");
  EXPECT_EQ(refused("switch = \"spine0\"\ncolour = 3\n"),
            "f.toml:34:1: error: unknown key 'colour' in [[fault]]\n"
            "hint: one of: nic, gpu, from, to, cables, rate, network, switch");
  EXPECT_EQ(refused("nic = \"server0.nic0\"\ngpu = \"server0.gpu0\"\n"),
            "f.toml:34:7: error: a fault is of one thing: nic is given already\n"
            "hint: write a [[fault]] for each");
  EXPECT_EQ(refused("nic = \"server0.nic0\"\nrate = \"50\"\n"),
            "f.toml:34:8: error: '50' is no share of a rate\n"
            "hint: what is left: \"50%\" or 0.5; 0 is dead");
  EXPECT_EQ(refused("nic = \"server0.nic0\"\nrate = 50\n"),
            "f.toml:34:8: error: 'rate' in [[fault]] is out of range: 50\nhint: allowed: 0 to 1");
  EXPECT_EQ(refused("gpu = \"server0.gpu0\"\nrate = 0.5\n"),
            "f.toml:34:8: error: a GPU is dead or alive\n"
            "hint: make its links slower: from = \"server0.gpu0\" and to");
  EXPECT_EQ(refused("nic = \"server0.nic0\"\nrate = \"50%\"\n"),
            "f.toml:34:8: error: a NIC is dead or alive\n"
            "hint: make its cable slower: from = \"server0.nic0\" and to = its switch");
  EXPECT_EQ(refused("from = \"server0.gpu0\"\nto = \"server0.gpu1\"\ncables = 9\n"),
            "f.toml:35:10: error: gpu0 and gpu1 are joined by 8 links\nhint: at most 8");
  EXPECT_EQ(refused("from = \"server0.gpu0\"\nto = \"server0.psw\"\nrate = 0.000001\n"),
            "f.toml:35:8: error: 63.02 KB/s is no rate of a link\n"
            "hint: at least 1 MB/s, or 0 for a dead link");
  EXPECT_EQ(refused("nic = \"server0.nic0\"\n[[fault]]\nnic = \"server0.nic1\"\n"),
            "f.toml:34:1: error: a server has GPUs and no NIC on the network 'compute' left\n"
            "hint: leave one NIC alive, or lower the count of servers");
  EXPECT_EQ(refused("gpu = \"server0.gpu0\"\n[[fault]]\ngpu = \"server0.gpu1\"\n"),
            "f.toml:34:1: error: the fault leaves a domain without a GPU\n"
            "hint: lower the count of servers instead");
  EXPECT_EQ(refusal(two_gpu_servers("[[fault]]\nswitch = \"spine0\"\n")),
            "f.toml:27:1: error: the system has no network 'compute' of which this could be a "
            "fault\nhint: [fabric] describes it");
}

// Without the link between the GPUs and without the switch nothing joins them.
TEST(Fault, AServerThatFallsApartIsRefusedAtItsFault) {
  EXPECT_EQ(refused("from = \"server0.gpu0\"\nto = \"server0.gpu1\"\n[[fault]]\n"
                    "from = \"server0.gpu0\"\nto = \"server0.psw\"\n"),
            "f.toml:35:1: error: gpu0 cannot reach gpu1: no chain of links joins them\n"
            "hint: link the two GPUs, or both to one NVSwitch, PCIe switch or CPU");
}

std::vector<std::string> left_out(const System& system) {
  std::vector<std::string> texts;
  for (const SystemFault& fault : system.faults) {
    if (!fault.left_out.empty()) texts.push_back(fault.text + " (" + fault.left_out + ")");
  }
  return texts;
}

// Two of the four servers are one leaf of two, so that neither server3 nor leaf1 is there. What is
// there stays hit; at the file's size nothing is left out.
TEST(Fault, OfWhatASmallerRunDoesNotHaveIsLeftOutWithItsReason) {
  const std::string text = four_servers(
      "gpu = \"server3.gpu0\"\n[[fault]]\nfrom = \"leaf1\"\nto = \"spine0\"\n[[fault]]\n"
      "from = \"server2.nic1\"\nto = \"leaf1\"\nrate = 0.5\nnetwork = \"compute\"\n[[fault]]\n"
      "nic = \"server1.nic0\"\n");
  const System smaller = read_text(text, kFour, {2, std::nullopt});
  EXPECT_THAT(left_out(smaller),
              ElementsAre("server3.gpu0: dead (this run has no 'server3')",
                          "leaf1 - spine0: dead (the fabric has no switch 'leaf1')",
                          "server2.nic1 - leaf1 of the network compute: at 50 % of the rate (this "
                          "run has no 'server2')"));
  EXPECT_EQ(smaller.cluster.domain(1).nics.size(), 1u);
  const System whole = read_text(text, kFour);
  EXPECT_THAT(left_out(whole), ElementsAre());
  EXPECT_EQ(whole.faults.at(0).server, 3);
  EXPECT_EQ(whole.faults.at(1).server, -1);
  EXPECT_EQ(whole.faults.at(3).where.line, 42);
}

// A typing error is refused at the file's size only: a smaller run cannot know.
TEST(Fault, OfWhatDoesNotExistIsRefused) {
  EXPECT_EQ(refused("switch = \"leaf2\"\n"),
            "f.toml:32:1: error: the fabric has no switch 'leaf2'\n"
            "hint: did you mean 'leaf0'? there are leaf0 to leaf1, spine0 to spine1");
}

// 4 servers have 7 GPUs left: 8 ask for a fifth, 9 too, 10 for a sixth. --nodes decides.
TEST(Fault, GpusAreCountedThatAreAlive) {
  const std::string text = four_servers("gpu = \"server0.gpu1\"\n");
  for (const auto& [gpus, servers] : {std::pair{7, 4}, {8, 5}, {9, 5}, {10, 6}}) {
    EXPECT_EQ(read_text(text, kFour, {std::nullopt, gpus}).cluster.server_count(), servers);
  }
  EXPECT_EQ(read_text(text, kFour, {4, 8}).cluster.server_count(), 4);
}

TEST(Fault, OverridesReachFaults) {
  const System system = read_text(four_servers("nic = \"server2.nic0\"\n"),
                                  {{"node.count", "4"}, {"fault.0.nic", "server1.nic1"}});
  EXPECT_EQ(system.cluster.domain(1).nics.size(), 1u);
  EXPECT_EQ(system.cluster.domain(2).nics.size(), 2u);
}

}  // namespace
}  // namespace ringspan

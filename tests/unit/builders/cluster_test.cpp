// Several servers: counts, sizes, pods, networks, and what decides through `use`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/input_error.h"
#include "tests/unit/builders/system_fixture.h"

namespace ringspan {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

constexpr const char* kLeafSpine =
    "[fabric]\nkind = \"leaf-spine\"\nlink = \"ib-ndr\"\nservers_per_leaf = 2\n";

System cluster_of(int count, const SystemSize& size = {}) {
  return read_text(two_gpu_servers(kLeafSpine), {{"node.count", std::to_string(count)}}, size);
}

// A second system that files under test can use.
std::optional<SystemText> find_cluster(std::string_view name) {
  if (name != "base") return find_in_catalogue(name);
  return SystemText{"sources = [\"a plan\"]\n" +
                        two_gpu_servers("[transport]\npxn = false\n" + std::string(kLeafSpine)),
                    "<base>"};
}

System read_with_base(std::string_view text, const SystemOverrides& overrides = {}) {
  static const LinkPresets presets = builtin_presets();
  ConfigDocument document = ConfigDocument::parse_text(text, "f.toml");
  return read_system(document, presets, find_cluster, overrides);
}

TEST(ClusterFile, EveryServerIsADomainOfOneKindAndEveryNicAPort) {
  const System system = cluster_of(5);
  EXPECT_EQ(system.info.servers, 5);
  EXPECT_EQ(system.info.gpus, 2);
  EXPECT_EQ(system.cluster.domain_count(), 5);
  EXPECT_EQ(system.cluster.server_count(), 5);
  EXPECT_EQ(system.cluster.gpu_count(), 10);
  ASSERT_EQ(system.cluster.kinds().size(), 1u);
  EXPECT_THAT(system.cluster.kinds()[0].rails, ElementsAre(0, 1));
  ASSERT_NE(system.cluster.fabric(), nullptr);
  EXPECT_EQ(system.cluster.fabric()->kind(), "leaf-spine");
  const auto ports = system.cluster.fabric()->ports();
  ASSERT_EQ(ports.size(), 10u);
  EXPECT_EQ(ports[7].domain, 3);
  EXPECT_EQ(ports[7].server, 3);
  EXPECT_EQ(ports[7].rail, 1);
}

TEST(ClusterFile, OneServerHasNoFabricButItsTableIsChecked) {
  EXPECT_EQ(cluster_of(1).cluster.fabric(), nullptr);
  EXPECT_THAT(refusal(two_gpu_servers(std::string(kLeafSpine) + "spnes = 3\n")),
              StartsWith("f.toml:31:1: error: unknown key 'spnes' in [fabric]"));
}

TEST(ClusterFile, TheCommandLineChoosesTheNumberOfServers) {
  EXPECT_EQ(cluster_of(1, {6, std::nullopt}).cluster.server_count(), 6);
  EXPECT_EQ(cluster_of(8, {3, std::nullopt}).cluster.server_count(), 3);
  EXPECT_EQ(cluster_of(8, {3, std::nullopt}).info.servers, 8);  // what the file says
  EXPECT_EQ(cluster_of(1, {4, 2}).cluster.server_count(), 4);   // --nodes decides
}

// 5 GPUs need ceil(5 / 2) = 3 servers; the file's number is not lowered.
TEST(ClusterFile, GpusAskForAsManyServersAsTheyNeed) {
  EXPECT_EQ(cluster_of(1, {std::nullopt, 5}).cluster.server_count(), 3);
  EXPECT_EQ(cluster_of(8, {std::nullopt, 5}).cluster.server_count(), 8);
  EXPECT_EQ(cluster_of(1, {std::nullopt, 2}).cluster.server_count(), 1);
}

TEST(ClusterFile, SeveralServersNeedAFabric) {
  EXPECT_EQ(refusal(two_gpu_servers(), {}, {2, std::nullopt}),
            "error: 2 servers: several servers need a fabric, and cluster has none\n"
            "hint: add a table [fabric], such as kind = \"single-switch\" and link = \"ib-ndr\"");
  EXPECT_THAT(refusal(two_gpu_servers(), {{"node.count", "2"}}),
              StartsWith("--set node.count: error: 2 servers: several servers need a fabric"));
}

TEST(ClusterFile, FarTooManyServersAreRefusedBeforeTheyAreMade) {
  EXPECT_EQ(refusal(two_gpu_servers(kLeafSpine), {}, {1'000'000'000, std::nullopt}),
            "error: 1000000000 servers are too many\n"
            "hint: at most 1048576 servers, 2097152 GPUs here");
  EXPECT_EQ(refusal(two_gpu_servers(kLeafSpine), {}, {std::nullopt, 2'000'000'000}),
            "error: 1000000000 servers are too many\n"
            "hint: at most 1048576 servers, 2097152 GPUs here");
}

TEST(ClusterFile, TooManyNicsAreRefusedBeforeTheyAreMade) {
  EXPECT_EQ(refusal(two_gpu_servers(kLeafSpine),
                    {{"node.count", "1000000"}, {"node.device.1.count", "9"}}),
            "f.toml:28:8: error: 1000000 servers have 9000000 NICs on the network 'compute', which "
            "are too many\nhint: at most 8388608 NICs");
}

TEST(ClusterFile, AnUnknownKindIsAnsweredWithTheNearest) {
  EXPECT_EQ(refusal(two_gpu_servers(kLeafSpine), {{"fabric.kind", "leaf-spin"}}),
            "--set fabric.kind: error: unknown fabric 'leaf-spin'\n"
            "hint: did you mean 'leaf-spine'?");
}

TEST(ClusterFile, CollectivesNeedANicInEveryServer) {
  EXPECT_EQ(refusal(two_gpu_servers(kLeafSpine),
                    {{"node.count", "2"}, {"node.device.1.network", "storage"}}),
            "f.toml:28:8: error: a server has GPUs and no NIC on the network 'compute'\n"
            "hint: add a [[node.device]] with kind = \"nic\" and link it to a PCIe switch or CPU");
  EXPECT_THAT(refusal(two_gpu_servers(kLeafSpine),
                      {{"node.count", "2"}, {"node.link.0.to", "[\"gpu*\", \"nic0\"]"}}),
              StartsWith("f.toml:28:8: error: no link leads to nic1\n"));
}

TEST(ClusterFile, OverridesReachTheFabricAndMakeOne) {
  const System changed =
      read_text(two_gpu_servers(kLeafSpine), {{"node.count", "4"}, {"fabric.spines", "2"}});
  EXPECT_EQ(changed.cluster.server_count(), 4);
  const System made = read_text(two_gpu_servers(), {{"node.count", "4"},
                                                    {"fabric.kind", "single-switch"},
                                                    {"fabric.link", "ib-ndr"},
                                                    {"transport.pxn", "false"}});
  EXPECT_EQ(made.cluster.fabric()->kind(), "single-switch");
  EXPECT_FALSE(made.transport.pxn);
  EXPECT_EQ(refusal(two_gpu_servers(), {{"pod.0.count", "2"}}),
            "--set pod.0.count: error: there is no 'pod'\nhint: one of: name, node");
}

// 16,384 servers of 8 GPUs: nothing is stored per server but its kind and its ports.
TEST(ClusterFile, SixteenThousandServersShareOneKind) {
  const System system = read_text(
      "name = \"big\"\n[node]\nuse = \"dgx-h100\"\ncount = 16384\n[fabric]\n"
      "kind = \"rail-optimized\"\nlink = \"ib-ndr\"\ntiers = 3\nradix = 128\n");
  EXPECT_EQ(system.cluster.kinds().size(), 1u);
  EXPECT_EQ(system.cluster.gpu_count(), 131'072);
  EXPECT_EQ(system.cluster.fabric()->ports().size(), 131'072u);
}

// The reader of the fabric knows how far its radix and tiers reach: 8 leaves of 4 ports down.
TEST(ClusterFile, GrowthEndsWhereTheFabricDoes) {
  const std::string text =
      two_gpu_servers("[fabric]\nkind = \"leaf-spine\"\nlink = \"ib-ndr\"\nradix = 8\n");
  EXPECT_EQ(read_text(text, {}, {16, std::nullopt}).cluster.server_count(), 16);
  EXPECT_THAT(refusal(text, {}, {17, std::nullopt}), testing::HasSubstr("at most 16 servers"));
  EXPECT_THAT(refusal(text, {}, {std::nullopt, 33}), testing::HasSubstr("at most 16 servers"));
}

constexpr const char* kPods = R"([fabric]
kind = "leaf-spine"
link = "ib-ndr"
[[pod]]
name = "a"
count = 2
[[pod]]
count = 5
[[pod]]
name = "c"
count = 1
use = "dgx-a100"
)";

SystemInfo summary_of(std::string_view text) {
  ConfigDocument document = ConfigDocument::parse_text(text, "f.toml");
  return read_system_summary(document, find_cluster);
}

TEST(Summary, CountsServersAndGpusWithoutBuildingThem) {
  EXPECT_EQ(summary_of("name = \"x\"\n[node]\nuse = \"base\"\n").servers, 1);
  EXPECT_EQ(summary_of("name = \"x\"\n[node]\nuse = \"base\"\ncount = 16384\n").servers, 16384);
  EXPECT_EQ(summary_of(two_gpu_servers(kPods)).servers, 8);
  EXPECT_EQ(summary_of(two_gpu_servers(kPods)).gpus, 2);
  const SystemInfo own = summary_of("name = \"x\"\n[[pod]]\ncount = 3\nuse = \"dgx-a100\"\n");
  EXPECT_EQ(own.servers, 3);
  EXPECT_EQ(own.gpus, 8);
  EXPECT_EQ(summary_of(two_gpu_trays("servers = 18\n")).servers, 18);
}

TEST(ClusterUse, TheFabricAndTheCountComeFromTheUsedFile) {
  const System system = read_with_base("name = \"x\"\n[node]\nuse = \"base\"\ncount = 3\n");
  EXPECT_EQ(system.cluster.server_count(), 3);
  EXPECT_EQ(system.cluster.fabric()->kind(), "leaf-spine");
  EXPECT_FALSE(system.transport.pxn);
  EXPECT_THAT(system.info.sources, ElementsAre("cluster: a plan"));
}

TEST(ClusterUse, TheOutermostFabricDecides) {
  const System system = read_with_base(
      "name = \"x\"\n[node]\nuse = \"base\"\ncount = 3\n[transport]\n[fabric]\n"
      "kind = \"single-switch\"\nlink = \"ib-hdr\"\n");
  EXPECT_EQ(system.cluster.fabric()->kind(), "single-switch");
  EXPECT_TRUE(system.transport.pxn);
}

TEST(ClusterUse, OverridesReachTheFileThatHasTheFabric) {
  const System system =
      read_with_base("name = \"x\"\n[node]\nuse = \"base\"\ncount = 4\n",
                     {{"fabric.servers_per_leaf", "1"}, {"transport.pxn", "true"}});
  EXPECT_TRUE(system.transport.pxn);
}

TEST(Pods, PartsOfDifferentSizeAndServer) {
  const System system = read_text(two_gpu_servers(kPods));
  EXPECT_EQ(system.info.servers, 8);
  EXPECT_EQ(system.info.gpus, 2);
  EXPECT_EQ(system.cluster.server_count(), 8);
  EXPECT_EQ(system.cluster.gpu_count(), 7 * 2 + 8);
  ASSERT_EQ(system.cluster.kinds().size(), 2u);
  EXPECT_EQ(system.cluster.kind_of(6), 0);
  EXPECT_EQ(system.cluster.kind_of(7), 1);
  EXPECT_EQ(system.cluster.domain(7).gpus.size(), 8u);
  EXPECT_EQ(system.cluster.fabric()->ports().size(), 7u * 2 + system.cluster.domain(7).nics.size());
}

TEST(Pods, AFileOfPodsWithServersOfTheirOwnNeedsNoNode) {
  const System system = read_text(
      "name = \"x\"\n[fabric]\nkind = \"single-switch\"\nlink = \"ib-hdr\"\n"
      "[[pod]]\ncount = 2\nuse = \"dgx-a100\"\n[[pod]]\ncount = 1\nuse = \"dgx-h100\"\n"
      "peer_to_peer = \"off\"\n");
  EXPECT_EQ(system.cluster.gpu_count(), 24);
  EXPECT_EQ(system.cluster.domain(2).topology.peer_reach(), PeerReach::Off);
  EXPECT_EQ(system.cluster.domain(0).topology.peer_reach(), PeerReach::Switch);
}

TEST(Pods, ServersAreLeftOutFromTheEndAndNeverAdded) {
  EXPECT_EQ(read_text(two_gpu_servers(kPods), {}, {3, std::nullopt}).cluster.gpu_count(), 6);
  EXPECT_EQ(
      refusal(two_gpu_servers(kPods), {}, {9, std::nullopt}),
      "error: 9 servers: the [[pod]]s have 8\nhint: raise the count of a [[pod]], or add one");
  EXPECT_EQ(read_text(two_gpu_servers(kPods), {{"pod.1.count", "1"}}).cluster.server_count(), 4);
}

TEST(Pods, MistakesAreNamedWhereTheyStand) {
  EXPECT_EQ(refusal(two_gpu_servers(kPods), {{"node.count", "3"}}),
            "--set node.count: error: the [[pod]]s say how many servers there are\n"
            "hint: remove count");
  EXPECT_EQ(refusal(two_gpu_servers("[[pod]]\nname = \"a\"\n")),
            "f.toml:27:1: error: missing key 'count' in [[pod]]\nhint: add count = 1");
  EXPECT_EQ(refusal("name = \"x\"\n[[pod]]\ncount = 1\n"),
            "f.toml:2:1: error: the pod has no server: it uses none, and the file has no [node]\n"
            "hint: add use = \"NAME\" to the pod, or a [node]");
  EXPECT_EQ(refusal(two_gpu_servers("[[pod]]\ncount = 1000000\n[[pod]]\ncount = 1000000\n")),
            "f.toml:30:9: error: 1000000 servers are too many\n"
            "hint: at most 1048576 in all; 1000000 stand above");
  EXPECT_EQ(refusal(two_gpu_servers("[[pod]]\ncount = 1\npeer_to_peer = \"off\"\n")),
            "f.toml:29:1: error: unknown key 'peer_to_peer' in [[pod]]\n"
            "hint: one of: name, count, use");
  EXPECT_THAT(refusal(two_gpu_servers("[[pod]]\ncount = 1\nuse = \"nowhere\"\n")),
              StartsWith("f.toml:29:7: error: there is no system 'nowhere'"));
}

constexpr const char* kStorage = R"([fabric]
kind = "leaf-spine"
link = "ib-ndr"
[[network]]
name = "storage"
kind = "single-switch"
link = "ib-hdr"
)";

TEST(Networks, CarryNoCollectivesUnlessTransportSaysSo) {
  const SystemOverrides one_each{{"node.count", "3"},
                                 {"node.device.1.count", "1"},
                                 {"node.link.0.to", "[\"gpu*\", \"nic0\", \"disk\"]"}};
  const std::string text =
      two_gpu_servers("[[node.device]]\nname = \"disk\"\nkind = \"nic\"\nnetwork = \"storage\"\n" +
                      std::string(kStorage));
  const System system = read_text(text, one_each);
  ASSERT_EQ(system.networks.size(), 1u);
  EXPECT_EQ(system.networks[0].name, "storage");
  EXPECT_EQ(system.networks[0].fabric->kind(), "single-switch");
  EXPECT_EQ(system.networks[0].fabric->ports().size(), 3u);
  EXPECT_EQ(system.cluster.fabric()->kind(), "leaf-spine");
  EXPECT_EQ(system.cluster.fabric()->ports().size(), 3u);

  SystemOverrides on_storage = one_each;
  on_storage.emplace_back("transport.network", "storage");
  const System other = read_text(text, on_storage);
  EXPECT_EQ(other.transport.network, "storage");
  EXPECT_EQ(other.cluster.fabric()->kind(), "single-switch");
  ASSERT_EQ(other.networks.size(), 1u);
  EXPECT_EQ(other.networks[0].name, "compute");
}

TEST(Networks, MistakesAreNamedWhereTheyStand) {
  EXPECT_EQ(refusal(two_gpu_servers(kStorage)),
            "f.toml:32:8: error: no server has a NIC on the network 'storage'\n"
            "hint: add a [[node.device]] with kind = \"nic\" and link it to a PCIe switch or CPU");
  EXPECT_EQ(refusal(two_gpu_servers(kStorage), {{"network.0.name", "compute"}}),
            "--set network.0.name: error: [fabric] describes the network 'compute'\n"
            "hint: give the network another name, such as \"storage\"");
  EXPECT_EQ(refusal(two_gpu_servers(), {{"transport.network", "storage"}}),
            "--set transport.network: error: 'network' in [transport] cannot be 'storage'\n"
            "hint: one of: compute");
  EXPECT_EQ(refusal(two_gpu_servers(), {{"transport.pnx", "false"}}),
            "--set transport.pnx: error: unknown key 'pnx' in [transport]\n"
            "hint: did you mean 'pxn'?");
  EXPECT_EQ(refusal(two_gpu_servers("[[network]]\nname = \"a\"\nkind = \"single-switch\"\n"
                                    "[[network]]\nname = \"a\"\n")),
            "f.toml:31:8: error: there are two networks called 'a'\n"
            "hint: give every network its own name");
}

TEST(Transport, GpuDirectIsNcclsDefaultUnlessSaid) {
  EXPECT_EQ(read_text(two_gpu_servers()).cluster.kinds()[0].gpu_direct, GpuDirectReach::Switch);
  EXPECT_EQ(
      read_text(two_gpu_servers(), {{"node.gpu_direct", "all"}}).cluster.kinds()[0].gpu_direct,
      GpuDirectReach::All);
}

}  // namespace
}  // namespace ringspan

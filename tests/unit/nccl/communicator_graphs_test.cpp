// What NCCL's own search leaves for its tuner on the machines of the table that its sources gave
// (2.28.9; 2.30.7 where it differs): search channels x rate inside / between nodes.

#include "models/nccl/communicator_graphs.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/nccl/cluster_channels.h"
#include "tests/support/nic_servers.h"

namespace ringspan {
namespace {

using ringspan::testing::all_places;
using ringspan::testing::make_cluster;
using ringspan::testing::make_domain;
using ringspan::testing::NicServer;

constexpr NcclVersion k228{2, 28, 9};
constexpr NcclVersion k230{2, 30, 7};

NicServer dgx_a100() {
  return {
      .compute_capability = 80, .nvlinks = 12, .pcie = 4, .switches_per_cpu = 1, .vendor = "amd"};
}
NicServer dgx_b200() { return {.compute_capability = 100, .nvlink_rate = 50}; }
NicServer nvl72() {
  return {.gpus = 4,
          .compute_capability = 100,
          .nvlink_rate = 50,
          .switches_per_cpu = 1,
          .vendor = "arm",
          .c2c = true,
          .servers = 18};
}

std::string text(const AlgorithmGraph& graph) {
  return fmt::format("{}x{}/{}", graph.channels, graph.intra_gbs, graph.inter_gbs);
}

CommunicatorGraphs graphs_of(const Cluster& cluster, const NcclVersion& version = k228) {
  const auto ranks = all_places(cluster);
  if (cluster.domain_count() == 1) {
    const DomainKind& domain = cluster.domain(0);
    return communicator_graphs(cluster, ranks, search_channels(domain.topology, domain.gpus),
                               nullptr, version);
  }
  const Transport transport(cluster);
  return communicator_graphs(cluster, ranks, search_cluster_channels(cluster, ranks, transport),
                             &transport, version);
}

// "ring, tree, nvls".
std::string rows(const Cluster& cluster, const NcclVersion& version = k228) {
  const CommunicatorGraphs graphs = graphs_of(cluster, version);
  const std::string nvls = graphs.nvls.channels > 0 ? ", " + text(graphs.nvls) : "";
  return text(graphs.ring) + ", " + text(graphs.tree) + nvls;
}

std::string rows(const NicServer& shape, int nodes, double nic, const NcclVersion& version = k228,
                 std::size_t nics = 0) {
  DomainKind domain = make_domain(shape);
  if (nics > 0) {
    const std::size_t step = domain.nics.size() / nics;
    for (std::size_t i = 0; i < nics; ++i) domain.nics[i] = domain.nics[i * step];
    domain.nics.resize(nics);
    domain.rails.resize(nics);
    for (std::size_t i = 0; i < nics; ++i) domain.rails[i] = static_cast<std::int32_t>(i);
  }
  std::vector<DomainKind> kinds;
  kinds.push_back(std::move(domain));
  return rows(make_cluster(std::move(kinds), std::vector<std::int32_t>(nodes, 0), nic), version);
}

TEST(CommunicatorGraphs, OneServer) {
  EXPECT_EQ(rows(dgx_a100(), 1, 25), "12x20/20, 12x20/20");
  EXPECT_EQ(rows(NicServer{}, 1, 50), "12x30/30, 12x30/30, 8x40/60");
  EXPECT_EQ(rows(dgx_b200(), 1, 50), "16x45/45, 16x40/40, 8x80/90");
  EXPECT_EQ(rows(dgx_b200(), 1, 50, k230), "16x45/45, 16x45/45, 8x80/90");
  EXPECT_EQ(rows(nvl72(), 1, 50), "16x45/45, 16x40/40, 32x20/40");
  NicServer sixteen = nvl72();
  sixteen.servers = 4;
  EXPECT_EQ(rows(sixteen, 1, 50), "16x45/45, 16x40/40, 16x40/80");
  // Two GPUs: half of the chains run each way.
  EXPECT_EQ(rows({.gpus = 2, .compute_capability = 80, .nvlinks = 12, .pcie = 4}, 1, 25),
            "12x20/20, 12x40/40");
}

TEST(CommunicatorGraphs, SeveralServers) {
  for (const int nodes : {2, 4}) {
    EXPECT_EQ(rows(make_cluster(dgx_a100(), nodes, 25)), "8x24/24, 8x30/24");
    EXPECT_EQ(rows(NicServer{}, nodes, 50), "8x48/48, 8x48/48, 8x40/48");
    EXPECT_EQ(rows(dgx_b200(), nodes, 50), "8x48/48, 8x96/48, 8x48/48");
  }
  const NicServer b300{.compute_capability = 103, .nvlink_rate = 50, .pcie = 6};
  EXPECT_EQ(rows(b300, 2, 100), "16x48/48, 16x48/48, 8x48/96");
  EXPECT_EQ(rows(b300, 2, 100, k230), "16x48/48, 16x48/48, 8x80/96");
  EXPECT_EQ(rows(nvl72(), 2, 50), "16x45.1/45.1, 16x45.1/45.1, 32x20/40");
}

TEST(CommunicatorGraphs, FewNics) {
  EXPECT_EQ(rows(NicServer{.nics_per_switch = 1}, 2, 50), "8x24/24, 8x48/24, 4x48/48");
  EXPECT_EQ(rows(NicServer{.nics_per_switch = 1}, 2, 50, k228, 2), "4x24/24, 4x48/24, 2x48/48");
  EXPECT_EQ(rows(NicServer{.nics_per_switch = 1}, 2, 25, k228, 1), "1x24/24, 1x48/24, 1x24/24");
}

TEST(CommunicatorGraphs, PathsPatternsAndMakers) {
  const NicServer own{.gpus_per_switch = 1, .nics_per_switch = 1, .switches_per_cpu = 4};
  const CommunicatorGraphs crossed = graphs_of(make_cluster(own, 2, 50));
  EXPECT_EQ(crossed.ring.cross_nic, 2);
  EXPECT_EQ(crossed.tree.pattern, TreePattern::Tree);
  EXPECT_EQ(crossed.ring.inter_type, PathType::Pix);
  EXPECT_EQ(crossed.cpu_vendor, CpuVendor::Intel);
  const CommunicatorGraphs racks = graphs_of(make_cluster(nvl72(), 2, 50));
  EXPECT_EQ(racks.ring.inter_type, PathType::P2c);
  EXPECT_EQ(racks.cpu_vendor, CpuVendor::Arm);
  EXPECT_EQ(racks.most_ranks_per_node, 72);
  const NicServer lone{.gpus = 1, .nvlinks = 0, .gpus_per_switch = 1, .nics_per_switch = 1};
  const CommunicatorGraphs ones = graphs_of(make_cluster(lone, 4, 50));
  EXPECT_EQ(text(ones.ring) + ", " + text(ones.tree), "2x24/24, 2x48/24");
  EXPECT_EQ(ones.ring.intra_type, PathType::Loc);
  EXPECT_EQ(ones.tree.pattern, TreePattern::Tree);
}

// A server that lost a NIC: the rings, and with them all graphs, are others.
TEST(CommunicatorGraphs, FollowTheFabric) {
  std::vector<DomainKind> kinds;
  kinds.push_back(make_domain(NicServer{}));
  kinds.push_back(make_domain(NicServer{}));
  kinds.back().nics.pop_back();
  kinds.back().rails.pop_back();
  const std::string hurt = rows(make_cluster(std::move(kinds), {0, 1}, 50));
  EXPECT_NE(hurt, rows(make_cluster(NicServer{}, 2, 50)));
}

}  // namespace
}  // namespace ringspan

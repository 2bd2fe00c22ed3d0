#include "models/nccl/tuner.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/unit/nccl/graph_rows.h"

namespace ringspan {
namespace {

using ringspan::testing::dgx_a100_rows;
using ringspan::testing::dgx_b200_rows;
using ringspan::testing::dgx_h100_rows;
using ringspan::testing::eight_pcie_rows;
using ringspan::testing::lone_h200_rows;
using ringspan::testing::nvl72_rows;
using ringspan::testing::two_pcie_rows;
using enum CollectiveKind;

constexpr NcclVersion k2289{2, 28, 9};
constexpr NcclVersion k2307{2, 30, 7};

// "15.2/29.1", as NCCL prints it: latency in microseconds and bandwidth in GB/s, 0 where barred.
std::string cell(const TunerTable& table, TunerAlgorithm algorithm, Protocol protocol) {
  const TunerEntry& entry = table.entry({algorithm, protocol});
  return fmt::format("{:.1f}/{:.1f}", entry.latency_us, entry.bar.empty() ? entry.algbw_gbs : 0);
}

std::string cells(const CommunicatorGraphs& graphs, CollectiveKind kind, TunerAlgorithm algorithm,
                  const NcclVersion& version = k2289) {
  const TunerTable table(graphs, version, {kind});
  std::string text;
  for (const Protocol protocol : kAllProtocols) {
    text += (text.empty() ? "" : " ") + cell(table, algorithm, protocol);
  }
  return text;
}

std::string simple_cell(const CommunicatorGraphs& graphs, CollectiveKind kind,
                        TunerAlgorithm algorithm, const NcclVersion& version = k2289) {
  return cell(TunerTable(graphs, version, {kind}), algorithm, Protocol::Simple);
}

constexpr auto kTree = TunerAlgorithm::Tree;
constexpr auto kRing = TunerAlgorithm::Ring;
constexpr auto kNvls = TunerAlgorithm::Nvls;
constexpr auto kNvlsTree = TunerAlgorithm::NvlsTree;
constexpr auto kPat = TunerAlgorithm::Pat;

// The tables that NCCL 2.28.9's own tuner prints for these graphs.
TEST(Tuner, ReckonsAllReduceAsNcclDoes) {
  struct Row {
    CommunicatorGraphs graphs;
    const char *tree, *ring;
  };
  const std::vector<Row> rows = {
      {dgx_a100_rows(1), "15.2/29.1 31.5/85.9 64.4/110.4", "15.0/50.1 40.6/126.2 56.0/137.1"},
      {dgx_a100_rows(2), "25.2/11.2 48.5/80.0 92.4/94.4", "68.0/12.0 78.0/85.3 204.4/102.4"},
      {dgx_a100_rows(4), "35.2/9.5 65.5/66.8 120.4/71.2", "134.8/9.8 150.0/82.6 428.4/99.1"},
      {dgx_h100_rows(1), "15.2/43.6 31.5/128.8 64.4/165.6", "15.0/80.6 40.6/189.3 56.0/205.7"},
      {dgx_h100_rows(2), "25.2/19.5 48.5/146.8 92.4/165.6", "40.0/20.8 75.2/156.6 131.6/204.8"},
      {dgx_h100_rows(4), "35.2/10.2 65.5/116.0 120.4/144.0", "78.8/10.5 144.4/151.5 282.8/198.2"},
      {dgx_b200_rows(1), "15.2/77.5 31.5/229.0 64.4/294.4", "15.0/161.1 40.6/378.5 56.0/411.4"},
      {dgx_b200_rows(2), "25.2/19.5 48.5/126.7 92.4/171.2", "40.0/20.8 75.2/147.6 131.6/204.8"},
      {nvl72_rows(1), "92.0/77.5 191.5/229.0 576.4/294.4", "91.8/143.0 283.8/335.9 491.2/365.1"},
      {nvl72_rows(2), "102.0/19.5 208.5/253.4 604.4/331.9", "296.0/19.6 561.6/278.7 1002.0/363.3"},
      {lone_h200_rows(4), "26.8/4.9 48.0/17.6 64.4/18.8", "36.6/13.6 65.0/29.4 92.4/32.0"},
      {two_pcie_rows(), "8.8/4.8 17.8/0.0 16.4/18.4", "8.6/12.0 19.0/0.0 19.8/24.0"},
      {eight_pcie_rows(), "20.8/2.4 40.6/0.0 64.4/9.2", "20.6/5.7 49.0/0.0 88.2/11.4"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(cells(row.graphs, AllReduce, kTree), row.tree);
    EXPECT_EQ(cells(row.graphs, AllReduce, kRing), row.ring);
  }
}

TEST(Tuner, ReckonsReductionsInSwitchesAsNcclDoes) {
  EXPECT_EQ(simple_cell(dgx_h100_rows(1), AllReduce, kNvls), "25.0/272.0");
  EXPECT_EQ(simple_cell(dgx_b200_rows(1), AllReduce, kNvls), "25.0/411.4");
  EXPECT_EQ(simple_cell(nvl72_rows(1), AllReduce, kNvls), "25.0/465.3");
  EXPECT_EQ(simple_cell(dgx_h100_rows(2), AllReduce, kNvlsTree), "66.8/246.2");
  EXPECT_EQ(simple_cell(dgx_h100_rows(4), AllReduce, kNvlsTree), "108.6/187.9");
  EXPECT_EQ(simple_cell(dgx_b200_rows(2), AllReduce, kNvlsTree), "66.8/265.2");
  EXPECT_EQ(simple_cell(nvl72_rows(2), AllReduce, kNvlsTree), "66.8/462.0");
  EXPECT_EQ(simple_cell(dgx_h100_rows(1), AllGather, kNvls), "25.0/208.2");
  EXPECT_EQ(simple_cell(dgx_b200_rows(1), ReduceScatter, kNvls), "25.0/362.6");
}

TEST(Tuner, ReckonsGathersAsNcclDoes) {
  for (const CollectiveKind kind : {AllGather, ReduceScatter}) {
    EXPECT_EQ(cells(dgx_h100_rows(1), kind, kRing), "10.8/161.1 27.3/378.5 32.2/411.4");
    EXPECT_EQ(cells(dgx_h100_rows(2), kind, kRing), "23.3/41.6 44.6/313.2 70.0/409.6");
    EXPECT_EQ(cells(dgx_h100_rows(4), kind, kRing), "42.7/21.1 79.2/303.1 145.6/396.4");
    EXPECT_EQ(cells(dgx_a100_rows(1), kind, kRing), "10.8/100.2 27.3/252.3 32.2/274.3");
    EXPECT_EQ(cells(dgx_a100_rows(2), kind, kRing), "37.3/24.0 46.0/170.7 106.4/204.8");
    EXPECT_EQ(cells(dgx_b200_rows(1), kind, kRing), "10.8/322.3 27.3/757.0 32.2/822.9");
    EXPECT_EQ(cells(nvl72_rows(1), kind, kRing), "49.2/286.0 148.9/671.7 249.8/730.1");
    EXPECT_EQ(cells(lone_h200_rows(4), kind, kRing), "21.6/27.2 39.5/58.9 50.4/64.0");
    EXPECT_EQ(cells(lone_h200_rows(16), kind, kRing), "81.6/21.8 141.5/47.1 218.4/51.2");
    EXPECT_EQ(simple_cell(lone_h200_rows(4), kind, kPat), "27.2/36.0");
    EXPECT_EQ(simple_cell(lone_h200_rows(16), kind, kPat), "68.8/36.0");
  }
}

// NCCL 2.30.7's own tuner on these graphs: 8 channels x 40 GB/s of a ring's channel on Blackwell,
// 16 / 30 of it. Nothing else of the tables above moves.
TEST(Tuner, KnowsWhatNccl230Changed) {
  EXPECT_EQ(cells(dgx_b200_rows(2), AllReduce, kRing, k2307), "40.0/20.8 75.2/170.7 131.6/204.8");
  EXPECT_EQ(cells(dgx_h100_rows(2), AllReduce, kRing, k2307),
            cells(dgx_h100_rows(2), AllReduce, kRing));
  EXPECT_EQ(cells(dgx_b200_rows(2), AllReduce, kTree, k2307),
            cells(dgx_b200_rows(2), AllReduce, kTree));
  EXPECT_EQ(simple_cell(dgx_b200_rows(1), AllReduce, kNvls, k2307), "25.0/411.4");
}

// Eight H100. 2.18: a tree's step 4 us and no base, 14 x 4; LL a quarter of 360 GB/s but 87.7 at
// most, x 8/14; NVLS 23 us and 8 x 40 GB/s x 5/6. 2.22: a tree's step 28 us; LL half of 360, 141 at
// most. 2.20 had NVLS at 23 us.
TEST(Tuner, KnowsOlderVersions) {
  const CommunicatorGraphs one = dgx_h100_rows(1);
  EXPECT_EQ(simple_cell(one, AllReduce, kTree, {2, 18, -1}), "56.0/165.6");
  EXPECT_EQ(cells(one, AllReduce, kRing, {2, 18, -1}), "15.0/50.1 40.6/189.3 56.0/205.7");
  EXPECT_EQ(simple_cell(one, AllReduce, kNvls, {2, 18, -1}), "23.0/266.7");
  EXPECT_EQ(simple_cell(one, AllGather, kNvls, {2, 18, -1}), "23.0/0.0");
  EXPECT_EQ(simple_cell(one, AllReduce, kNvls, {2, 20, -1}), "23.0/266.7");
  EXPECT_EQ(simple_cell(one, AllReduce, kTree, {2, 22, -1}), "392.0/165.6");
  EXPECT_EQ(cells(one, AllReduce, kRing, {2, 22, -1}), "15.0/80.6 40.6/189.3 56.0/205.7");
  // A quarter or, where nothing is reduced, a third of 360 GB/s, x 8/7.
  EXPECT_EQ(cells(one, AllGather, kRing, {2, 20, -1}).substr(0, 10), "10.8/100.2");
  // Two nodes, 30 steps. Before 2.23 four of them over the network: 26 x 3.4 + 4 x 14 + 8.4.
  EXPECT_EQ(simple_cell(dgx_h100_rows(2), AllReduce, kRing, {2, 22, -1}), "152.8/204.8");
  // One rank per node: 6 steps, of which before 2.23 eight (2 N) were over the network: 8 x 2.7 - 2
  // x 1.0 + 6.6 with LL, 8 x 4.0 - 2 x 2.5 + 14 with LL128, which has 0.7 of 48 GB/s, x 4/6.
  EXPECT_EQ(cells(lone_h200_rows(4), AllReduce, kRing, {2, 22, -1}).substr(0, 19),
            "26.2/13.6 41.0/22.4");
  const TunerTable without_pat(lone_h200_rows(4), {2, 22, -1}, {AllGather});
  EXPECT_EQ(without_pat.entry({kPat, Protocol::Simple}).bar, "it came with NCCL 2.23");
}

// 2.27 takes the NVLS bandwidth of AllReduce as the lesser rate x 5/6, that of AllGather as 7/8 of
// the rate inside, unscaled; 2.26 the rate itself, unscaled.
TEST(Tuner, KnowsHowNvlsWasReckoned) {
  EXPECT_EQ(simple_cell(dgx_h100_rows(1), AllReduce, kNvls, {2, 27, -1}), "25.0/266.7");
  EXPECT_EQ(simple_cell(dgx_h100_rows(1), AllGather, kNvls, {2, 27, -1}), "25.0/280.0");
  EXPECT_EQ(simple_cell(dgx_h100_rows(1), AllGather, kNvls, {2, 26, -1}), "25.0/320.0");
  // Four nodes: half of the 48 GB/s between nodes, 8 heads, x 5/6; 25 + 2 x 2 x 14 us.
  EXPECT_EQ(simple_cell(dgx_h100_rows(4), AllReduce, kNvlsTree, {2, 27, -1}), "81.0/160.0");
}

TEST(Tuner, ResolvesVersions) {
  const auto text = [](const char* version) {
    return nccl_version_text(resolved_nccl_version(parse_nccl_version(version)));
  };
  EXPECT_EQ(text("2.28"), "2.28.9");
  EXPECT_EQ(text("2.28.3"), "2.28.3");
  EXPECT_EQ(text("2.12.12"), "2.18.6");
  EXPECT_EQ(text("1.0"), "2.18.6");
  EXPECT_EQ(text("2.30"), nccl_version_text(newest_nccl_version()));
  EXPECT_EQ(text("2.31"), "2.31");
  EXPECT_EQ(tuner_constants({2, 31, -1}).ring_ll128, tuner_constants({2, 30, 7}).ring_ll128);
  // Blackwell's rings over two nodes: 73.4 GB/s a channel in 2.28.3, 34.6 from 2.28.9, 40 from
  // 2.29.7.
  EXPECT_EQ(tuner_constants({2, 28, 3}).ring_ll128[3][1], 73.4);
  EXPECT_EQ(tuner_constants({2, 28, -1}).ring_ll128[3][1], 34.6);
  EXPECT_EQ(tuner_constants({2, 29, 2}).ring_ll128[3][0], 34.5);
  EXPECT_EQ(tuner_constants({2, 29, -1}).ring_ll128[3][0], 40);
}

// Broadcast on 8 GPUs: one step where channels share an order, else a step a rank, with Simple the
// tree's.
TEST(Tuner, ReckonsChainsOfBroadcasts) {
  CommunicatorGraphs graphs = dgx_h100_rows(1);
  EXPECT_EQ(cells(graphs, Broadcast, kRing), "7.2/141.0 15.9/331.2 11.8/360.0");
  graphs.ring.same_channels = false;  // 6.6 + 8 x 0.6; 14 + 8 x 1.9; 8.4 + 8 x 4
  EXPECT_EQ(cells(graphs, Reduce, kRing), "11.4/141.0 29.2/331.2 40.4/360.0");
}

std::string bar_of(const CommunicatorGraphs& graphs, const TunerQuestion& question, TunerWay way,
                   const NcclVersion& version = k2289) {
  return TunerTable(graphs, version, question).entry(way).bar;
}

TEST(Tuner, SaysWhyAWayIsBarred) {
  const CommunicatorGraphs h100 = dgx_h100_rows(1);
  const TunerWay nvls{kNvls, Protocol::Simple}, ll128{kRing, Protocol::LL128};
  EXPECT_EQ(bar_of(h100, {AllReduce}, nvls), "");
  EXPECT_EQ(bar_of(h100, {AllReduce, false}, nvls),
            "the switches do not reduce this data type by this operation");
  EXPECT_EQ(bar_of(h100, {AllGather, false}, nvls), "");
  EXPECT_EQ(bar_of(h100, {AllReduce}, {kNvls, Protocol::LL}), "it runs with simple only");
  EXPECT_EQ(bar_of(h100, {AllReduce}, {kNvlsTree, Protocol::Simple}),
            "it needs at least two nodes");
  EXPECT_EQ(bar_of(dgx_h100_rows(2), {AllReduce}, nvls),
            "between nodes it needs a fabric whose switches reduce");
  EXPECT_EQ(bar_of(nvl72_rows(1), {AllGather}, nvls),
            "it does all_gather for 32 ranks of a node at most");
  EXPECT_EQ(bar_of(nvl72_rows(1), {AllReduce}, nvls), "");
  EXPECT_EQ(bar_of(dgx_a100_rows(1), {AllReduce}, nvls),
            "it needs NVSwitches that multicast and reduce, and three GPUs of a node");
  EXPECT_EQ(bar_of(h100, {AllGather}, {kTree, Protocol::LL}), "NCCL does not do all_gather by it");
  EXPECT_EQ(bar_of(h100, {AllGather}, {kPat, Protocol::Simple}),
            "it is used with one rank per node");
  EXPECT_EQ(bar_of(h100, {AllReduce}, {TunerAlgorithm::CollNetDirect, Protocol::Simple}),
            "it needs at least two nodes");
  EXPECT_EQ(bar_of(dgx_h100_rows(2), {AllReduce}, {TunerAlgorithm::CollNetChain, Protocol::Simple}),
            "it needs a fabric whose switches reduce");
  EXPECT_EQ(bar_of(two_pcie_rows(), {AllReduce}, ll128),
            "ll128 needs stores of 128 bytes to arrive whole, which only NVLink does inside a "
            "server");
  EXPECT_EQ(bar_of(h100, {AllToAll}, ll128), "NCCL does not choose here");
}

TEST(Tuner, BarsLl128ByDistanceAndCapability) {
  const TunerWay ll128{kRing, Protocol::LL128};
  CommunicatorGraphs graphs = dgx_a100_rows(2);
  EXPECT_EQ(bar_of(graphs, {AllReduce}, ll128), "");
  graphs.ring.inter_type = PathType::Pxn;
  EXPECT_NE(bar_of(graphs, {AllReduce}, ll128), "");
  graphs.least_compute_capability = 90;
  EXPECT_EQ(bar_of(graphs, {AllReduce}, ll128), "");
  graphs.one_compute_capability = false;
  EXPECT_EQ(bar_of(graphs, {AllReduce}, ll128), "ll128 needs GPUs of one compute capability");
  EXPECT_EQ(bar_of(graphs, {AllReduce}, ll128, k2307), "");
  CommunicatorGraphs a6000 = dgx_a100_rows(1);
  a6000.least_compute_capability = 86;
  EXPECT_EQ(bar_of(a6000, {AllReduce}, ll128), "");
  EXPECT_NE(bar_of(a6000, {AllReduce}, ll128, {2, 26, -1}), "");
}

// "ring/ll 2M:nvls/simple": the first pick, and from which power of two on another.
std::string choices(const CommunicatorGraphs& graphs, CollectiveKind kind,
                    const NcclVersion& version = k2289) {
  const TunerTable table(graphs, version, {kind});
  std::string text;
  std::optional<TunerWay> last;
  for (std::int64_t bytes = 8; bytes <= std::int64_t{8} << 30; bytes *= 2) {
    const TunerWay way = table.pick(bytes).value();
    if (way == last) continue;
    if (last)
      text += fmt::format(" {}:", bytes >= 1 << 20   ? fmt::format("{}M", bytes >> 20)
                                  : bytes >= 1 << 10 ? fmt::format("{}K", bytes >> 10)
                                                     : fmt::format("{}", bytes));
    text += fmt::format("{}/{}", tuner_algorithm_name(way.algorithm), protocol_name(way.protocol));
    last = way;
  }
  return text;
}

TEST(Tuner, PicksWhatNcclPicksForAllReduce) {
  const auto of = [](const CommunicatorGraphs& graphs) { return choices(graphs, AllReduce); };
  EXPECT_EQ(of(dgx_a100_rows(1)), "ring/ll 4M:ring/ll128 32M:ring/simple");
  EXPECT_EQ(of(dgx_a100_rows(2)), "tree/ll 256K:tree/ll128 16M:ring/ll128 128M:ring/simple");
  EXPECT_EQ(of(dgx_a100_rows(4)), "tree/ll 256K:tree/ll128 32M:ring/ll128 256M:ring/simple");
  EXPECT_EQ(of(dgx_h100_rows(1)), "ring/ll 2M:nvls/simple");
  EXPECT_EQ(of(dgx_h100_rows(2)), "tree/ll 256K:tree/ll128 4M:nvlstree/simple");
  EXPECT_EQ(of(dgx_h100_rows(4)), "tree/ll 256K:tree/ll128 16M:nvlstree/simple 1024M:ring/simple");
  EXPECT_EQ(of(dgx_b200_rows(1)), "ring/ll 4M:nvls/simple");
  EXPECT_EQ(of(nvl72_rows(1)), "nvls/simple");
  EXPECT_EQ(of(nvl72_rows(2)), "nvlstree/simple");
  EXPECT_EQ(of(lone_h200_rows(4)), "tree/ll 64K:ring/ll 1M:ring/ll128 32M:ring/simple");
  EXPECT_EQ(of(lone_h200_rows(16)), "tree/ll 128K:tree/ll128 16M:ring/ll128 128M:ring/simple");
  EXPECT_EQ(of(two_pcie_rows()), "ring/ll 512K:ring/simple");
  EXPECT_EQ(of(eight_pcie_rows()), "ring/ll 1M:ring/simple");
}

TEST(Tuner, PicksWhatNcclPicksForAllGather) {
  const auto of = [](const CommunicatorGraphs& graphs) { return choices(graphs, AllGather); };
  EXPECT_EQ(of(dgx_a100_rows(1)), "ring/ll 4M:ring/ll128 16M:ring/simple");
  EXPECT_EQ(of(dgx_a100_rows(2)), "ring/ll 256K:ring/ll128 64M:ring/simple");
  EXPECT_EQ(of(dgx_a100_rows(4)), "ring/ll 256K:ring/ll128 256M:ring/simple");
  EXPECT_EQ(of(dgx_h100_rows(1)), "ring/ll 8M:ring/ll128 32M:ring/simple");
  EXPECT_EQ(of(dgx_h100_rows(2)), "ring/ll 1M:ring/ll128 64M:ring/simple");
  EXPECT_EQ(of(dgx_h100_rows(4)), "ring/ll 1M:ring/ll128 128M:ring/simple");
  EXPECT_EQ(of(dgx_b200_rows(1)), "ring/ll 16M:ring/ll128 64M:ring/simple");
  EXPECT_EQ(of(nvl72_rows(1)), "ring/ll 64M:ring/ll128 1024M:ring/simple");
  EXPECT_EQ(of(nvl72_rows(2)), "ring/ll 8M:ring/ll128 512M:ring/simple");
  EXPECT_EQ(of(lone_h200_rows(4)), "ring/ll 1M:pat/simple 2M:ring/ll128 8M:ring/simple");
  EXPECT_EQ(of(lone_h200_rows(16)), "pat/simple 16M:ring/ll128 64M:ring/simple");
  EXPECT_EQ(of(two_pcie_rows()), "ring/ll 512K:ring/simple");
  EXPECT_EQ(of(eight_pcie_rows()), "ring/ll 1M:ring/simple");
}

}  // namespace
}  // namespace ringspan

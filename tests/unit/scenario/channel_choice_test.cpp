// What a communicator takes of NCCL's channels: how many an algorithm has, and in which orders.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "app/scenario/scenario.h"

namespace ringspan {
namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

// 1 GiB at `stream` with Simple, on so many servers of a system.
RunRow run_on(const System& system, const Catalog& catalog, const std::string& algorithm, int nodes,
              CollectiveKind kind = CollectiveKind::AllReduce) {
  RunScenario scenario;
  scenario.collective = kind;
  scenario.sizes = {Bytes{kGiB}};
  scenario.algorithm = algorithm;
  scenario.protocol = Protocol::Simple;
  scenario.granularity = Granularity::Stream;
  scenario.nodes = nodes;
  scenario.explain = true;
  const RunReport report = run_scenario(scenario, system, catalog);
  return report.rows.at(0);
}

// The most that a link of this class carries.
double busiest(const RunRow& row, std::string_view link_class) {
  double most = 0;
  for (const ResourceLoad& load : row.loads) {
    if (load.link_class == link_class) most = std::max(most, load.bytes);
  }
  return most;
}

// NCCL 2.28.9 on Blackwell: 24 channels inside one NVLink domain, 32 over several. Racks of 18
// trays.
TEST(ChannelChoice, NvlsHasMoreChannelsOverSeveralDomainsThanInOne) {
  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, "superpod-gb200");
  EXPECT_EQ(run_on(system, catalog, "nvls", 2).channels, 24);
  EXPECT_EQ(run_on(system, catalog, "nvlstree", 19).channels, 32);
}

// Rings change rails from server to server on this fabric. Heads that are joined are on one rail
// all the same: a GPU sends its vector up to the switches and the eighth that it is head of down
// from them, and none passes over another GPU's NIC.
TEST(ChannelChoice, TreesAndReductionsBetweenServersStayOnARail) {
  const Catalog catalog = builtin_catalog();
  const System system =
      load_system(catalog, "superpod-h100", {{"fabric.in_network_reduction", "true"}});
  for (const char* algorithm : {"nvlstree", "nvls"}) {
    EXPECT_DOUBLE_EQ(busiest(run_on(system, catalog, algorithm, 2), "nvlink"), 1.125 * kGiB)
        << algorithm;
  }
}

// Two of 16 channels begin at each of eight GPUs, which sends and receives their part for its
// server.
TEST(ChannelChoice, TheChainsOfCollnetBeginAtEveryNic) {
  const Catalog catalog = builtin_catalog();
  const System system =
      load_system(catalog, "superpod-h100", {{"fabric.in_network_reduction", "true"}});
  EXPECT_DOUBLE_EQ(busiest(run_on(system, catalog, "collnetchain", 4), "pcie"), kGiB / 8.0);
}

// Two racks: 32 channels, and as two NICs fill a GPU's link to its CPU, two of them for a peer, so
// that 8 x 32 / 2 of 143 peers are under way at once. One message each, two batches.
TEST(ChannelChoice, AlltoallBetweenRacksGoesInBatchesOfAsManyPeersAsNcclHasUnderWay) {
  const Catalog catalog = builtin_catalog();
  const System system = load_system(catalog, "superpod-gb200");
  const RunRow row = run_on(system, catalog, "p2p", 36, CollectiveKind::AllToAll);
  EXPECT_EQ(row.channels, 32);
  EXPECT_EQ(row.operations, 144 * 143);
  EXPECT_EQ(row.events, 2);
}

// NCCL opens 8 x 2 channels on healthy servers, and with a dead NIC in one of them 6 x 4. Its limit
// per search channel stays: 6 x 36.7 GB/s for LL128, not 24 x 18.35. 32 ranks gather 64 MiB: 31/32
// of it, 65.0 MB, through 293.6 GB/s are 221.4 us, and through 220.2 GB/s 295.2 us.
TEST(ChannelChoice, ADeadNicDoesNotMakeTheKernelsFaster) {
  const Catalog catalog = builtin_catalog();
  const SystemOverrides healthy;
  const SystemOverrides hurt = {{"fault", "[{nic=\"server1.nic5\"}]"}};
  const auto gather = [&](const SystemOverrides& faults) {
    RunScenario scenario;
    scenario.collective = CollectiveKind::AllGather;
    scenario.sizes = {Bytes{kGiB / 16}};
    scenario.algorithm = "ring";
    scenario.protocol = Protocol::LL128;
    scenario.granularity = Granularity::Stream;
    scenario.nodes = 4;
    return run_scenario(scenario, load_system(catalog, "dgx-h100", faults, {4, {}, 0}), catalog)
        .rows.at(0);
  };
  const RunRow before = gather(healthy), after = gather(hurt);
  EXPECT_EQ(before.channels, 16);
  EXPECT_EQ(after.channels, 24);
  EXPECT_GT(to_microseconds(before.time), 221.4);
  EXPECT_GT(to_microseconds(after.time), 295.2);
  EXPECT_GT(after.time, before.time);
}

}  // namespace
}  // namespace ringspan

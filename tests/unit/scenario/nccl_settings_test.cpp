#include "app/scenario/nccl_settings.h"

#include <gtest/gtest.h>

#include "app/scenario/scenario.h"

namespace ringspan {
namespace {

constexpr Bytes kMiB{1 << 20};

RunRow row_of(const char* system, const char* settings, Bytes size) {
  const Catalog catalog = builtin_catalog();
  RunScenario scenario;
  scenario.sizes = {size};
  scenario.environment = read_nccl_environment(settings);
  const System loaded =
      load_system(catalog, system, system_overrides(scenario.environment), SystemSize{});
  return run_scenario(scenario, loaded, catalog).rows.front();
}

TEST(NcclSettings, AlgorithmsAndProtocolsThatAreNotAllowedAreNotPicked) {
  // NCCL 2.28.9 and later take NVLS for 64 MiB on 8x H100.
  EXPECT_EQ(row_of("dgx-h100", "", kMiB * 64).algorithm, "nvls");
  EXPECT_NE(row_of("dgx-h100", "NCCL_NVLS_ENABLE=0", kMiB * 64).algorithm, "nvls");
  EXPECT_EQ(row_of("dgx-h100", "NCCL_ALGO=Ring,NVLS NCCL_PROTO=LL128", kMiB * 64).algorithm,
            "ring");
  EXPECT_EQ(row_of("dgx-h100", "NCCL_ALGO=^NVLS,Ring", kMiB * 64).algorithm, "tree");
  EXPECT_EQ(row_of("dgx-h100", "NCCL_PROTO=^LL,LL128", Bytes{8}).protocol, Protocol::Simple);
}

// NVLS runs with Simple only: LL would leave nothing for it.
TEST(NcclSettings, SettingsThatLeaveNothingAreToldAndNotApplied) {
  const Catalog catalog = builtin_catalog();
  RunScenario scenario;
  scenario.sizes = {kMiB};
  scenario.environment = read_nccl_environment("NCCL_ALGO=NVLS NCCL_PROTO=LL");
  const RunReport report = run_scenario(scenario, load_system(catalog, "dgx-h100"), catalog);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings.front().find("not applied"), std::string::npos);
}

TEST(NcclSettings, ChannelsStayBetweenTheLeastAndTheMost) {
  EXPECT_EQ(row_of("dgx-h100", "NCCL_ALGO=Ring NCCL_MAX_NCHANNELS=4", kMiB * 64).channels, 4);
  EXPECT_EQ(row_of("dgx-h100", "NCCL_ALGO=Ring NCCL_MIN_NCHANNELS=32", kMiB * 64).channels, 32);
  EXPECT_EQ(row_of("dgx-h100", "NCCL_MAX_NCHANNELS=6", kMiB * 64).channels, 6);
}

// A ring's chunk with Simple is 4 of the buffer's 8 steps: of 8 MiB 4 MiB, and 2 MiB of NCCL's own
// 4 MiB.
TEST(NcclSettings, TheBufferSetsTheChunk) {
  const char* const ring = "NCCL_ALGO=Ring NCCL_PROTO=Simple";
  EXPECT_EQ(row_of("dgx-a100", ring, kMiB * 4096).chunk_bytes, 2 << 20);
  const std::string larger = std::string(ring) + " NCCL_BUFFSIZE=8388608";
  EXPECT_EQ(row_of("dgx-a100", larger.c_str(), kMiB * 4096).chunk_bytes, 4 << 20);
}

// The catalogue has the same cards with peer-to-peer off under another name.
TEST(NcclSettings, WithoutPeerToPeerTransfersAreStaged) {
  EXPECT_EQ(row_of("rtx-4090-8x-p2p", "NCCL_P2P_DISABLE=1", kMiB * 64).time,
            row_of("rtx-4090-8x-shm", "", kMiB * 64).time);
}

TEST(NcclSettings, WhatIsNotModelledIsTold) {
  EXPECT_TRUE(settings_without_effect(read_nccl_environment("NCCL_ALGO=Ring")).empty());
  const auto notes = settings_without_effect(read_nccl_environment("NCCL_NET=Socket"));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes.front(), "NCCL_NET=Socket is not modelled: predicted without it");
}

}  // namespace
}  // namespace ringspan

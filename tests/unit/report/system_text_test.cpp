#include "app/report/system_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/report/pair_classes.h"
#include "app/scenario/scenario.h"

namespace ringspan {
namespace {

using testing::HasSubstr;
using testing::Not;

System catalogue_system(const char* name) { return load_system(builtin_catalog(), name); }

TEST(PairClasses, PairsBehindOneSwitchAreOneClass) {
  const System system = catalogue_system("dgx-h100");
  const std::vector<PairClass> classes = pair_classes(system.topology(), system.topology().gpus());
  ASSERT_EQ(classes.size(), 1U);
  EXPECT_EQ(classes[0].pairs, 28);  // 8 x 7 / 2
  EXPECT_EQ(classes[0].route.kind, PathKind::NvSwitch);
  // 18 NVLink 4 of 25 GB/s each way.
  EXPECT_EQ(classes[0].nominal, bandwidth_from_gbytes_per_second(450));
  // Every GPU has one bundle to each of 4 switches, each way, and sends to 7 others.
  EXPECT_EQ(classes[0].transfers.size(), 8U * 4 * 2);
  for (const auto& [link, transfers] : classes[0].transfers) EXPECT_EQ(transfers, 7);
}

TEST(PairClasses, PairsOfTwoSocketsSplitByTheSocketLink) {
  const System system = catalogue_system("rtx-4090-8x-shm");
  const std::vector<PairClass> classes = pair_classes(system.topology(), system.topology().gpus());
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0].pairs, 16);  // 4 x 4 across
  EXPECT_EQ(classes[0].route.kind, PathKind::Socket);
  EXPECT_EQ(classes[1].pairs, 12);  // 2 x (4 x 3 / 2) inside
  EXPECT_TRUE(classes[0].route.staged);
  EXPECT_TRUE(classes[1].route.staged);
}

TEST(PairClasses, OneGpuHasNone) {
  const System system =
      load_system(builtin_catalog(), "v100-pcie-4x", {{"node.device.0.count", "1"}});
  EXPECT_TRUE(pair_classes(system.topology(), system.topology().gpus()).empty());
  EXPECT_THAT(system_text(system), HasSubstr("  none: there is one GPU\n"));
}

TEST(SystemText, TellsLinkGpuAndSwitchApart) {
  const std::string text = system_text(catalogue_system("dgx-h100"));
  EXPECT_THAT(text, HasSubstr("  one nvlink4 link                                       "));
  EXPECT_THAT(text, HasSubstr("     25 GB/s "));
  EXPECT_THAT(text, HasSubstr("  one gpu (8 there), 18 nvlink links                     "));
  EXPECT_THAT(text, HasSubstr("    450 GB/s "));
  // 8 x 450 GB/s go in, and as much comes out.
  EXPECT_THAT(text, HasSubstr("  all 4 nvswitches together, sum of ports "));
  EXPECT_THAT(text, HasSubstr("   3600 GB/s "));
  EXPECT_THAT(text,
              HasSubstr("both directions of one gpu's nvlinks, as data sheets count: 900 GB/s"));
}

TEST(SystemText, WarnsWherePeerToPeerDoesNotReach) {
  const std::string text = system_text(catalogue_system("rtx-4090-8x-shm"));
  EXPECT_THAT(text, HasSubstr("Peer-to-peer copies reach: off (nowhere but over NVLink)\n"
                              "  warning: 28 of 28 GPU pairs are staged through host memory"));
  EXPECT_THAT(text, HasSubstr("    staged through cpu1: peer-to-peer is off on this server\n"));
  EXPECT_THAT(system_text(catalogue_system("rtx-4090-8x-p2p")), Not(HasSubstr("warning")));
}

TEST(SystemText, NamesWhatPairsShare) {
  const std::string text = system_text(catalogue_system("rtx-4090-8x-p2p"));
  // 16 pairs cross the one socket link in each direction.
  EXPECT_THAT(text, HasSubstr("shared: cpu -> cpu (3 xgmi2), such as cpu0 -> cpu1: 2 of them, each "
                              "carries 16 transfers of this class\n"));
}

// What `show` says of faults: one line each, in the order of the file, with the shares as written.
TEST(SystemText, FaultsAreListed) {
  const System system =
      load_system(builtin_catalog(), "dgx-h100",
                  {{"node.count", "4"},
                   {"fault",
                    "[{switch = \"spine0\"}, {nic = \"server3.nic2\"}, {from = \"leaf0\", to = "
                    "\"spine1\", cables = 2, rate = \"50%\"}]"}});
  EXPECT_THAT(system_text(system), HasSubstr("\nFaults\n"
                                             "  spine0: dead\n"
                                             "  server3.nic2: dead\n"
                                             "  leaf0 - spine1: 2 cables at 50 % of the rate\n"));
  EXPECT_THAT(system_text(catalogue_system("dgx-h100")), Not(HasSubstr("\nFaults\n")));
}

}  // namespace
}  // namespace ringspan

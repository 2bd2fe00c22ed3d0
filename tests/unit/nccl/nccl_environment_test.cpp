#include "models/nccl/nccl_environment.h"

#include <gtest/gtest.h>

namespace ringspan {
namespace {

using Names = std::vector<std::string>;

TEST(NcclEnvironment, EverySettingIsRead) {
  const NcclEnvironment settings = read_nccl_environment(
      "NCCL_ALGO=Ring  NCCL_PROTO=LL,simple NCCL_NET=Socket NCCL_NVLS_ENABLE=0 "
      "NCCL_COLLNET_ENABLE=1 NCCL_P2P_DISABLE=1 NCCL_MIN_NCHANNELS=4 NCCL_MAX_NCHANNELS=8 "
      "NCCL_BUFFSIZE=8388608");
  EXPECT_EQ(settings.algorithms, Names{"ring"});
  EXPECT_EQ(settings.protocols, (std::vector<Protocol>{Protocol::LL, Protocol::Simple}));
  EXPECT_EQ(settings.net, "Socket");
  EXPECT_EQ(settings.nvls, false);
  EXPECT_EQ(settings.collnet, true);
  EXPECT_TRUE(settings.p2p_disabled);
  EXPECT_EQ(settings.min_channels, 4);
  EXPECT_EQ(settings.max_channels, 8);
  EXPECT_EQ(settings.buffer, Bytes{8 << 20});
  EXPECT_EQ(settings.notes, Names{});
}

TEST(NcclEnvironment, ACaretAllowsAllOthers) {
  EXPECT_EQ(read_nccl_environment("NCCL_ALGO=^tree,NVLS").algorithms,
            (Names{"ring", "collnetdirect", "collnetchain", "nvlstree", "pat"}));
  EXPECT_EQ(read_nccl_environment("NCCL_PROTO=^LL128").protocols,
            (std::vector<Protocol>{Protocol::LL, Protocol::Simple}));
}

TEST(NcclEnvironment, TwoIsNvlsWhereItCan) {
  EXPECT_FALSE(read_nccl_environment("NCCL_NVLS_ENABLE=2").nvls);
  EXPECT_TRUE(read_nccl_environment("NCCL_NVLS_ENABLE=2").notes.empty());
}

TEST(NcclEnvironment, WhatCannotBeUsedIsNotedAndChangesNothing) {
  const NcclEnvironment settings = read_nccl_environment(
      "NCCL_BUFFSIZE=changed NCCL_ALGO=fastest NCCL_IB_HCA=mlx5 NCCL_MAX_NCHANNELS=0 NCCL_PROTO");
  EXPECT_FALSE(settings.buffer);
  EXPECT_TRUE(settings.algorithms.empty());
  EXPECT_FALSE(settings.max_channels);
  EXPECT_EQ(settings.notes,
            (Names{"'NCCL_BUFFSIZE=changed' is not used: the value has no meaning here",
                   "'NCCL_ALGO=fastest' is not used: the value has no meaning here",
                   "'NCCL_IB_HCA=mlx5' is not used: it is no setting known here",
                   "'NCCL_MAX_NCHANNELS=0' is not used: the value has no meaning here",
                   "'NCCL_PROTO' is not used: it is no setting known here"}));
}

}  // namespace
}  // namespace ringspan
